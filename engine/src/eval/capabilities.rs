//! What only some games can do for alpha-beta, one small trait each. A game names those that it has with `capabilities!` and
//! implements them; the others are empty, and the compiler deletes the code of the search that asks for them.

use super::Tactics;
use crate::core::{Bitboard, StepList};
use crate::rules::Rules;

/// Legality tested step by step, for games in which it is expensive and few steps are reached.
pub trait StagedLegality: Rules {
    /// Whether [`StagedLegality::generate_pseudo_legal`] may append illegal steps.
    const PSEUDO_LEGAL: bool = false;
    /// Data that [`StagedLegality::is_legal`] computes once per position.
    type LegalityCheck: Default;

    /// Appends every legal step. With [`StagedLegality::PSEUDO_LEGAL`] also quiet steps whose legality is expensive to test:
    /// [`StagedLegality::is_legal`] tests them one by one when the search reaches them, which it often does not.
    #[inline(always)]
    fn generate_pseudo_legal(&self, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
    }

    /// Whether a step appended by [`StagedLegality::generate_pseudo_legal`] is legal. `check` is new, or was used for this
    /// position only.
    #[inline(always)]
    fn is_legal(&self, check: &mut Self::LegalityCheck, step: Self::Step) -> bool {
        let _ = (check, step);
        true
    }
}

/// Quiet steps listed by themselves, for games in which most nodes end before they are needed.
pub trait QuietSteps: Tactics + StagedLegality {
    /// Whether [`QuietSteps::generate_quiet`] is quicker than listing all steps.
    const QUIET_APART: bool = false;

    /// Appends the steps of [`StagedLegality::generate_pseudo_legal`] that are not noisy, to an empty list.
    #[inline(always)]
    fn generate_quiet(&self, steps: &mut StepList<Self::Step>) {
        self.generate_pseudo_legal(steps);
        steps.retain(|&mut step| !self.is_noisy(step));
    }
}

/// Steps in the transposition table that are decoded without a list of all steps, and keys that are known before a step is made.
pub trait TableMoves: Rules {
    /// Returns the code, not 0, under which the transposition table stores a step; `None` if [`TableMoves::resolve_tt_move`]
    /// cannot decode it.
    #[inline(always)]
    fn to_tt_move(step: Self::Step) -> Option<u16> {
        let _ = step;
        None
    }

    /// Returns the step of a code by [`TableMoves::to_tt_move`] if it is quickly found to be one of
    /// [`StagedLegality::generate_pseudo_legal`]'s steps here. `None` does not mean that it is not.
    #[inline(always)]
    fn resolve_tt_move(&self, tt_move: u16) -> Option<Self::Step> {
        let _ = tt_move;
        None
    }

    /// Returns the key of the position after a step, without making it, if that is cheap. It may be wrong for rare steps and
    /// serves only to prefetch the table entry.
    #[inline(always)]
    fn predicted_key(&self, step: Self::Step) -> Option<u64> {
        let _ = step;
        None
    }
}

/// Steps that repeat an earlier position, found by the change that they make in the key.
pub trait Reversals: Rules {
    /// The change of the key when only the side to move changes; 0: [`Reversals::reaches`] is not implemented.
    const SIDE_KEY: u64 = 0;

    /// Whether a legal step changes the key by `change`, the difference from an earlier position. It need not find every
    /// such step.
    #[inline(always)]
    fn reaches(&self, change: u64) -> bool {
        let _ = change;
        false
    }
}

/// Checks that are found without making the step.
pub trait CheckDetection: Tactics {
    /// Data that [`CheckDetection::gives_check`] computes once per position.
    type Checks: Default;

    /// Computes the data that [`CheckDetection::gives_check`] needs for this position.
    #[inline(always)]
    fn checks(&self) -> Self::Checks {
        Self::Checks::default()
    }

    /// Whether a legal step gives check, by masks and without making it. Always `false` in games where checks are unimportant
    /// or expensive to detect.
    #[inline(always)]
    fn gives_check(&self, checks: &Self::Checks, step: Self::Step) -> bool {
        let _ = (checks, step);
        false
    }

    /// Appends the legal quiet steps that give check.
    fn generate_quiet_checks(&self, checks: &Self::Checks, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
        steps.retain(|&mut step| !self.is_noisy(step) && self.gives_check(checks, step));
    }
}

/// The result of a position by an endgame table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndgameResult {
    /// Neither side can force a win.
    Draw,
    /// The side to move mates in this number of turns, counting both sides' turns and the mating one.
    Win(u32),
    /// The side to move is mated after this number of turns of both sides; 0: it is mated already.
    Loss(u32),
}

/// Endgame tables.
pub trait EndgameTables: Rules {
    /// Whether [`EndgameTables::probe_endgame`] can return results.
    const KNOWS_ENDGAMES: bool = false;
    /// Tables and caches of one search thread.
    type Endgames: Default;

    /// Prepares the endgame data needed below a root, in slices of some milliseconds, as long as `keep_going` returns `true`.
    #[inline(always)]
    fn prepare(&self, endgames: &mut Self::Endgames, keep_going: &mut dyn FnMut() -> bool) {
        let _ = (endgames, keep_going);
    }

    /// Returns the result of a position between two turns by an endgame table, disregarding draws by a counter. A win may be
    /// shorter than stated where the table considers the turns of only some pieces.
    #[inline(always)]
    fn probe_endgame(
        &self,
        options: &Self::Options,
        endgames: &mut Self::Endgames,
    ) -> Option<EndgameResult> {
        let _ = (options, endgames);
        None
    }
}

/// Searches for mates beside the main search.
pub trait MateSearch: Rules {
    /// Nodes of the main search for each position of a mate search by checks alone; `None`: there is no such search.
    const NODES_PER_MATE_POSITION: Option<u64> = None;
    /// Whether the best root turns are tested against every reply that mates at once: for games of two-step turns, whose
    /// pruning often skips such mates.
    const ROOT_MATE_CHECK: bool = false;
}

/// Commuting steps of a turn, of which one order is searched (sleep sets).
pub trait SleepSets: Rules {
    /// Whether [`SleepSets::drop_commuting`] detects commuting steps of a turn.
    const COMMUTES: bool = false;

    /// Whether the first step of a turn may commute with another step of the turn.
    #[inline(always)]
    fn may_commute(&self, step: Self::Step) -> bool {
        let _ = step;
        false
    }

    /// Removes second steps that commute with the first step, `first`, of the turn and are in `others`: made first, such a step
    /// allows `first` as the second one, and both orders lead to the same position. All steps have passed
    /// [`SleepSets::may_commute`] at the beginning of the turn.
    #[inline(always)]
    fn drop_commuting(
        &self,
        first: Self::Step,
        others: &[Self::Step],
        steps: &mut StepList<Self::Step>,
    ) {
        let _ = (first, others, steps);
    }
}

/// A prologue: turns that build the starting array while no piece moves yet. Choosing one of two fixed arrays, as in Cubes 4D,
/// does not count as a prologue.
pub trait Prologue: Rules {
    /// Whether the game is in its prologue.
    #[inline(always)]
    fn in_prologue(&self) -> bool {
        false
    }
}

/// A coarser numbering of steps for the histories of pairs of steps, where a table of all pairs would be too large.
pub trait PairHistory: Tactics {
    /// The number of values of [`PairHistory::pair_history_index`].
    const PAIR_HISTORY_SIZE: usize = Self::HISTORY_SIZE;

    /// Maps a history index to a coarser one.
    #[inline(always)]
    fn pair_history_index(index: usize) -> usize {
        index
    }
}

/// Histories of quiet steps that distinguish whether attacked squares are left and entered.
pub trait ThreatHistory: Rules {
    /// The number of values of [`ThreatHistory::threat_index`].
    const THREAT_INDICES: usize = 1;

    /// Returns the squares that the side not to move attacks, for [`ThreatHistory::threat_index`].
    #[inline(always)]
    fn threats(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    /// Returns a number below `THREAT_INDICES`: whether a step leaves an attacked square and whether it enters one.
    #[inline(always)]
    fn threat_index(&self, threats: Bitboard, step: Self::Step) -> usize {
        let _ = (threats, step);
        0
    }
}

/// The number of keys that [`CorrectionHistory::correction_keys`] returns.
pub const CORRECTION_KEYS: usize = 3;

/// Histories of the error of static values.
pub trait CorrectionHistory: Rules {
    /// Whether [`CorrectionHistory::correction_keys`] is implemented.
    const HAS_CORRECTION_KEYS: bool = false;

    /// Returns hashes, mixed in their high bits, of parts of the position that the error of static values correlates with: one
    /// of both sides (the pawns, for example), then one of each side's pieces.
    #[inline(always)]
    fn correction_keys(&self) -> [u64; CORRECTION_KEYS] {
        [0; CORRECTION_KEYS]
    }
}

/// A hash of a part of a position, for [`CorrectionHistory::correction_keys`]: a sum of independent products (they overlap in the
/// processor), mixed once at the end.
#[derive(Clone, Copy, Default, Debug)]
pub struct CorrectionHash(u64);

impl CorrectionHash {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

    /// Adds a number or a bit set as word number `place` (below 32).
    #[inline(always)]
    pub const fn add(&mut self, place: u32, word: u64) {
        let share = word.wrapping_mul(Self::ODD.rotate_left(6 * place) | 1);
        self.0 = self.0.wrapping_add(share);
    }

    /// Returns the hash, mixed in its high bits.
    #[inline(always)]
    pub const fn mixed(self) -> u64 {
        (self.0 ^ self.0 >> 32).wrapping_mul(Self::ODD)
    }
}

/// All capabilities, present or empty: `capabilities!` provides them.
pub trait Capabilities:
    StagedLegality
    + QuietSteps
    + TableMoves
    + Reversals
    + CheckDetection
    + EndgameTables
    + MateSearch
    + SleepSets
    + Prologue
    + PairHistory
    + ThreatHistory
    + CorrectionHistory
{
}

/// `capabilities!(Game: TableMoves, SleepSets)` names the capabilities that a game has and implements; those that are not named
/// get empty implementations.
macro_rules! capabilities {
    ($game:ident: $($has:ident),*) => {
        impl $crate::eval::Capabilities for $game {}
        capabilities! { @unless [$($has)*] StagedLegality for $game { type LegalityCheck = (); } }
        capabilities! { @unless [$($has)*] QuietSteps for $game {} }
        capabilities! { @unless [$($has)*] TableMoves for $game {} }
        capabilities! { @unless [$($has)*] Reversals for $game {} }
        capabilities! { @unless [$($has)*] CheckDetection for $game { type Checks = (); } }
        capabilities! { @unless [$($has)*] EndgameTables for $game { type Endgames = (); } }
        capabilities! { @unless [$($has)*] MateSearch for $game {} }
        capabilities! { @unless [$($has)*] SleepSets for $game {} }
        capabilities! { @unless [$($has)*] Prologue for $game {} }
        capabilities! { @unless [$($has)*] PairHistory for $game {} }
        capabilities! { @unless [$($has)*] ThreatHistory for $game {} }
        capabilities! { @unless [$($has)*] CorrectionHistory for $game {} }
        // A name that is no capability, or is not implemented, is an error.
        const _: () = {
            $({
                const fn has<G: $crate::eval::$has>() {}
                has::<$game>();
            })*
        };
    };
    (@unless [StagedLegality $($rest:ident)*] StagedLegality $($empty:tt)*) => {};
    (@unless [QuietSteps $($rest:ident)*] QuietSteps $($empty:tt)*) => {};
    (@unless [TableMoves $($rest:ident)*] TableMoves $($empty:tt)*) => {};
    (@unless [Reversals $($rest:ident)*] Reversals $($empty:tt)*) => {};
    (@unless [CheckDetection $($rest:ident)*] CheckDetection $($empty:tt)*) => {};
    (@unless [EndgameTables $($rest:ident)*] EndgameTables $($empty:tt)*) => {};
    (@unless [MateSearch $($rest:ident)*] MateSearch $($empty:tt)*) => {};
    (@unless [SleepSets $($rest:ident)*] SleepSets $($empty:tt)*) => {};
    (@unless [Prologue $($rest:ident)*] Prologue $($empty:tt)*) => {};
    (@unless [PairHistory $($rest:ident)*] PairHistory $($empty:tt)*) => {};
    (@unless [ThreatHistory $($rest:ident)*] ThreatHistory $($empty:tt)*) => {};
    (@unless [CorrectionHistory $($rest:ident)*] CorrectionHistory $($empty:tt)*) => {};
    (@unless [$other:ident $($rest:ident)*] $($empty:tt)*) => {
        capabilities! { @unless [$($rest)*] $($empty)* }
    };
    (@unless [] $capability:ident for $game:ident $empty:tt) => {
        impl $crate::eval::$capability for $game $empty
    };
}
pub(super) use capabilities;
