//! Rules, evaluation and search of five chess-like games: chess, Superchess, two-move chess, DiceChess and Cubes 4D.
//! No input or output: the program `fauve` adds the protocols.

pub mod core;
pub mod eval;
pub mod games;
pub mod rules;
pub mod search;

pub use games::Variant;
