use fauve_engine::rules::{FenError, StepError, printable};
use std::error::Error;
use std::fmt;

/// Why a game did not do what was asked of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionError {
    /// The game has no start position of this name.
    UnknownStart(String),
    /// The position string is refused.
    Fen(FenError),
    /// The turn is refused.
    Step(StepError),
    /// A roll is given where none is due.
    NoRollAwaited,
    /// The dice cannot be read.
    UnreadableRoll(String),
    /// The turns depend on dice that are not rolled.
    NotRolled,
    /// The position has no flipped counterpart.
    NoOtherSide,
    /// No turn has been played.
    NothingToUndo,
    /// `query` knows nothing of this name.
    UnknownQuery,
}

impl From<FenError> for SessionError {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl From<StepError> for SessionError {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownStart(name) => write!(f, "this game has no {}", printable(name)),
            Self::Fen(error) => error.fmt(f),
            Self::Step(error) => error.fmt(f),
            Self::NoRollAwaited => f.write_str("no roll is awaited here"),
            Self::UnreadableRoll(dice) => write!(f, "cannot read the roll {}", printable(dice)),
            Self::NotRolled => f.write_str("the dice are not rolled: roll [dice]"),
            Self::NoOtherSide => f.write_str("this position has no other side"),
            Self::NothingToUndo => f.write_str("nothing to take back"),
            Self::UnknownQuery => {
                f.write_str("query knows p1turn, gameover, result, legal, fen and roll")
            }
        }
    }
}

impl Error for SessionError {}
