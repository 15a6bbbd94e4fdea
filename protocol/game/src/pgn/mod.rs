//! Lossless PGN: tags, comments, nested variations, NAGs and results are read and written, unknown tags and
//! commands of comments (`[%clk]`, `[%cal]`) like known ones.
//!
//! Chess, Superchess, two-move chess and DiceChess are written in SAN, the moves of a turn joined by commas; the notation of
//! Cubes 4D has parentheses, which mean variations in PGN, so its turns are tokens. The roll of a turn begins the
//! comment after it: `b2b4,c1a3 {PNB +0.34/12 0.120s}`.

mod decode;
mod read;
#[cfg(test)]
mod round_trip;
mod write;

pub use decode::{decode, is_packed, is_record, unpack, unpack_at_most};
pub(crate) use read::UNFINISHED;
pub use read::{Games, PgnGame, games, parse};
pub use write::{text, turn_text};
