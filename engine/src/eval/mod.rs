//! Evaluation, and what the search needs to know about a game beyond its rules. One file or folder per game.

#[cfg(feature = "breakthrough")]
mod breakthrough;
mod chess;
pub mod cubes;
pub mod dice;
pub mod endgames;
pub mod exchange;
pub mod network;
pub mod orthodox;
mod prologue;
mod superchess;
mod symmetry;
pub mod twomove;

use crate::core::{Bitboard, StepList};
use crate::rules::Rules;
use network::{NetworkError, SharedNetwork};

/// The static value of a position.
pub trait Evaluate: Rules {
    /// The evaluator that each search thread owns.
    type Evaluator: Evaluator<Self>;

    /// Returns the static value in centipawns for the side to move, well inside ±20,000, by the evaluation built into the game.
    fn evaluate(&self) -> i32;

    /// Returns a cheap estimate of [`Evaluate::evaluate`] and its error bound, both in centipawns, if the game has one. Outside
    /// the window by more than the bound, the estimate serves as the value (lazy evaluation,
    /// <https://www.chessprogramming.org/Lazy_Evaluation>).
    fn lazy_eval(&self) -> Option<(i32, i32)> {
        None
    }

    /// Winning chances by advantage. Games whose evaluation is itself a winning chance do not use it.
    const WIN_CURVE: WinCurve = WinCurve::A_PAWN;
}

/// Winning chances by advantage: a logistic curve. The chance of losing is the other side's chance of winning; the rest is the
/// chance of a draw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinCurve {
    /// The advantage in centipawns that wins half of the games.
    pub half: f64,
    /// The advantage in centipawns that multiplies the odds of a win by e.
    pub spread: f64,
}

impl WinCurve {
    /// An advantage of one pawn wins half of the games, equality one in five.
    pub const A_PAWN: Self = Self {
        half: 100.0,
        spread: 70.0,
    };
}

/// Piece values in one position, in centipawns for White: the value of the position with the piece less the value without it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceValues {
    /// File and rank, from 0, of the first value.
    pub corner: (u8, u8),
    /// Values by rank, lowest first, then by file. `None` for kings and empty squares.
    pub ranks: Vec<Vec<Option<i32>>>,
}

/// The evaluation state of one search thread: it evaluates the positions of the current line and reuses work from one to the
/// next.
pub trait Evaluator<G>: Send + 'static {
    /// Reads a network of this game from the bytes of a file.
    /// # Errors
    /// The bytes are not a valid network, or the game has no networks.
    fn read(bytes: &[u8]) -> Result<SharedNetwork, NetworkError>;

    /// Creates an evaluator with this network if it belongs to the game, else with the evaluation built into the game.
    fn new(network: Option<&SharedNetwork>) -> Self;

    /// Returns the values of the pieces in a position, or `None` if the evaluation cannot attribute its value to pieces.
    fn piece_values(&self, position: &G) -> Option<PieceValues> {
        let _ = position;
        None
    }

    /// Announces a new position at a height: that number of steps and null moves below the root.
    fn push(&mut self, height: usize);

    /// Returns the static value of the position at a height: by the network, or else by [`Evaluate::evaluate`].
    fn evaluate(&mut self, position: &G, height: usize) -> i32;

    /// Returns the static value if it lies inside the window. Outside the window an evaluator may return a bound instead, on
    /// the same side of the window and very rarely wrong. [`Evaluate::lazy_eval`] is cheaper and finds only values far outside.
    #[inline(always)]
    fn evaluate_within(&mut self, position: &G, height: usize, window: (i32, i32)) -> LazyEval {
        let _ = window;
        LazyEval::Exact(self.evaluate(position, height))
    }
}

/// A static value, exact or a bound outside the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LazyEval {
    /// The static value.
    Exact(i32),
    /// A bound outside the window; the value is almost certainly on the same side of the window.
    Bound(i32),
}

impl LazyEval {
    /// Returns the value or the bound.
    #[inline(always)]
    pub const fn value(self) -> i32 {
        match self {
            Self::Exact(value) | Self::Bound(value) => value,
        }
    }
}

/// Loads the data that a game's evaluation needs, which the first search would otherwise do on its clock.
pub fn load<G: Evaluate>() {
    drop(G::Evaluator::new(None));
}

/// An evaluator without state, for games without a network.
#[derive(Clone, Copy, Debug)]
pub struct StaticEvaluator;

impl<G: Evaluate> Evaluator<G> for StaticEvaluator {
    fn read(_: &[u8]) -> Result<SharedNetwork, NetworkError> {
        Err(NetworkError::NoNetworks)
    }

    fn new(_: Option<&SharedNetwork>) -> Self {
        Self
    }

    #[inline(always)]
    fn push(&mut self, _: usize) {}

    #[inline(always)]
    fn evaluate(&mut self, position: &G, _: usize) -> i32 {
        position.evaluate()
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

/// Search parameters and their values, by name.
pub type SearchValues = [(&'static str, i32)];

/// Pruning by nominal instead of reduced depth and only outside the principal variation, with razoring: for the games in which
/// the settings of chess and Superchess have not been tested.
pub const BY_WHOLE_DEPTH: &SearchValues = &[
    ("pruning_reduced", 0),
    ("pruning_pv", 0),
    ("futility_depth", 5),
    ("futility_slope", 90),
    ("exchange_quiet", 20),
    ("razor_depth", 3),
];

/// Settings of the mate search at the root, which tries checks only.
#[derive(Clone, Copy, Debug)]
pub struct MateSearch {
    /// Nodes of the main search for each position of the mate search.
    pub nodes_a_position: u64,
}

/// Tactical properties of a game that the search relies on.
pub trait Tactics: Rules {
    /// Whether null move pruning is sound in this game at all; [`Tactics::allows_null_move`] decides for each position.
    const NULL_MOVE: bool = false;
    /// Whether quiescence tries every reply to a check. If not (checks are common, or replies many), it stands pat in check
    /// too.
    const EVADE_IN_QUIESCENCE: bool = true;
    /// Search parameters that differ from the defaults in `search::parameters`. If two lists set the same one, the later list
    /// wins.
    const SEARCH_PARAMETERS: &'static [&'static SearchValues] = &[];

    /// Appends the steps that quiescence tries (captures, promotions): a subset of `generate`.
    fn generate_noisy(&self, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
        steps.retain(|step| self.is_noisy(*step));
    }

    /// Whether [`Tactics::generate_pseudo_legal`] may append illegal steps.
    const PSEUDO_LEGAL: bool = false;

    /// Appends every legal step. With [`Tactics::PSEUDO_LEGAL`] also quiet steps whose legality is expensive to test:
    /// [`Tactics::is_legal`] tests them one by one when the search reaches them, which it often does not.
    fn generate_pseudo_legal(&self, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
    }

    /// Data that [`Tactics::is_legal`] computes once per position.
    type LegalityCheck: Default;

    /// Whether a step appended by [`Tactics::generate_pseudo_legal`] is legal. `check` is new, or was used for this position
    /// only.
    fn is_legal(&self, check: &mut Self::LegalityCheck, step: Self::Step) -> bool {
        let _ = (check, step);
        true
    }

    /// Returns the key of the position after a step, without making it, if that is cheap. It may be wrong for rare steps and
    /// serves only to prefetch the table entry.
    #[inline(always)]
    fn predicted_key(&self, step: Self::Step) -> Option<u64> {
        let _ = step;
        None
    }

    /// Returns the code, not 0, under which the transposition table stores a step; `None` if [`Tactics::resolve_tt_move`]
    /// cannot decode it.
    #[inline(always)]
    fn to_tt_move(step: Self::Step) -> Option<u16> {
        let _ = step;
        None
    }

    /// Returns the step of a code by [`Tactics::to_tt_move`] if it is quickly found to be one of
    /// [`Tactics::generate_pseudo_legal`]'s steps here. `None` does not mean that it is not.
    #[inline(always)]
    fn resolve_tt_move(&self, tt_move: u16) -> Option<Self::Step> {
        let _ = tt_move;
        None
    }

    /// Whether quiescence probes the table at every ply or at its first only. Where nodes are cheap, waiting for memory costs
    /// more than the probe saves.
    const TABLE_IN_QUIESCENCE: bool = true;

    /// Whether a step changes material (captures and promotions).
    fn is_noisy(&self, step: Self::Step) -> bool;

    /// Returns a quick estimate of the gain of a noisy step, in centipawns, for ordering (most valuable victim, least valuable
    /// attacker) and delta pruning.
    fn gain(&self, step: Self::Step) -> i32;

    /// Whether the static exchange that a step starts on its target square, capturing or not, wins at least `threshold`
    /// centipawns for the mover. Always `true` in games for which static exchange evaluation is not a good model.
    fn wins_exchange(&self, step: Self::Step, threshold: i32) -> bool {
        let _ = (step, threshold);
        true
    }

    /// Whether [`Tactics::probe_endgame`] can return results.
    const KNOWS_ENDGAMES: bool = false;

    /// Endgame tables and caches of one search thread, for [`Tactics::probe_endgame`].
    type Endgames: Default;

    /// Prepares the endgame data needed below a root, in slices of some milliseconds, as long as `keep_going` returns `true`.
    fn prepare(&self, endgames: &mut Self::Endgames, keep_going: &mut dyn FnMut() -> bool) {
        let _ = (endgames, keep_going);
    }

    /// Returns the result of a position between two turns by an endgame table, disregarding draws by a counter. A win may be
    /// shorter than stated where the table considers the turns of only some pieces.
    fn probe_endgame(
        &self,
        options: &Self::Options,
        endgames: &mut Self::Endgames,
    ) -> Option<EndgameResult> {
        let _ = (options, endgames);
        None
    }

    /// Settings of a mate search by checks alone beside the main search, for games that profit from one.
    const MATES_BY_CHECKS: Option<MateSearch> = None;

    /// Whether the best root turns are tested against every reply that mates at once: for games of two-step turns, whose
    /// pruning often skips such mates.
    const ROOT_MATE_CHECK: bool = false;

    /// Whether [`Tactics::drop_commuting`] detects commuting steps of a turn (sleep sets).
    const COMMUTES: bool = false;

    /// Whether the first step of a turn may commute with another step of the turn.
    fn may_commute(&self, step: Self::Step) -> bool {
        let _ = step;
        false
    }

    /// Removes second steps that commute with the first step, `first`, of the turn and are in `others`: made first, such a step
    /// allows `first` as the second one, and both orders lead to the same position. All steps have passed
    /// [`Tactics::may_commute`] at the beginning of the turn.
    fn drop_commuting(
        &self,
        first: Self::Step,
        others: &[Self::Step],
        steps: &mut StepList<Self::Step>,
    ) {
        let _ = (first, others, steps);
    }

    /// Whether quiescence tries quiet checks, by [`Tactics::gives_check`], at its first ply.
    const CHECKS_IN_QUIESCENCE: bool = false;

    /// Data that [`Tactics::gives_check`] computes once per position.
    type Checks: Default;

    /// Computes the data that [`Tactics::gives_check`] needs for this position.
    fn checks(&self) -> Self::Checks {
        Self::Checks::default()
    }

    /// Whether a legal step gives check, by masks and without making it. Always `false` in games where checks are unimportant
    /// or expensive to detect.
    fn gives_check(&self, checks: &Self::Checks, step: Self::Step) -> bool {
        let _ = (checks, step);
        false
    }

    /// Appends the legal quiet steps that give check.
    fn generate_quiet_checks(&self, checks: &Self::Checks, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
        steps.retain(|&mut step| !self.is_noisy(step) && self.gives_check(checks, step));
    }

    /// Returns the value in centipawns, for the side to move, of an array that completes a prologue; it comes from a search
    /// made in advance.
    fn array_value(&self) -> Option<i32> {
        None
    }

    /// Whether null move pruning is sound in this position, which is not in check: `false` where zugzwang is likely (a side with
    /// nothing but king and pawns). The search then makes [`Rules::null_move_unchecked`], if there is one.
    fn allows_null_move(&self) -> bool {
        true
    }
}

/// The number of keys that [`HistoryIndexing::correction_keys`] returns.
pub const CORRECTION_KEYS: usize = 3;

/// A hash of a part of a position: a sum of independent products (they overlap in the processor), mixed once at the end.
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

/// Dense numbering of steps and of parts of positions, for history tables.
pub trait HistoryIndexing: Rules {
    /// The number of values of [`HistoryIndexing::history_index`].
    const HISTORY_SIZE: usize;

    /// Returns a number below `HISTORY_SIZE` that similar steps of different positions share, for example by piece and target
    /// square.
    fn history_index(&self, step: Self::Step) -> usize;

    /// The number of values of [`HistoryIndexing::pair_history_index`].
    const PAIR_HISTORY_SIZE: usize = Self::HISTORY_SIZE;

    /// Maps a history index to a coarser one for tables of pairs of steps, where a table of all pairs would be too large.
    #[inline(always)]
    fn pair_history_index(shape: usize) -> usize {
        shape
    }

    /// The number of values of [`HistoryIndexing::threat_index`].
    const THREAT_INDICES: usize = 1;

    /// Returns the squares that the side not to move attacks, for [`HistoryIndexing::threat_index`].
    fn threats(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    /// Returns a number below `THREAT_INDICES`: whether a step leaves an attacked square and whether it enters one.
    fn threat_index(&self, threats: Bitboard, step: Self::Step) -> usize {
        let _ = (threats, step);
        0
    }

    /// Returns the kind of the captured piece as a number from 1 to 15; 0 if the step captures nothing.
    fn captured(&self, step: Self::Step) -> usize {
        let _ = step;
        0
    }

    /// Whether [`HistoryIndexing::correction_keys`] is implemented.
    const HAS_CORRECTION_KEYS: bool = false;

    /// Returns hashes, mixed in their high bits, of parts of the position that the error of static values correlates with: one
    /// of both sides (the pawns, for example), then one of each side's pieces.
    fn correction_keys(&self) -> [u64; CORRECTION_KEYS] {
        [0; CORRECTION_KEYS]
    }
}
