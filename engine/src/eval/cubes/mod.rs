//! Evaluation of Cubes 4D: material by the values in the rules, height, closeness to the middle of the cubes, mobility, escape
//! places of the Kings, and the pieces that Pawns can still become.
//! A side that is ahead wins by hunting the other King while that King still has company: once it is alone, it draws by
//! surviving ten turns. The hunt must also end before the counter of quiet turns does. Where both sides have a Queen, other
//! terms apply. A network [corrects](inputs) the sum.

mod activity;
mod chance;
mod exchange;
mod ground;
pub mod inputs;
mod lone;
mod mirror;
mod queens_only;
mod relief;

use super::network::{HasNetwork, LIMIT, NnueEvaluator};
use super::{
    BY_WHOLE_DEPTH, CORRECTION_KEYS, CheckDetection, CorrectionHash, CorrectionHistory,
    EndgameResult, EndgameTables, Evaluate, LazyEval, MateSearch, PairHistory, SearchValues,
    StagedLegality, TableMoves, Tactics, WinCurve, capabilities,
};
use crate::core::{Color, StepList};
use crate::rules::Rules;
use crate::rules::cubes::{
    Action, Cell, CubeLegality, Cubes4d, LONE_KING_LIMIT, Mask, Options, PieceKind, Reserve, Step,
    TargetKing,
};
use activity::Activity;
use lone::LoneKings;
use queens_only::{is_queens_only, queens_only_value};

/// Returns the value of a piece in centipawns, as the rules give it; the King's serves only for ordering.
const fn worth(piece: PieceKind) -> i32 {
    match piece {
        PieceKind::King => 2000,
        piece => 100 * piece.worth(),
    }
}

/// Bonus per level of a piece (the King too) above the trenches, in centipawns, because captures go down.
const HEIGHT: i32 = 8;
/// Bonus per pseudo-legal move, in centipawns.
const MOBILITY: i32 = 4;
/// Bonus for each piece on the inner part of the base, with cubes on all sides, in centipawns.
const INNER: i32 = 6;
/// Value in centipawns of the King's escape places, by their number: places next to it that it could step to if nothing attacked them.
const ESCAPES: [i32; 9] = [-45, -20, -8, 0, 4, 6, 8, 8, 8];
/// Value in centipawns of a Grand Pawn and of a Queen outside the game for a side that has Pawns.
const WAITING: [i32; 2] = [15, 35];
/// Bonus for the side to move, in centipawns.
const TEMPO: i32 = 10;

/// Bonus for each attack on a place that the other King could step to, in centipawns.
const ATTACK: i32 = 5;
/// Bonus for each of the eight places around the other King that it cannot step to, in centipawns.
const CONFINED: i32 = 6;
/// Hunt: smallest advantage of the hunting side, in centipawns.
const HUNTS_FROM: i32 = 300;
/// Hunt: largest strength of the hunted side, in centipawns.
const HUNTED_BELOW: i32 = 1200;
/// Hunt: largest strength of the hunted side where each side has a Queen, in centipawns.
const HUNTED_IN_DUEL: i32 = 1600;
/// Hunt: bonus for each of the eight places around the King that it cannot step to, in centipawns.
const HUNT_CONFINED: i32 = 15;
/// Hunt: bonus for each step by which a piece is nearer to the King than [`HUNT_RANGE`], in centipawns.
const HUNT_NEAR: i32 = 35;
/// Hunt: distance in steps from which nearness is worth nothing.
const HUNT_RANGE: i32 = 4;
/// Hunt: penalty per level of the King above the trenches, in centipawns, because only pieces at least as high attack it.
const HUNT_LEVEL: i32 = 25;
/// Hunt: penalty for each level of a piece below the King, in centipawns.
const HUNT_BELOW: i32 = 6;
/// Share in percent of all advantages that counts against a King just left alone with a Queen among the attackers, by the
/// number of their other pieces (last entry: three or more). It exceeds the share of such Kings that are mated in time, because
/// a side that avoids capturing the last piece never wins.
const LONE_SHARE_QUEEN: [i32; 4] = [105, 125, 150, 160];
/// Addition to the share, in percentage points, for each of the eight places around the lone King that it cannot step to.
const LONE_SHARE_CONFINED: i32 = 8;
/// Share in percent of an advantage without a Queen that counts if mate is certain; else scaled by the [chance](chance::chance)
/// of mate.
const LONE_SHARE: i32 = 70;
/// Growth of an advantage in thousandths, per pawn's worth of material off the board, counted from [`ALL_PIECES`].
const EXCHANGED: i32 = 10;
/// Material at the start in pawns, approximately.
const ALL_PIECES: i32 = 70;
/// Material in pawns beyond which an advantage shrinks no further. With more, a side alone on the board would lose value by
/// another piece.
const CROWDED: i32 = 85;
/// Quiet plies after which advantages begin to fade.
const FADES_FROM: i32 = 20;
/// Quiet plies from then until an advantage would be worth nothing; the draw comes before.
const FADES_WITHIN: i32 = 200;
/// Lazy-evaluation margin in centipawns: material alone is nearly always within this of the full evaluation, outside king hunts.
const ROUGH_MARGIN: i32 = 700;
/// Largest number of quiet plies at which [`ROUGH_MARGIN`] applies.
const ROUGH_UNTIL: u16 = 80;
/// Margin in centipawns for mobility terms taken from an earlier position.
const HINT_MARGIN: i32 = 25;
/// Addition to [`HINT_MARGIN`] where a King is hunted, in centipawns.
const HINT_MARGIN_HUNT: i32 = 20;
/// Addition to [`HINT_MARGIN`] for each position evaluated since the terms were counted, in centipawns.
const HINT_MARGIN_AGE: i32 = 10;
/// Largest age that [`HINT_MARGIN_AGE`] multiplies; also used if nothing was counted before.
const HINT_OLDEST: u8 = 7;
/// Number of places assumed to be denied to a King, if nothing was counted before.
const TAKEN_MOSTLY: i32 = 3;

/// Returns the number of the eight places around a King that it cannot step to.
fn confined(attacker: &Activity) -> i32 {
    8 - attacker.safe.min(8) as i32
}

/// The values of a side's pieces without the King, as the rules give them, in centipawns.
fn material(position: &Cubes4d, pieces: Mask) -> i32 {
    PieceKind::ALL
        .into_iter()
        .filter(|&piece| piece != PieceKind::King)
        .map(|piece| worth(piece) * (position.pieces_of_kind(piece) & pieces).len() as i32)
        .sum()
}

/// What the pieces are worth to White by what they can do themselves and by what they do to the Kings.
fn active_value([white, black]: &[Activity; 2]) -> i32 {
    let side = |own: &Activity, other: &Activity| {
        MOBILITY * own.moves as i32
            + ESCAPES[(other.escapes as usize).min(8)]
            + ATTACK * own.attacks as i32
            - CONFINED * confined(other)
    };
    side(white, black) - side(black, white)
}

/// Returns the placement value of a side's pieces and the value of those outside the game.
fn side_value(position: &Cubes4d, color: Color, inner: Mask) -> i32 {
    let pieces = position.pieces_of(color);
    let [low, high] = position.height_digits();
    let mut value = HEIGHT * ((pieces & low).len() + 2 * (pieces & high).len()) as i32;
    value += INNER * (pieces & inner).len() as i32;
    if (pieces & position.pieces_of_kind(PieceKind::Pawn)).any() {
        for reserve in [Reserve::GrandPawn, Reserve::Queen] {
            if position.pool(color, reserve) > 0 {
                value += WAITING[reserve as usize];
            }
        }
    }
    value
}

/// Returns the bonus for hunting a King that has few pieces left: for its lack of escape places, for pieces near it and not
/// below it, and for its low level.
fn hunt(position: &Cubes4d, attacker: Color, confined: i32) -> i32 {
    let target_king = position.king(!attacker);
    let level = i32::from(position.height(target_king));
    let mut value = HUNT_CONFINED * confined - HUNT_LEVEL * level;
    for cell in position.pieces_of(attacker) {
        value += HUNT_NEAR * (HUNT_RANGE - target_king.distance(cell));
        value -= HUNT_BELOW * (level - i32::from(position.height(cell))).max(0);
    }
    value
}

/// Material for the side to move. An advantage counts for more the fewer pieces are left.
fn rough_value([own, other]: [i32; 2]) -> i32 {
    let ahead = own - other;
    let pawns = ((own + other) / 100).min(CROWDED);
    ahead + ahead * EXCHANGED * (ALL_PIECES - pawns) / 1000
}

/// Keeps a value far from those that mean mate: custom positions may have any amount of material.
#[inline(always)]
fn bounded(value: i32) -> i32 {
    value.clamp(-LIMIT, LIMIT)
}

/// Mobility terms of a recent position, which estimate those of the current one.
#[derive(Clone, Copy, Debug)]
pub struct ActivityHint {
    /// What it was worth to White.
    active: i32,
    /// By attacker: number of places, among those the other King could step to, that are denied to it.
    taken: [i32; 2],
    /// How many positions that were evaluated lie between; steps in check and values from the table are not among them.
    age: u8,
}

impl Default for ActivityHint {
    fn default() -> Self {
        Self {
            active: 0,
            taken: [TAKEN_MOSTLY; 2],
            age: HINT_OLDEST,
        }
    }
}

impl ActivityHint {
    fn of(activity: &[Activity; 2]) -> Self {
        let taken = |side: &Activity| side.escapes.min(8) as i32 - side.safe.min(8) as i32;
        Self {
            active: active_value(activity),
            taken: [taken(&activity[0]), taken(&activity[1])],
            age: 0,
        }
    }

    /// The hint where the next position is evaluated.
    #[inline(always)]
    fn older(self) -> Self {
        Self {
            age: (self.age + 1).min(HINT_OLDEST),
            ..self
        }
    }

    /// Returns the error bound of the estimate, in centipawns.
    #[inline(always)]
    fn margin(self, hunts: bool) -> i32 {
        HINT_MARGIN + HINT_MARGIN_HUNT * i32::from(hunts) + HINT_MARGIN_AGE * i32::from(self.age)
    }
}

impl Evaluate for Cubes4d {
    type Evaluator = NnueEvaluator<Self>;

    /// Fitted to self-play: an advantage is hard to convert in this game.
    const WIN_CURVE: WinCurve = WinCurve {
        half: 475.0,
        spread: 275.0,
    };

    /// The hand-written evaluation, corrected by the network that the game comes with.
    fn evaluate(&self) -> i32 {
        Self::shipped().map_or_else(|| self.by_hand(), |network| network.evaluate(self))
    }

    #[inline(always)]
    fn lazy_eval(&self) -> Option<(i32, i32)> {
        let pieces = self.both_material();
        self.is_full(pieces)
            .then(|| (bounded(self.faded(rough_value(pieces))), ROUGH_MARGIN))
    }
}

impl Cubes4d {
    /// The material of the side to move, and the other's.
    #[inline(always)]
    fn both_material(&self) -> [i32; 2] {
        let us = self.side_to_move();
        [us, !us].map(|color| material(self, self.pieces_of(color)))
    }

    /// Whether both sides have much material left and no counter is about to run out: only then does material decide.
    #[inline(always)]
    fn is_full(&self, pieces: [i32; 2]) -> bool {
        !self.has_little(pieces[0].min(pieces[1])) && self.quiet_plies() <= ROUGH_UNTIL
    }

    /// Returns [`Cubes4d::by_hand`] if it lies inside the window, else possibly a bound on the same side of the window:
    /// mobility is not counted if that of a recent position decides.
    #[inline(always)]
    fn by_hand_within(&self, (alpha, beta): (i32, i32), hint: &mut ActivityHint) -> LazyEval {
        let pieces = self.both_material();
        let still = self.still_value(pieces);
        let attacker = self.attacker(pieces);
        // With Queens only, mobility decides too much.
        let queens_only = attacker.is_some() && is_queens_only(self);
        if self.lone_counts() == [None; 2] && !queens_only {
            let mut value = still + self.sign(Color::White) * hint.active;
            if let Some(attacker) = attacker {
                let escapes = self.escapes(!attacker).min(8) as i32;
                let confined = 8 - escapes + hint.taken[attacker.index()].min(escapes);
                value += self.sign(attacker) * hunt(self, attacker, confined);
            }
            let value = bounded(self.faded(value) + TEMPO);
            let margin = hint.margin(attacker.is_some());
            if value - margin >= beta {
                return LazyEval::Bound(value - margin);
            }
            if value + margin <= alpha {
                return LazyEval::Bound(value + margin);
            }
        }
        let activity = self.activity();
        *hint = ActivityHint::of(&activity);
        LazyEval::Exact(self.with_activity(still, attacker, &activity))
    }

    /// The worth of the piece on a cell, 0 without one.
    #[inline(always)]
    fn worth_at(&self, cell: Cell) -> i32 {
        self.piece_at(cell).map_or(0, |(_, piece)| worth(piece))
    }

    /// Sign of a side's terms in a value for the side to move: 1 or -1.
    #[inline(always)]
    fn sign(&self, color: Color) -> i32 {
        if color == self.side_to_move() { 1 } else { -1 }
    }

    /// Hand-written terms that need no mobility.
    #[inline(always)]
    fn still_value(&self, pieces: [i32; 2]) -> i32 {
        let (us, inner) = (self.side_to_move(), self.inner_base());
        rough_value(pieces) + side_value(self, us, inner) - side_value(self, !us, inner)
    }

    /// Whether a side with such pieces has so little left that its King can be hunted.
    #[inline(always)]
    fn has_little(&self, pieces: i32) -> bool {
        pieces <= HUNTED_BELOW || pieces <= HUNTED_IN_DUEL && is_queens_only(self)
    }

    /// Returns the side that hunts the other King, being far enough ahead.
    #[inline(always)]
    fn attacker(&self, [own, other]: [i32; 2]) -> Option<Color> {
        let us = self.side_to_move();
        if own - other >= HUNTS_FROM && self.has_little(other) {
            Some(us)
        } else if other - own >= HUNTS_FROM && self.has_little(own) {
            Some(!us)
        } else {
            None
        }
    }

    /// Returns the hand-written evaluation in centipawns for the side to move. The network learnt what to add to it.
    pub fn by_hand(&self) -> i32 {
        let pieces = self.both_material();
        self.with_activity(
            self.still_value(pieces),
            self.attacker(pieces),
            &self.activity(),
        )
    }

    /// Combines the terms that need no mobility and the mobility terms.
    #[inline(always)]
    fn with_activity(
        &self,
        still: i32,
        attacker: Option<Color>,
        activities: &[Activity; 2],
    ) -> i32 {
        let us = self.side_to_move();
        let mut value = still + self.sign(Color::White) * active_value(activities);
        for color in [us, !us] {
            let lone = self.lone_count(!color);
            let activity = &activities[color.index()];
            let sign = self.sign(color);
            if attacker == Some(color) || lone.is_some() {
                value += sign * hunt(self, color, confined(activity));
            }
            if attacker == Some(color) && is_queens_only(self) {
                value += sign * queens_only_value(self, color, activities);
            }
            // A lone King is soon safe; while it has company, there is time.
            if let Some(count) = lone
                && value * sign > 0
            {
                let left = (LONE_KING_LIMIT + 2 - count) as i32;
                let attackers = self.pieces_of(color);
                let share = if attackers.meets(self.pieces_of_kind(PieceKind::Queen)) {
                    // The King and the Queen are not other pieces.
                    let others = (attackers.len() as usize).saturating_sub(2).min(3);
                    LONE_SHARE_QUEEN[others] + LONE_SHARE_CONFINED * confined(activity)
                } else {
                    LONE_SHARE * chance::chance(self, color, activity.safe) / 100
                };
                value = value * left * share / (100 * (LONE_KING_LIMIT + 2) as i32);
            }
        }
        bounded(self.faded(value) + TEMPO)
    }

    /// What is left of a value as the counter of quiet turns runs out.
    #[inline(always)]
    fn faded(&self, value: i32) -> i32 {
        let late = i32::from(self.quiet_plies()) - FADES_FROM;
        if late > 0 {
            value * (FADES_WITHIN - late).max(0) / FADES_WITHIN
        } else {
            value
        }
    }
}

/// History indices of one kind of step: its target cell.
const CELLS: usize = 256;

impl Tactics for Cubes4d {
    const SEARCH_PARAMETERS: &'static [&'static SearchValues] = &[
        BY_WHOLE_DEPTH,
        // Most values come from matches: pruning that is sound in chess loses games here.
        &[
            ("table_clock", 170),
            ("probcut_depth", 5),
            ("late_base", 4),
            ("exchange_noisy", 260),
            ("pruning_pv", 1),
            ("pruning_reduced", 100),
            ("reverse_futility_margin", 120),
            ("null_depth", 2),
            ("history_depth", 3),
            ("quiescence_delta", 350),
            ("correction_pawns", 24),
            ("razor_depth", 2),
            ("reduction_history", 6500),
            ("reduction_first", 3),
            ("singular_depth", 9),
            ("aspiration_delta", 16),
        ],
    ];

    /// Seven kinds of pieces, eight directions of cubes, and one kind for the rest, each with the target cell.
    const HISTORY_SIZE: usize = (7 + 8 + 1) * CELLS;

    #[inline]
    fn history_index(&self, step: Step) -> usize {
        let kind = match step.action {
            Action::Cube => 7 + step.cube_direction(),
            Action::Castle | Action::Choose => 15,
            _ => self
                .piece_at(step.from)
                .map_or(15, |(_, piece)| piece.code() - 1),
        };
        kind * CELLS + step.to.index()
    }

    #[inline]
    fn is_noisy(&self, step: Step) -> bool {
        step.is_capture()
    }

    fn gain(&self, step: Step) -> i32 {
        let taken = if step.is_capture() {
            self.worth_at(step.to)
        } else {
            0
        };
        taken
            + match step.action {
                Action::PromoteQueen => worth(PieceKind::Queen) - worth(PieceKind::Pawn),
                Action::PromoteGrandPawn => worth(PieceKind::GrandPawn) - worth(PieceKind::Pawn),
                _ => 0,
            }
    }

    fn generate_noisy(&self, steps: &mut StepList<Step>) {
        self.captures(steps);
    }

    #[inline]
    fn captured(&self, step: Step) -> usize {
        self.piece_at(step.to).map_or(0, |(_, piece)| piece.code())
    }

    /// By static exchange; cubes and castling lose nothing.
    fn wins_exchange(&self, step: Step, threshold: i32) -> bool {
        if !step.is_capture() && step.action != Action::Quiet {
            return true;
        }
        let [mover, taken] = [step.from, step.to].map(|cell| self.worth_at(cell));
        // A King only moves to places that are not attacked; and any other piece can lose no more than its own value.
        if mover == worth(PieceKind::King) || taken - mover >= threshold {
            return true;
        }
        self.gain(step) >= threshold && self.exchange(step) >= threshold
    }

    fn allows_null_move(&self) -> bool {
        self.lone_count(self.side_to_move()).is_none()
    }
}

capabilities!(Cubes4d: StagedLegality, TableMoves, CheckDetection, EndgameTables, MateSearch, PairHistory, CorrectionHistory);

impl StagedLegality for Cubes4d {
    const PSEUDO_LEGAL: bool = true;
    type LegalityCheck = CubeLegality;

    fn generate_pseudo_legal(&self, steps: &mut StepList<Step>) {
        self.pseudo_legal_steps(steps);
    }

    #[inline]
    fn is_legal(&self, check: &mut CubeLegality, step: Step) -> bool {
        step.action != Action::Cube || check.allows(self, step)
    }
}

impl TableMoves for Cubes4d {
    /// Encodes the two cells of a step. The position determines whether a piece or a cube moves and whether it captures. A Pawn
    /// that becomes a Grand Pawn has no code (promotion to a Queen has the same cells), nor has the prologue's choice, which
    /// has one cell.
    #[inline(always)]
    fn to_tt_move(step: Step) -> Option<u16> {
        let has_code = !matches!(step.action, Action::PromoteGrandPawn | Action::Choose);
        has_code.then(|| (step.from.index() << 8 | step.to.index()) as u16)
    }

    #[inline(always)]
    fn resolve_tt_move(&self, tt_move: u16) -> Option<Step> {
        let [from, to] = tt_move.to_be_bytes().map(Cell::from_index);
        self.plain_step(from?, to?)
    }
}

impl CheckDetection for Cubes4d {
    type Checks = TargetKing;

    #[inline]
    fn checks(&self) -> TargetKing {
        self.target_king()
    }

    /// Does not detect consecutive actions, discovered checks and checks by cubes. Quiescence tries no checks here, since every
    /// cube move could answer them.
    #[inline]
    fn gives_check(&self, checks: &TargetKing, step: Step) -> bool {
        step.action == Action::Quiet
            && self
                .piece_at(step.from)
                .is_some_and(|(_, piece)| checks.is_attacked_by(piece, step.to))
    }
}

impl EndgameTables for Cubes4d {
    const KNOWS_ENDGAMES: bool = true;
    type Endgames = LoneKings;

    fn prepare(&self, endgames: &mut LoneKings, keep_going: &mut dyn FnMut() -> bool) {
        endgames.prepare(self, keep_going);
    }

    #[inline(always)]
    fn probe_endgame(&self, options: &Options, endgames: &mut LoneKings) -> Option<EndgameResult> {
        endgames.probe_endgame(self, *options)
    }
}

impl MateSearch for Cubes4d {
    const NODES_PER_MATE_POSITION: Option<u64> = Some(100);
}

impl PairHistory for Cubes4d {
    /// Step kind and target cell, with file and rank modulo 8: the base rarely spans more than eight files or ranks.
    const PAIR_HISTORY_SIZE: usize = (7 + 8 + 1) * 64;

    #[inline(always)]
    fn pair_history_index(history_index: usize) -> usize {
        let (kind, rank, file) = (
            history_index >> 8,
            history_index >> 4 & 7,
            history_index & 7,
        );
        kind << 6 | rank << 3 | file
    }
}

impl CorrectionHistory for Cubes4d {
    const HAS_CORRECTION_KEYS: bool = true;

    /// First the number of pieces of each kind of both sides, pools included; then each side's pieces by cell. The relief is left out
    /// because the error is similar on similar reliefs.
    #[inline]
    fn correction_keys(&self) -> [u64; CORRECTION_KEYS] {
        let mut material = CorrectionHash::default();
        let mut placed = [CorrectionHash::default(); 2];
        for color in Color::ALL {
            let own = self.pieces_of(color);
            let number = |n: usize| (9 * color.index() + n) as u32;
            for (n, piece) in PieceKind::ALL.into_iter().enumerate() {
                let count = (self.pieces_of_kind(piece) & own).len();
                material.add(number(n), u64::from(count));
            }
            for reserve in [Reserve::GrandPawn, Reserve::Queen] {
                let count = self.pool(color, reserve);
                material.add(number(7 + reserve as usize), u64::from(count));
            }
            let digits = self.piece_digits().map(|digit| (digit & own).words());
            for (n, &word) in digits.as_flattened().iter().enumerate() {
                placed[color.index()].add(n as u32, word);
            }
        }
        [material.mixed(), placed[0].mixed(), placed[1].mixed()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Notation;

    /// Custom positions in which White has many times the material of a start position: 55 Knights and a Queen against a Pawn, and 27
    /// Queens and nine other pieces against fifteen. The second one needs the option `Free Material`.
    const CROWDED_BOARDS: [&str; 2] = [
        "d12:10101k0101p/01N01N0N1N01N0N/1N0N1N0101N0N1N/0N1N0N1N0N1N0N1N0N/1N0N1N0N1N0N1N0N1N/0N1N0N1N0N1N0N1N0N/1N0N1N0N1N0N1N0N1N/0N1N0N1K0N1N0N1N0Q",
        "d12:10b1n0k1n0n1r01r/0b1b01n0n1010/1r010r1b01b01b/0B1N0N1B0P1B0B1B0B/1Q0Q10Q1Q0Q1Q0Q1Q/01Q0Q1Q0Q10Q1Q0Q/1Q01Q01Q01Q01Q/0Q1Q0Q1Q0Q1Q0K10Q",
    ];

    #[test]
    fn crowded_boards_have_values_of_the_right_sign_within_the_limit() {
        let options = Options {
            free_material: true,
            ..Options::default()
        };
        for board in CROWDED_BOARDS {
            let fen = format!("{board} b - - - - 1");
            let parsed = Cubes4d::from_fen(&fen, &options).expect("a legal position");
            let at = parsed.position;
            let lazy = at.lazy_eval().map(|(value, _)| value);
            for value in [at.evaluate(), at.by_hand()].into_iter().chain(lazy) {
                assert!((-LIMIT..-1000).contains(&value), "{value}");
            }
            let hint = &mut ActivityHint::default();
            for beta in [-LIMIT, 0, 31_000] {
                let value = at.by_hand_within((beta - 1, beta), hint).value();
                assert!((-LIMIT..0).contains(&value), "{value}");
            }
        }
    }

    #[test]
    fn another_pawn_never_lowers_the_value_of_material() {
        for (own, other) in (0..700).flat_map(|own| [0, 20, 85, 200].map(|other| (own, other))) {
            let with = |own: i32| rough_value([100 * own, 100 * other]);
            assert!(with(own + 1) >= with(own), "{own} {other}");
        }
    }
}
