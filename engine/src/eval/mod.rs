//! Evaluation, and what the search needs to know about a game beyond its rules. One file or folder per game.

#[cfg(feature = "breakthrough")]
mod breakthrough;
pub mod capabilities;
mod chess;
pub mod cubes;
pub mod dice;
mod endgames;
pub mod exchange;
pub mod network;
pub mod orthodox;
mod superchess;
mod symmetry;
mod tactics;
pub mod twomove;

pub use capabilities::{
    CORRECTION_KEYS, Capabilities, CheckDetection, CorrectionHash, CorrectionHistory,
    EndgameResult, EndgameTables, MateSearch, PairHistory, Prologue, QuietSteps, Reversals,
    SleepSets, StagedLegality, TableMoves, ThreatHistory,
};
pub use tactics::{BY_WHOLE_DEPTH, Quiescence, SearchValues, Tactics};

use crate::rules::Rules;
use capabilities::capabilities;
use network::{NetworkError, SharedNetwork};

/// The static value of a position.
pub trait Evaluate: Rules {
    /// The evaluator that each search thread owns.
    type Evaluator: Evaluator<Self> + Inspect<Self>;

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
    /// An advantage of one pawn wins half of the games, equality 19 %.
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
    /// Creates an evaluator with this network if it belongs to the game, else with the evaluation built into the game.
    fn new(network: Option<&SharedNetwork>) -> Self;

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

/// What the program asks of an evaluator besides the values of the search: to read networks, and to explain its values.
pub trait Inspect<G>: Evaluator<G> {
    /// Reads a network of this game from the bytes of a file.
    /// # Errors
    /// The bytes are not a valid network, or the game has no networks.
    fn read(bytes: &[u8]) -> Result<SharedNetwork, NetworkError>;

    /// Returns the values of the pieces in a position, or `None` if the evaluation cannot attribute its value to pieces.
    fn piece_values(&self, position: &G) -> Option<PieceValues> {
        let _ = position;
        None
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

impl<G: Evaluate> Inspect<G> for StaticEvaluator {
    fn read(_: &[u8]) -> Result<SharedNetwork, NetworkError> {
        Err(NetworkError::NoNetworks)
    }
}

impl<G: Evaluate> Evaluator<G> for StaticEvaluator {
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
