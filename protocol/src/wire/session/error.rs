use fauve_engine::rules::{FenError, StepError, printable};
use thiserror::Error;

/// Errors of commands to a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SessionError {
    /// The game has no start position of this name.
    #[error("this game has no {}", printable(.0))]
    UnknownStart(String),
    /// The position string is invalid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The turn is illegal or cannot be read.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A roll is given where none is due.
    #[error("no roll is awaited here")]
    NoRollAwaited,
    /// The dice cannot be read.
    #[error("cannot read the roll {}", printable(.0))]
    UnreadableRoll(String),
    /// The turns depend on dice that are not rolled.
    #[error("the dice are not rolled; use: roll [dice]")]
    NotRolled,
    /// The colours cannot be exchanged.
    #[error("the colours of this position cannot be exchanged")]
    NoOtherSide,
    /// No turn has been played.
    #[error("nothing to take back")]
    NothingToUndo,
    /// `query` does not have this word.
    #[error("query takes p1turn, gameover, result, legal, fen or roll")]
    UnknownQuery,
}
