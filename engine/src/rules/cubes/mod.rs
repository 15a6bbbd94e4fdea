//! Cubes 4D: a game on a height field of 36 cubes that the players move as well as their men.
//!
//! The arena of 15 x 15 cells is a set of 256 bits ([`Mask`]); a position holds the binary digits of the heights and of
//! the men's codes as such sets, so that a level, a kind of men, or one step of all men in one direction is a few
//! instructions.

mod attack;
mod fen;
mod man;
mod mask;
mod movegen;
mod notation;
mod position;
mod step;
mod tables;

pub use man::Man;
pub use mask::{Cell, Cells, Mask};
pub use position::{CLOCK_LIMIT, CUBES, LONE_KING_LIMIT, Pair, Position, Reserve};
pub use step::{Action, Step};
