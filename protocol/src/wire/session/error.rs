use fauve_engine::rules::{FenError, StepError, printable};
use thiserror::Error;

/// Why a game did not do what was asked of it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SessionError {
    /// The game has no start position of this name.
    #[error("this game has no {}", printable(.0))]
    UnknownStart(String),
    /// The position string is refused.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The turn is refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A roll is given where none is due.
    #[error("no roll is awaited here")]
    NoRollAwaited,
    /// The dice cannot be read.
    #[error("cannot read the roll {}", printable(.0))]
    UnreadableRoll(String),
    /// The turns depend on dice that are not rolled.
    #[error("the dice are not rolled: roll [dice]")]
    NotRolled,
    /// The position has no flipped counterpart.
    #[error("this position has no other side")]
    NoOtherSide,
    /// No turn has been played.
    #[error("nothing to take back")]
    NothingToUndo,
    /// `query` knows nothing of this name.
    #[error("query knows p1turn, gameover, result, legal, fen and roll")]
    UnknownQuery,
}
