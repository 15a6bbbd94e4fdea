//! DiceChess: three dice name the men that may move; the king is taken, not mated.
//!
//! A turn is a roll of three dice (1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king) and up to three steps, each
//! paid with the die of the man that moves; castling costs a rook's and a king's die. As many dice as possible must
//! be used over the whole turn. Whoever takes the king has won, and a line that takes it is always legal. The rule
//! numbers D1 to D10 in this folder's comments are those of the project's rules text.

mod fen;
mod king_capture;
mod movegen;
mod notation;
mod pool;
mod position;
mod results;
mod seed;
mod step;

pub use pool::Pool;
pub use position::DiceChess;
pub use results::{Found, Walker};
pub use seed::seeded_roll;
pub use step::{Action, Fate, Step};
