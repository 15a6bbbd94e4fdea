//! The record of a tournament: JSON Lines, the first line the tournament, then one line per finished game. It is what
//! a run that was killed goes on from, so each line is complete and on the disk before the next game is counted.

pub mod adjudication;
pub mod difference;
pub mod file;
pub mod game;
pub mod growing;
pub mod header;
pub mod lines;
pub mod live;
pub(crate) mod lock;
pub mod merge;
pub mod pgn;
pub mod replay;
#[cfg(test)]
pub(crate) mod samples;
pub mod save;
pub mod speed;
pub mod stream;

pub use file::{RecordFile, hold};
pub use game::{GameRecord, GameResult, Termination, TurnRecord};
pub use header::{ClockScale, DrawRule, FORMAT, Header, WinRule};
pub use lines::Record;
