//! Orthodox chess by the laws of FIDE: the rules of [`orthodox`](super::orthodox) with promotion to knight, bishop, rook
//! and queen, and draws by repetition, by 50 moves and by dead position, which end the game at once.
//!
#![doc = include_str!("rules.md")]

mod notation;
mod position;
mod setup;

pub use position::Chess;
