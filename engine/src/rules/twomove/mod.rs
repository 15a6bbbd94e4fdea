//! Two-move chess (*les échecs à deux coups*): a turn is two moves of one side, White's first turn is one.
//!
//! Everything follows from one predicate, *capturable*: a side could take the king with a double move. It is computed
//! set-wise in `reach`. `second` finds the legal second halves, most of them as sets and without making them.

mod count;
mod fen;
mod movegen;
mod notation;
mod position;
mod reach;
mod second;
#[cfg(test)]
mod tests;

pub use position::TwoMove;
