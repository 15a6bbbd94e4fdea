use super::{Action, Fate, Options, Pool, Step};
use crate::core::zobrist::keys;
use crate::core::{Bitboard, Color, Kind, Square, StepList};
use crate::rules::{
    Board, CastlingRights, Chance, DrawReason, Draws, RecomputeKey, Roll, Rules, WinReason,
};
use std::sync::LazyLock;

static PIECE_KEYS: [u64; 2 * 6 * 64] = keys(0xd1ce_0001);
static CASTLING_KEYS: [u64; 16] = keys(0xd1ce_0002);
static TARGET_KEYS: [u64; 64] = keys(0xd1ce_0003);
static POOL_KEYS: [u64; Pool::COUNT] = keys(0xd1ce_0004);
/// Side, duty to take the king, castling through check.
static FLAG_KEYS: [u64; 3] = keys(0xd1ce_0005);

#[inline(always)]
pub(super) fn piece_key(color: Color, kind: Kind, square: Square) -> u64 {
    PIECE_KEYS[(color.index() * 6 + kind.index().min(5)) * 64 + square.index()]
}

#[inline(always)]
pub(super) fn castling_key(rights: CastlingRights) -> u64 {
    CASTLING_KEYS[rights.index()]
}

/// The xor of the keys of e.p. targets.
#[inline(always)]
pub(super) fn targets_key(targets: Bitboard) -> u64 {
    targets
        .into_iter()
        .fold(0, |key, square| key ^ TARGET_KEYS[square.index()])
}

/// Returns the key of a pool, to deduplicate positions for each multiset of dice.
#[inline(always)]
pub(super) fn pool_key(pool: Pool) -> u64 {
    POOL_KEYS[pool.index()]
}

/// A position of DiceChess, at any moment of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiceChess {
    pub(super) board: Board<6>,
    /// The squares passed by pawns that may still be taken en passant: on the mover's sixth rank those that the
    /// side to move may take now, on its third rank those of its own double steps in this turn.
    pub(super) targets: Bitboard,
    /// The part of the key that moves change: pieces, castling rights, targets.
    pub(super) pieces_key: u64,
    pub(super) turn_number: u32,
    pub(super) clock: u16,
    pub(super) castling: CastlingRights,
    pub(super) side: Color,
    pub(super) pool: Pool,
    /// Only lines that take the king are left.
    pub(super) must_capture: bool,
    pub(super) castle_through_check: bool,
}

/// The ranks of the squares that pawns of this colour pass.
pub(super) const fn passed_rank(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard::rank(2),
        Color::Black => Bitboard::rank(5),
    }
}

impl DiceChess {
    /// A position from its parts, which the caller has checked: one king a side at most, castling rights with king and
    /// rook at home, targets with their pawn and an empty square.
    pub(crate) fn from_parts(
        board: Board<6>,
        side: Color,
        castling: CastlingRights,
        targets: Bitboard,
        options: Options,
    ) -> Self {
        let mut position = Self {
            board,
            targets,
            pieces_key: 0,
            turn_number: 1,
            clock: 0,
            castling,
            side,
            pool: Pool::UNROLLED,
            must_capture: false,
            castle_through_check: options.castle_through_check,
        };
        position.pieces_key = position.recomputed_pieces_key();
        position
    }

    /// The same position with the colours exchanged and the board upside down.
    pub(crate) fn flipped_over(&self) -> Self {
        let mut flipped = Self {
            board: self.board.flipped(),
            targets: self.targets.flip_ranks(),
            castling: self.castling.flipped(),
            side: !self.side,
            ..*self
        };
        flipped.pieces_key = flipped.recomputed_pieces_key();
        flipped
    }

    /// The pieces.
    pub const fn board(&self) -> &Board<6> {
        &self.board
    }

    /// The dice still to be played.
    pub const fn pool(&self) -> Pool {
        self.pool
    }

    /// Whether only lines that take the king are left in this turn.
    pub const fn must_capture(&self) -> bool {
        self.must_capture
    }

    /// The castling rights.
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Whether attacked squares do not hinder castling, by the option `Castle Through Check`.
    #[inline]
    pub const fn castles_through_check(&self) -> bool {
        self.castle_through_check
    }

    /// The squares passed by pawns that may still be taken en passant, of both sides.
    pub const fn targets(&self) -> Bitboard {
        self.targets
    }

    /// Turns of either side without a capture or pawn move.
    pub const fn clock(&self) -> u16 {
        self.clock
    }

    /// The number of the full turn, from 1.
    pub const fn turn_number(&self) -> u32 {
        self.turn_number
    }

    /// A key of pieces, castling rights and targets alone.
    #[inline(always)]
    pub(crate) const fn pieces_key(&self) -> u64 {
        self.pieces_key
    }

    /// The kinds whose dice the side to move may be able to use in this turn, bit `i` for [`Kind::CHESS`]`[i]`: those that it
    /// has, and those that its pawns can become and still move.
    #[inline]
    pub(crate) fn kinds_in_play(&self) -> u8 {
        let own = self.board.color(self.side);
        let near = match self.side {
            Color::White => Bitboard::rank(5) | Bitboard::rank(6),
            Color::Black => Bitboard::rank(2) | Bitboard::rank(1),
        };
        if (own & self.board.kind(Kind::Pawn) & near).any() {
            return 63;
        }
        Kind::CHESS
            .into_iter()
            .filter(|&kind| (own & self.board.kind(kind)).any())
            .fold(0, |kinds, kind| kinds | 1 << kind.index())
    }

    fn recomputed_pieces_key(&self) -> u64 {
        let mut key = castling_key(self.castling) ^ targets_key(self.targets);
        for square in self.board.occupied() {
            if let Some((color, kind)) = self.board.piece_at(square) {
                key ^= piece_key(color, kind, square);
            }
        }
        key
    }

    fn state_key(&self) -> u64 {
        let mut key = pool_key(self.pool);
        for (flag, flag_key) in [
            (self.side == Color::Black, FLAG_KEYS[0]),
            (self.must_capture, FLAG_KEYS[1]),
            (self.castle_through_check, FLAG_KEYS[2]),
        ] {
            if flag {
                key ^= flag_key;
            }
        }
        key
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, kind: Kind, square: Square) {
        self.board.toggle(color, kind, square);
        self.pieces_key ^= piece_key(color, kind, square);
    }

    #[inline(always)]
    fn drop_targets(&mut self, set: Bitboard) {
        let gone = self.targets & set;
        if gone.any() {
            self.pieces_key ^= targets_key(gone);
            self.targets ^= gone;
        }
    }

    #[inline(always)]
    fn touch_castling(&mut self, square: Square) {
        let rights = self.castling.touched(square);
        if rights != self.castling {
            self.pieces_key ^= castling_key(self.castling) ^ castling_key(rights);
            self.castling = rights;
        }
    }

    /// Whether a step captures the king.
    #[inline(always)]
    pub(super) fn takes_king(&self, step: Step) -> bool {
        !step.is_pass() && self.board.pieces(!self.side, Kind::King).has(step.to)
    }

    /// Whether a step captures something or moves a pawn.
    #[inline(always)]
    pub(super) fn is_progress(&self, step: Step) -> bool {
        step.action.mover() == Some(Kind::Pawn)
            || self.board.color(!self.side).has(step.to) && !step.is_pass()
    }

    /// Moves the pieces (and keeps castling rights, targets and their key), but leaves the turn as it is.
    #[inline]
    pub(crate) fn apply(&mut self, step: Step) {
        let Some(mover) = step.action.mover() else {
            return;
        };
        let (us, them) = (self.side, !self.side);
        let (from, to) = (step.from, step.to);
        if self.board.color(them).has(to)
            && let Some(victim) = self.board.kind_at(to)
        {
            self.toggle(them, victim, to);
        }
        self.toggle(us, mover, from);
        self.toggle(us, step.action.promotion().unwrap_or(mover), to);
        // A passed square and its pawn's square differ in one bit of the rank. A right ends when the passed square
        // is entered, and when the pawn moves or is taken.
        let beside = |square: Square| Bitboard::of(Square::from_index(square.index() as u8 ^ 8));
        self.drop_targets(Bitboard::of(to) | beside(to) | beside(from));
        match step.action {
            Action::DoublePush => {
                let passed = beside(to);
                self.pieces_key ^= targets_key(passed);
                self.targets |= passed;
            }
            Action::EnPassant => {
                self.toggle(them, Kind::Pawn, beside(to).first());
            }
            Action::CastleShort | Action::CastleLong => {
                if let Some(castling_side) = step.action.castling() {
                    self.toggle(us, Kind::Rook, castling_side.rook_home(us));
                    self.toggle(us, Kind::Rook, castling_side.rook_target(us));
                }
            }
            _ => {}
        }
        self.touch_castling(from);
        self.touch_castling(to);
    }

    /// Ends the turn without a move.
    pub(crate) fn skip_turn(&mut self) {
        self.clock = self.clock.saturating_add(1);
        self.end_turn();
    }

    /// Ends the turn: the other side awaits its roll.
    #[inline]
    pub(super) fn end_turn(&mut self) {
        self.drop_targets(passed_rank(!self.side));
        self.turn_number = self.turn_number.saturating_add(self.side as u32);
        self.side = !self.side;
        self.pool = Pool::UNROLLED;
        self.must_capture = false;
    }
}

static ROLLS: LazyLock<Vec<(Roll, u32)>> = LazyLock::new(|| {
    (0..56)
        .filter_map(|n| Pool::nth_roll(n).roll())
        .map(|roll| (roll, roll.weight()))
        .collect()
});

impl Rules for DiceChess {
    type Step = Step;
    type Options = Options;

    const MAX_STEPS: usize = 3;

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.side
    }

    #[inline(always)]
    fn is_mid_turn(&self) -> bool {
        matches!(self.pool.len(), 1 | 2)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.pieces_key ^ self.state_key()
    }

    fn generate(&self, steps: &mut StepList<Step>) {
        self.generate_legal(steps);
    }

    fn play(&mut self, step: Step) {
        if step.is_pass() {
            if !self.is_mid_turn() {
                self.clock = self.clock.saturating_add(1);
            }
            self.end_turn();
            return;
        }
        if self.is_progress(step) {
            self.clock = 0;
        } else if !self.is_mid_turn() {
            self.clock = self.clock.saturating_add(1);
        }
        let left = match step.action.castling() {
            Some(_) => self.pool.without_castling(),
            None => step
                .action
                .mover()
                .and_then(|mover| self.pool.without(mover)),
        };
        self.apply(step);
        match step.fate {
            Fate::TurnEnds => self.end_turn(),
            fate => {
                self.pool = left.unwrap_or(Pool::EMPTY);
                self.must_capture = fate == Fate::MustCapture;
            }
        }
    }

    fn count_turns(&self) -> u64 {
        self.count_ordered_turns()
    }

    #[inline]
    fn winner(&self) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.board.pieces(!color, Kind::King).is_empty())
    }

    fn win_reason(&self) -> WinReason {
        WinReason::of("wins by taking the king")
    }
}

impl Draws for DiceChess {
    fn clock_draw(&self, options: &Options) -> Option<DrawReason> {
        (self.clock_turns(options) >= Self::CLOCK_LIMIT && !self.is_mid_turn())
            .then_some(DrawReason::Clock)
    }

    const CLOCK_LIMIT: usize = 100;

    fn clock_turns(&self, options: &Options) -> usize {
        if options.clock_draw {
            usize::from(self.clock)
        } else {
            0
        }
    }
}

impl Chance for DiceChess {
    const HAS_CHANCE: bool = true;

    #[inline]
    fn awaits_roll(&self) -> bool {
        self.pool == Pool::UNROLLED && self.winner().is_none()
    }

    fn rolls() -> &'static [(Roll, u32)] {
        &ROLLS
    }

    fn set_roll(&mut self, roll: Roll) {
        if !self.is_mid_turn() && self.winner().is_none() {
            self.pool = Pool::of_roll(roll);
        }
    }

    fn whole_roll(&self) -> Option<Roll> {
        self.pool.roll()
    }
}

impl RecomputeKey for DiceChess {
    fn recomputed_key(&self) -> u64 {
        self.recomputed_pieces_key() ^ self.state_key()
    }
}
