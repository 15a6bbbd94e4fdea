//! Code shared by chess and Superchess: a position with orthodox rules over a board of 6 or 10 kinds, its legal moves, FEN
//! fields and SAN.
//!
//! What a pawn may become is a parameter ([`Kinds`](crate::core::Kinds)) of the functions that need it. Chess passes a
//! constant, which the compiler folds; Superchess passes what its pool holds.

mod chess960;
mod movegen;
mod position;
mod reversals;
mod text;

pub use chess960::RookRights;
pub use position::{BLACK_TO_MOVE, DARK, Effect, Orthodox};
pub use text::{accepts_token, check_sign};
