//! What a record says: standings, differences in Elo with their bars, the state of a sequential test.

mod luck;
pub mod tally;
mod text;
