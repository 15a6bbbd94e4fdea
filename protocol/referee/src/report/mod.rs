//! What a record says: standings, differences in Elo with their bars, the state of a sequential test.

pub mod collected;
mod figure;
pub mod json;
mod luck;
pub mod scale;
pub mod sequence;
pub mod standings;
pub mod tally;
mod text;
