//! Evaluation and what the search wants to know about a game beyond its rules: one file per game.

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
    /// How the threads of a search evaluate.
    type Evaluator: Evaluator<Self>;

    /// Centipawns from the point of view of the side to move, well inside ±20,000, by the evaluation that the game comes with.
    fn evaluate(&self) -> i32;

    /// A value that costs little and how far [`Evaluate::evaluate`] hardly ever lies from it, where there is one: enough far from
    /// the window (lazy evaluation, <https://www.chessprogramming.org/Lazy_Evaluation>).
    fn lazy_eval(&self) -> Option<(i32, i32)> {
        None
    }

    /// How often an advantage wins; games that tell chances themselves have no use for it.
    const WIN_CURVE: WinCurve = WinCurve::A_PAWN;
}

/// How often an advantage wins: a logistic curve. A loss is the other side's win, a draw what is left.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinCurve {
    /// In centipawns, the advantage that wins every second game.
    pub half: f64,
    /// In centipawns, how much more multiplies the odds of a win by e.
    pub spread: f64,
}

impl WinCurve {
    /// A pawn wins every second game, and nothing one in five.
    pub const A_PAWN: Self = Self {
        half: 100.0,
        spread: 70.0,
    };
}

/// What each piece is worth to a position, in centipawns from White's point of view: the value with him less the value without him.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceValues {
    /// The file and the rank, from 0, of the first value.
    pub corner: (u8, u8),
    /// From the lowest rank, the values of its places in the order of the files; kings and free places have none.
    pub ranks: Vec<Vec<Option<i32>>>,
}

/// How one thread evaluates the positions of the line that it looks at, and what it keeps from one to the next.
pub trait Evaluator<G>: Send + 'static {
    /// Reads a network that the game can be evaluated with, from a file's bytes.
    ///
    /// # Errors
    /// What is wrong with it, or that the game has no networks.
    fn read(bytes: &[u8]) -> Result<SharedNetwork, NetworkError>;

    /// An evaluator that works with this network, if it is one of the game, else with the game's own evaluation.
    fn new(network: Option<&SharedNetwork>) -> Self;

    /// What each piece is worth to a position; nothing where the evaluation cannot tell.
    fn piece_values(&self, position: &G) -> Option<PieceValues> {
        let _ = position;
        None
    }

    /// Another position comes to stand at a height, so many steps (and passes) below the root.
    fn push(&mut self, height: usize);

    /// The static value of the position at a height: by the network, or as [`Evaluate::evaluate`] has it.
    fn evaluate(&mut self, position: &G, height: usize) -> i32;

    /// The same where it lies inside the window; outside of it often no more than a bound that lies outside, too, and is rarely
    /// wrong. [`Evaluate::lazy_eval`] tells sooner what is farther outside.
    #[inline(always)]
    fn evaluate_within(&mut self, position: &G, height: usize, window: (i32, i32)) -> LazyEval {
        let _ = window;
        LazyEval::Exact(self.evaluate(position, height))
    }
}

/// A static value as far as it was wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LazyEval {
    /// The value.
    Exact(i32),
    /// A bound on that side of the window where the value almost certainly lies, too.
    Bound(i32),
}

impl LazyEval {
    /// The value, or the bound.
    #[inline(always)]
    pub const fn value(self) -> i32 {
        match self {
            Self::Exact(value) | Self::Bound(value) => value,
        }
    }
}

/// Reads what a game is evaluated with, once. The first search would do it otherwise, on its clock.
pub fn load<G: Evaluate>() {
    drop(G::Evaluator::new(None));
}

/// Evaluates each position by itself: for games without a network.
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

/// What tables know of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndgameResult {
    /// Nobody can force a win.
    Draw,
    /// The side to move mates; with so many turns of both sides, the mating one included.
    Win(u32),
    /// The side to move is mated after so many turns of both sides; 0: it is mated.
    Loss(u32),
}

/// Values of parameters of the search, by name.
pub type SearchValues = [(&'static str, i32)];

/// Pruning by the whole depth and outside of the principal variation, and razoring: for the games in which that of chess and
/// Superchess was not measured.
pub const BY_WHOLE_DEPTH: &SearchValues = &[
    ("pruning_reduced", 0),
    ("pruning_pv", 0),
    ("futility_depth", 5),
    ("futility_slope", 90),
    ("exchange_quiet", 20),
    ("razor_depth", 3),
];

/// How mates by checks alone are looked for at the root.
#[derive(Clone, Copy, Debug)]
pub struct MateSearch {
    /// One position is looked at for so many nodes of the iterations.
    pub nodes_a_position: u64,
}

/// What the search may assume about the tactics of a game.
pub trait Tactics: Rules {
    /// Whether giving the opponent a free turn is a sound test that a position is good (null move pruning).
    const NULL_MOVE: bool = false;
    /// Whether quiescence tries every answer to a check. Where checks are common or answers many it stands pat instead.
    const EVADE_IN_QUIESCENCE: bool = true;
    /// Parameters of the search in which the game differs from the others (`search::parameters` lists them); of two lists that name
    /// the same one the later holds.
    const SEARCH_PARAMETERS: &'static [&'static SearchValues] = &[];

    /// Appends the steps that quiescence looks at (captures, promotions): a subset of `generate`.
    fn generate_noisy(&self, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
        steps.retain(|step| self.is_noisy(*step));
    }

    /// Whether [`Tactics::generate_pseudo_legal`] gives steps that are not legal.
    const PSEUDO_LEGAL: bool = false;

    /// Appends every legal step, and with [`Tactics::PSEUDO_LEGAL`] also quiet ones whose conditions cost too much for steps that are
    /// mostly left out: [`Tactics::is_legal`] looks at those when it is their turn.
    fn generate_pseudo_legal(&self, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
    }

    /// What [`Tactics::is_legal`] works out once for all steps of a position.
    type LegalityCheck: Default;

    /// Whether a step that [`Tactics::generate_pseudo_legal`] gave is legal; the judge is new, or has been asked about this position only.
    fn is_legal(&self, judge: &mut Self::LegalityCheck, step: Self::Step) -> bool {
        let _ = (judge, step);
        true
    }

    /// The key of the position after a step, found without making it, where that costs little. It may be wrong for rare steps: by it
    /// what the table knows is fetched in time, nothing else.
    #[inline(always)]
    fn predicted_key(&self, step: Self::Step) -> Option<u64> {
        let _ = step;
        None
    }

    /// The number by which the table remembers a step, where [`Tactics::resolve_tt_move`] can tell the step by it; not 0.
    #[inline(always)]
    fn to_tt_move(step: Self::Step) -> Option<u16> {
        let _ = step;
        None
    }

    /// The step that a [`Tactics::to_tt_move`] stands for, if that is quickly found to be one of those of [`Tactics::generate_pseudo_legal`].
    /// Nothing says no more than that.
    #[inline(always)]
    fn resolve_tt_move(&self, tt_move: u16) -> Option<Self::Step> {
        let _ = tt_move;
        None
    }

    /// Whether quiescence asks the table at every level, not at its first one alone: where a node costs little, it costs more to
    /// wait for the table's memory than to do without.
    const TABLE_IN_QUIESCENCE: bool = true;

    /// Whether a step changes material.
    fn is_noisy(&self, step: Self::Step) -> bool;

    /// A quick estimate of what a noisy step wins, in centipawns, for ordering (most valuable victim, least valuable
    /// attacker) and delta pruning.
    fn gain(&self, step: Self::Step) -> i32;

    /// Whether the exchange of pieces that a step begins on its square, taking something or not, wins at least `threshold`
    /// centipawns for the mover. Games in which static exchange evaluation is not a model say yes.
    fn wins_exchange(&self, step: Self::Step, threshold: i32) -> bool {
        let _ = (step, threshold);
        true
    }

    /// Whether [`Tactics::probe_endgame`] knows some positions.
    const KNOWS_ENDGAMES: bool = false;

    /// What a thread keeps for [`Tactics::probe_endgame`] while it searches.
    type Endgames: Default;

    /// Makes ready what will be asked below a root, some milliseconds at a time, as long as `go_on` says so.
    fn prepare(&self, endgames: &mut Self::Endgames, go_on: &mut dyn FnMut() -> bool) {
        let _ = (endgames, go_on);
    }

    /// What tables know of a position between two turns, as far as no draw by a counter comes in between. A win may be nearer
    /// than they say where they know the turns of some pieces only.
    fn probe_endgame(
        &self,
        options: &Self::Options,
        endgames: &mut Self::Endgames,
    ) -> Option<EndgameResult> {
        let _ = (options, endgames);
        None
    }

    /// How the search looks for mates by checks alone besides, in games where it does well to.
    const MATES_BY_CHECKS: Option<MateSearch> = None;

    /// Whether turns are of two steps and a mate at once is often among those that the search leaves out: the best turns of the root
    /// are held against all answers.
    const ROOT_MATE_CHECK: bool = false;

    /// Whether [`Tactics::drop_commuting`] knows steps of a turn that commute.
    const COMMUTES: bool = false;

    /// Whether the first step of a turn may commute with other steps of it.
    fn may_commute(&self, step: Self::Step) -> bool {
        let _ = step;
        false
    }

    /// Takes out of the second steps of a turn, whose first is `first`, those of `others` that commute with it: made first they allow
    /// `first` as the second step, and that turn leads to the same position. All have passed [`Tactics::may_commute`] at the
    /// beginning of the turn.
    fn drop_commuting(
        &self,
        first: Self::Step,
        others: &[Self::Step],
        steps: &mut StepList<Self::Step>,
    ) {
        let _ = (first, others, steps);
    }

    /// Whether quiescence tries, at its first level, the quiet steps that [`Tactics::gives_check`] tells.
    const CHECKS_IN_QUIESCENCE: bool = false;

    /// What [`Tactics::gives_check`] works out once for all steps of a position.
    type Checks: Default;

    /// The same, for this position.
    fn checks(&self) -> Self::Checks {
        Self::Checks::default()
    }

    /// Whether a legal step gives check, by masks and not by trial. Games in which checks are nothing special, or cost much to
    /// find, say no.
    fn gives_check(&self, checks: &Self::Checks, step: Self::Step) -> bool {
        let _ = (checks, step);
        false
    }

    /// Appends the legal steps that give check and are not noisy.
    fn generate_quiet_checks(&self, checks: &Self::Checks, steps: &mut StepList<Self::Step>) {
        self.generate(steps);
        steps.retain(|&mut step| !self.is_noisy(step) && self.gives_check(checks, step));
    }

    /// The value for the side to move of an array in which a prologue ends, in centipawns, from a search that was made beforehand.
    fn array_value(&self) -> Option<i32> {
        None
    }

    /// Whether null move pruning is sound in this position, which is not in check: `false` where zugzwang is likely (a side with
    /// nothing but king and pawns). The search then makes [`Rules::null_move`], if there is one.
    fn allows_null_move(&self) -> bool {
        true
    }
}

/// The number of parts of a position that [`HistoryIndexing::correction_keys`] tells apart.
pub const CORRECTION_KEYS: usize = 3;

/// A hash of a part of a position: a sum of products, which do not wait for each other, mixed once at the end.
#[derive(Clone, Copy, Default, Debug)]
pub struct CorrectionHash(u64);

impl CorrectionHash {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

    /// Adds a number or the bits of a set, the one with this place below 32.
    #[inline(always)]
    pub const fn add(&mut self, place: u32, word: u64) {
        let share = word.wrapping_mul(Self::ODD.rotate_left(6 * place) | 1);
        self.0 = self.0.wrapping_add(share);
    }

    /// Mixed in the high bits.
    #[inline(always)]
    pub const fn mixed(self) -> u64 {
        (self.0 ^ self.0 >> 32).wrapping_mul(Self::ODD)
    }
}

/// Dense numbering of steps and of parts of positions, for history tables.
pub trait HistoryIndexing: Rules {
    /// The number of different values of [`HistoryIndexing::history_index`].
    const HISTORY_SIZE: usize;

    /// A number below `HISTORY_SIZE` that similar steps of different positions share (piece and target square, say).
    fn history_index(&self, step: Self::Step) -> usize;

    /// The number of different values of [`HistoryIndexing::pair_history_index`].
    const PAIR_HISTORY_SIZE: usize = Self::HISTORY_SIZE;

    /// What a shape counts as in pairs of steps, where shapes are too many for a table of their pairs.
    #[inline(always)]
    fn pair_history_index(shape: usize) -> usize {
        shape
    }

    /// How many different answers [`HistoryIndexing::threat_index`] gives.
    const THREAT_INDICES: usize = 1;

    /// The squares that the side which is not to move attacks, for [`HistoryIndexing::threat_index`].
    fn threats(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    /// A number below `THREAT_INDICES` that says whether a step leaves threats and whether it goes into it.
    fn threat_index(&self, threats: Bitboard, step: Self::Step) -> usize {
        let _ = (threats, step);
        0
    }

    /// What a noisy step takes, a number below 16; 0 if it takes nothing.
    fn captured(&self, step: Self::Step) -> usize {
        let _ = step;
        0
    }

    /// Whether [`HistoryIndexing::correction_keys`] says anything.
    const HAS_CORRECTION_KEYS: bool = false;

    /// Hashes, mixed in their high bits, of parts of the position in which static values tend to err alike: one of both sides (the pawns,
    /// say), then each side's pieces.
    fn correction_keys(&self) -> [u64; CORRECTION_KEYS] {
        [0; CORRECTION_KEYS]
    }
}
