//! The vocabulary of the games: colours, step lists and Zobrist keys for all of them; squares, bitboards, pieces, moves and
//! attacks for those on a board of 8x8. Also how work is shared out to the processors.

pub mod attacks;
mod bitboard;
mod color;
mod moves;
mod parallel;
mod piece;
mod square;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use color::Color;
pub use moves::Move;
pub(crate) use parallel::map_in_parallel;
pub use piece::{Kind, Kinds};
pub use square::{Square, UnknownSquare};

/// The list that generators fill: steps of one side in one position, at most 768 (the worst Superchess, DiceChess or
/// Cubes 4D position stays below; exceeding it would be a defect of a generator and panics).
///
/// ```
/// use fauve_engine::core::StepList;
/// use fauve_engine::rules::{Notation, Rules, chess::Chess};
///
/// // It lives on the stack: one list, filled again and again, costs no allocation.
/// let mut steps = StepList::new();
/// let start = Chess::start(&Default::default());
/// start.generate(&mut steps);
/// assert_eq!(steps.len(), 20);
/// ```
pub type StepList<S> = arrayvec::ArrayVec<S, 768>;
