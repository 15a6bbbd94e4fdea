//! Evaluation and tactics of Orthodox chess.

use super::network::{HasNetwork, NnueEvaluator};
use super::orthodox::CheckMasks;
use super::{
    CORRECTION_KEYS, CheckDetection, CorrectionHistory, Evaluate, Quiescence, QuietSteps,
    Reversals, SearchValues, TableMoves, Tactics, ThreatHistory, capabilities, orthodox,
};
use crate::core::{Bitboard, Move, StepList};
use crate::rules::chess::Chess;
use crate::rules::orthodox::BLACK_TO_MOVE;

impl Evaluate for Chess {
    type Evaluator = NnueEvaluator<Self>;

    /// By the network that the game comes with.
    fn evaluate(&self) -> i32 {
        Self::shipped().map_or(0, |network| network.evaluate(self))
    }
}

/// Parameters that let the search see sacrifices that give check with fewer nodes: Win at Chess 245 to 263 of 300 with 100,000 nodes,
/// games -1 ± 15 Elo at equal nodes and +22 ± 27 at equal time (lab book, 28 November 2026). The first three gain nothing in
/// Superchess; the others were not tried there.
const SACRIFICES: &SearchValues = &[
    ("exchange_check", 100),
    ("exchange_noisy_check", 300),
    ("quiescence_check", 1),
    ("check_extension_span", 0),
    ("reduction_hindsight", 200),
];

impl Tactics for Chess {
    const SEARCH_PARAMETERS: &'static [&'static SearchValues] = &[orthodox::TUNED, SACRIFICES];

    const QUIESCENCE: Quiescence = Quiescence {
        evasions: true,
        checks: true,
        table: false,
    };

    const HISTORY_SIZE: usize = 6 * 64;

    #[inline]
    fn history_index(&self, step: Move) -> usize {
        orthodox::history_index(self.orthodox(), step)
    }

    #[inline]
    fn is_noisy(&self, step: Move) -> bool {
        orthodox::is_noisy(self.orthodox(), step)
    }

    #[inline]
    fn gain(&self, step: Move) -> i32 {
        orthodox::gain(self.orthodox(), step)
    }

    fn generate_noisy(&self, steps: &mut StepList<Move>) {
        Self::generate_noisy(self, steps);
    }

    #[inline]
    fn captured(&self, step: Move) -> usize {
        orthodox::captured(self.orthodox(), step)
    }

    fn wins_exchange(&self, step: Move, threshold: i32) -> bool {
        orthodox::wins_exchange(self.orthodox(), step, threshold)
    }

    fn allows_null_move(&self) -> bool {
        orthodox::has_pieces(self.orthodox())
    }
}

capabilities!(Chess: QuietSteps, TableMoves, Reversals, CheckDetection, ThreatHistory, CorrectionHistory);

impl QuietSteps for Chess {
    const QUIET_APART: bool = true;

    #[inline]
    fn generate_quiet(&self, steps: &mut StepList<Move>) {
        self.orthodox().generate_quiet(|_, targets| targets, steps);
    }
}

impl TableMoves for Chess {
    #[inline(always)]
    fn to_tt_move(step: Move) -> Option<u16> {
        Some(step.bits())
    }

    #[inline]
    fn resolve_tt_move(&self, tt_move: u16) -> Option<Move> {
        let step = Move::from_bits(tt_move);
        self.orthodox().is_plainly_legal(step).then_some(step)
    }

    #[inline(always)]
    fn predicted_key(&self, step: Move) -> Option<u64> {
        Some(self.orthodox().predicted_key(step).0)
    }
}

impl Reversals for Chess {
    const SIDE_KEY: u64 = BLACK_TO_MOVE;

    #[inline]
    fn reaches(&self, change: u64) -> bool {
        self.orthodox().reaches(change)
    }
}

impl CheckDetection for Chess {
    type Checks = CheckMasks;

    #[inline]
    fn checks(&self) -> CheckMasks {
        CheckMasks::new(self.orthodox())
    }

    #[inline(always)]
    fn gives_check(&self, checks: &CheckMasks, step: Move) -> bool {
        checks.are_given_by(self.orthodox(), step)
    }

    fn generate_quiet_checks(&self, checks: &CheckMasks, steps: &mut StepList<Move>) {
        checks.generate_quiet(self.orthodox(), steps);
    }
}

impl ThreatHistory for Chess {
    const THREAT_INDICES: usize = 4;

    #[inline]
    fn threats(&self) -> Bitboard {
        orthodox::threats(self.orthodox())
    }

    #[inline]
    fn threat_index(&self, threats: Bitboard, step: Move) -> usize {
        orthodox::threat_index(threats, step)
    }
}

impl CorrectionHistory for Chess {
    const HAS_CORRECTION_KEYS: bool = true;

    #[inline]
    fn correction_keys(&self) -> [u64; CORRECTION_KEYS] {
        orthodox::correction_keys(self.orthodox())
    }
}
