//! Evaluation and tactics of two-move chess.

pub mod endgames;
mod threats;

pub use threats::threatened;

use super::network::{HasNetwork, NnueEvaluator};
use super::{
    BY_WHOLE_DEPTH, EndgameResult, EndgameTables, Evaluate, MateSearch, Quiescence, SearchValues,
    SleepSets, Tactics, capabilities,
};
use crate::core::{Bitboard, Kind, Move, StepList, attacks};
use crate::rules::Rules;
use crate::rules::twomove::TwoMove;

/// Value of capturing a piece of each kind in centipawns, by [`Kind::index`]: the average effect, not the price of the piece.
const MATERIAL: [i32; 6] = [130, 480, 420, 740, 870, 0];

impl Evaluate for TwoMove {
    type Evaluator = NnueEvaluator<Self>;

    /// By the network that the game comes with.
    fn evaluate(&self) -> i32 {
        Self::shipped().map_or(0, |network| network.evaluate(self))
    }
}

impl TwoMove {
    fn takes_en_passant(&self, step: Move) -> bool {
        step.from().file() != step.to().file()
            && self.en_passant_targets().has(step.to())
            && self.board().kind(Kind::Pawn).has(step.from())
    }
}

impl Tactics for TwoMove {
    // A turn changes more than in chess, and there are ten times as many: late move pruning is cautious with first steps and strict with
    // second ones. Checks are frequent, since a side is in check whenever its king could be captured within a turn, so they are not extended.
    const SEARCH_PARAMETERS: &'static [&'static SearchValues] = &[
        BY_WHOLE_DEPTH,
        &[
            ("check_extension_span", 0),
            ("check_static", 1),
            ("reverse_futility_check", 200),
            ("late_base", 10),
            ("late_second", 4),
            ("late_second_slope", 3),
            ("futility_second", 60),
            ("aspiration_depth", 2),
            ("aspiration_delta", 60),
        ],
    ];

    const QUIESCENCE: Quiescence = Quiescence {
        evasions: false,
        checks: false,
        table: true,
    };

    const HISTORY_SIZE: usize = 6 * 64;

    fn history_index(&self, step: Move) -> usize {
        let kind = self.board().kind_at(step.from()).map_or(0, Kind::index);
        kind * 64 + step.to().index()
    }

    fn is_noisy(&self, step: Move) -> bool {
        self.board().occupied().has(step.to())
            || step.promotion().is_some()
            || self.takes_en_passant(step)
    }

    fn gain(&self, step: Move) -> i32 {
        let taken = match self.board().kind_at(step.to()) {
            Some(kind) => MATERIAL[kind.index()],
            None if self.takes_en_passant(step) => MATERIAL[Kind::Pawn.index()],
            None => 0,
        };
        let promoted = step
            .promotion()
            .map_or(0, |kind| MATERIAL[kind.index()] - MATERIAL[0]);
        let mover = self
            .board()
            .kind_at(step.from())
            .map_or(0, |kind| kind.index() as i32);
        // The same side may take again.
        let second = if self.moves_left() == 2 {
            MATERIAL[Kind::Knight.index()]
        } else {
            0
        };
        taken + promoted + second - mover
    }

    fn allows_null_move(&self) -> bool {
        let own = self.board().color(self.side_to_move());
        let pieces = own - self.board().kind(Kind::Pawn) - self.board().kind(Kind::King);
        pieces.any()
    }
}

capabilities!(TwoMove: EndgameTables, MateSearch, SleepSets);

impl EndgameTables for TwoMove {
    const KNOWS_ENDGAMES: bool = true;
    type Endgames = ();

    fn probe_endgame(&self, options: &Self::Options, (): &mut ()) -> Option<EndgameResult> {
        let known = endgames::probe_endgame(self)?;
        // The draw by quiet turns must be further away than the mate.
        let turns = match known {
            EndgameResult::Draw => 0,
            EndgameResult::Win(turns) | EndgameResult::Loss(turns) => turns,
        };
        let far = u32::from(self.quiet_turns()) + turns < 100;
        (known == EndgameResult::Draw || far || !options.clock_draw).then_some(known)
    }
}

impl MateSearch for TwoMove {
    const NODES_PER_MATE_POSITION: Option<u64> = Some(2_000);
    const ROOT_MATE_CHECK: bool = true;
}

impl SleepSets for TwoMove {
    const COMMUTES: bool = true;

    /// Castling, captures en passant and promotions are left aside: they do more than to go from a square to another.
    fn may_commute(&self, step: Move) -> bool {
        let castles = self.board().kind(Kind::King).has(step.from())
            && step.from().file().abs_diff(step.to().file()) == 2;
        !castles && step.promotion().is_none() && !self.takes_en_passant(step)
    }

    /// Two steps of different pieces, both possible at the beginning of the turn, commute unless the second one, if it came first, would
    /// end on a square that the first one passes. Nothing else can be in the way: the second step was possible at the beginning,
    /// so that it does not pass the square that the first one leaves, and it is possible after the first one, so that it neither passes nor
    /// reaches the square where that one ends.
    fn drop_commuting(&self, first: Move, others: &[Move], steps: &mut StepList<Move>) {
        let way = attacks::between(first.from(), first.to());
        let mut targets = [Bitboard::EMPTY; 64];
        for other in others {
            if other.from() != first.from() {
                targets[other.from().index()] |= Bitboard::of(other.to()) - way;
            }
        }
        steps.retain(|step| {
            step.promotion().is_some() || !targets[step.from().index()].has(step.to())
        });
    }
}
