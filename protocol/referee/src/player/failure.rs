//! Why a player gave no answer.

use fauve_engine::rules::printable;

/// Why a player gave no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The program ended, or could not be started; the text says how.
    #[error("the program has ended ({0})")]
    Crashed(String),
    /// No answer within the timeout.
    #[error("the program does not answer")]
    Stalled,
    /// The program refuses the game or answers nonsense; the text is its own.
    #[error("the program says: {}", printable(.0))]
    Refused(String),
    /// The program lacks something that the match needs of it.
    #[error("{0}")]
    Unfit(String),
    /// The player gives up.
    #[error("the player resigns")]
    Resigned,
}
