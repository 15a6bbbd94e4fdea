//! What alpha-beta needs to know of every game beyond its rules and its static value.

use crate::core::StepList;
use crate::rules::Rules;

/// Search parameters and their values, by name.
pub type SearchValues = [(&'static str, i32)];

/// Pruning by nominal instead of reduced depth and only outside the principal variation, with razoring: what two-move chess needs,
/// and a beginning for games in which nothing has been tested.
pub const BY_WHOLE_DEPTH: &SearchValues = &[
    ("pruning_reduced", 0),
    ("pruning_pv", 0),
    ("futility_depth", 5),
    ("futility_slope", 90),
    ("exchange_quiet", 20),
    ("razor_depth", 3),
];

/// What quiescence does besides noisy steps.
#[derive(Clone, Copy, Debug)]
pub struct Quiescence {
    /// Try every reply to a check. If not (checks are common, or replies many), the side in check stands pat too.
    pub evasions: bool,
    /// Try quiet checks at the first ply, in games with [`CheckDetection`](super::CheckDetection).
    pub checks: bool,
    /// Probe the table at every ply, not only at the first. Where nodes are cheap, waiting for memory costs more than the probe
    /// saves.
    pub table: bool,
}

/// Tactical properties of a game and dense numbers of its steps. What only some games have is listed in
/// [`capabilities`](mod@super::capabilities).
pub trait Tactics: Rules {
    /// Search parameters that differ from the defaults in `search::parameters`. If two lists set the same one, the later list
    /// wins.
    const SEARCH_PARAMETERS: &'static [&'static SearchValues] = &[];
    /// What quiescence does besides noisy steps.
    const QUIESCENCE: Quiescence = Quiescence {
        evasions: true,
        checks: false,
        table: true,
    };
    /// The number of values of [`Tactics::history_index`].
    const HISTORY_SIZE: usize;

    /// Returns a number below `HISTORY_SIZE` that similar steps of different positions share, for example by piece and target
    /// square. History tables are indexed by it.
    fn history_index(&self, step: Self::Step) -> usize;

    /// Whether a step changes material (captures and promotions).
    fn is_noisy(&self, step: Self::Step) -> bool;

    /// Returns a quick estimate of the gain of a noisy step, in centipawns, for ordering (most valuable victim, least valuable
    /// attacker) and delta pruning.
    fn gain(&self, step: Self::Step) -> i32;

    /// Appends the steps that quiescence tries (captures, promotions): a subset of `generate`.
    fn generate_noisy(&self, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
        steps.retain(|step| self.is_noisy(*step));
    }

    /// Returns the kind of the captured piece as a number from 1 to 15; 0 if the step captures nothing.
    fn captured(&self, step: Self::Step) -> usize {
        let _ = step;
        0
    }

    /// Whether the static exchange that a step starts on its target square, capturing or not, wins at least `threshold`
    /// centipawns for the mover. Always `true` in games for which static exchange evaluation is not a good model.
    fn wins_exchange(&self, step: Self::Step, threshold: i32) -> bool {
        let _ = (step, threshold);
        true
    }

    /// Whether null-move pruning is sound in this position: `false` where zugzwang is likely (a side with nothing but king and
    /// pawns), and everywhere in games that have not tested it. The search then makes [`Rules::null_move`], if there is one.
    fn allows_null_move(&self) -> bool {
        false
    }
}
