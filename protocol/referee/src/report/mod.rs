//! What a record says: standings, differences in Elo with their bars, the state of a sequential test.

mod figure;
mod luck;
pub mod scale;
pub mod standings;
pub mod tally;
mod text;
