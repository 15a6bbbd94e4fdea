//! Evaluation and tactics of Superchess.

use super::network::{HasNetwork, NnueEvaluator};
use super::orthodox::CheckMasks;
use super::{
    CORRECTION_KEYS, CheckDetection, CorrectionHistory, Evaluate, Prologue, Quiescence, QuietSteps,
    Reversals, SearchValues, TableMoves, Tactics, ThreatHistory, capabilities, orthodox,
};
use crate::core::{Bitboard, Move, StepList};
use crate::rules::Rules;
use crate::rules::orthodox::BLACK_TO_MOVE;
use crate::rules::superchess::{Action, Step, Superchess};

impl Evaluate for Superchess {
    type Evaluator = NnueEvaluator<Self>;

    /// By the network that the game comes with.
    fn evaluate(&self) -> i32 {
        Self::shipped().map_or(0, |network| network.evaluate(self))
    }
}

/// A parameter that gains 17 ± 17 Elo in Superchess, in 1,000 games at 20,000 nodes, and nothing in chess (lab book, 30 November 2026).
const PRUNING: &SearchValues = &[("pruned_bounds", 1)];

impl Tactics for Superchess {
    const SEARCH_PARAMETERS: &'static [&'static SearchValues] = &[orthodox::TUNED, PRUNING];

    const QUIESCENCE: Quiescence = Quiescence {
        evasions: true,
        checks: true,
        table: false,
    };

    const HISTORY_SIZE: usize = 10 * 64;

    /// Placements share the numbers of the superpieces' moves.
    #[inline]
    fn history_index(&self, step: Step) -> usize {
        match step.action() {
            Action::Move(step) => orthodox::history_index(self.orthodox(), step),
            Action::Place(placement) => placement.kind.index() * 64 + placement.square.index(),
        }
    }

    #[inline]
    fn is_noisy(&self, step: Step) -> bool {
        step.as_move()
            .is_some_and(|step| orthodox::is_noisy(self.orthodox(), step))
    }

    #[inline]
    fn gain(&self, step: Step) -> i32 {
        step.as_move()
            .map_or(0, |step| orthodox::gain(self.orthodox(), step))
    }

    fn generate_noisy(&self, steps: &mut StepList<Step>) {
        Self::generate_noisy(self, steps);
    }

    #[inline]
    fn captured(&self, step: Step) -> usize {
        step.as_move()
            .map_or(0, |step| orthodox::captured(self.orthodox(), step))
    }

    fn wins_exchange(&self, step: Step, threshold: i32) -> bool {
        step.as_move()
            .is_none_or(|step: Move| orthodox::wins_exchange(self.orthodox(), step, threshold))
    }

    fn allows_null_move(&self) -> bool {
        orthodox::has_pieces(self.orthodox())
    }
}

capabilities!(Superchess: QuietSteps, TableMoves, Reversals, CheckDetection, Prologue, ThreatHistory, CorrectionHistory);

impl QuietSteps for Superchess {
    const QUIET_APART: bool = true;

    #[inline]
    fn generate_quiet(&self, steps: &mut StepList<Step>) {
        if self.prologue().is_some() {
            Rules::generate(self, steps);
        } else {
            self.orthodox().generate_quiet(|_, targets| targets, steps);
        }
    }
}

impl TableMoves for Superchess {
    #[inline(always)]
    fn to_tt_move(step: Step) -> Option<u16> {
        step.as_move().map(Move::bits)
    }

    #[inline]
    fn resolve_tt_move(&self, tt_move: u16) -> Option<Step> {
        let step = Move::from_bits(tt_move);
        (self.prologue().is_none() && self.orthodox().is_plainly_legal(step)).then(|| step.into())
    }

    #[inline(always)]
    fn predicted_key(&self, step: Step) -> Option<u64> {
        step.as_move().map(|step| self.predicted_key(step))
    }
}

impl Reversals for Superchess {
    const SIDE_KEY: u64 = BLACK_TO_MOVE;

    #[inline]
    fn reaches(&self, change: u64) -> bool {
        self.orthodox().reaches(change)
    }
}

impl CheckDetection for Superchess {
    type Checks = CheckMasks;

    #[inline]
    fn checks(&self) -> CheckMasks {
        CheckMasks::new(self.orthodox())
    }

    #[inline(always)]
    fn gives_check(&self, checks: &CheckMasks, step: Step) -> bool {
        step.as_move()
            .is_some_and(|step| checks.are_given_by(self.orthodox(), step))
    }

    fn generate_quiet_checks(&self, checks: &CheckMasks, steps: &mut StepList<Step>) {
        // Placements never give check.
        if self.prologue().is_none() {
            checks.generate_quiet(self.orthodox(), steps);
        }
    }
}

impl Prologue for Superchess {
    #[inline(always)]
    fn in_prologue(&self) -> bool {
        self.prologue().is_some()
    }
}

impl ThreatHistory for Superchess {
    const THREAT_INDICES: usize = 4;

    #[inline]
    fn threats(&self) -> Bitboard {
        orthodox::threats(self.orthodox())
    }

    #[inline]
    fn threat_index(&self, threats: Bitboard, step: Step) -> usize {
        step.as_move()
            .map_or(0, |step| orthodox::threat_index(threats, step))
    }
}

impl CorrectionHistory for Superchess {
    const HAS_CORRECTION_KEYS: bool = true;

    #[inline]
    fn correction_keys(&self) -> [u64; CORRECTION_KEYS] {
        orthodox::correction_keys(self.orthodox())
    }
}
