//! Endgames of DiceChess with at most three pieces, or also with four where none is a pawn: the probability to win of the side that rolls
//! next, for every position.
//!
//! The tables are made by value iteration ([`Endgames::with_next`]), kept in a file ([`Endgames::to_bytes`]), and used by
//! the search where the settings bring them. A draw counts as half won. The values are those of a game whose count of quiet turns
//! begins: they are exact there, and near enough as long as the draw is far, but for bishops of one side or of both alone, where the
//! last thirty turns before the draw can still tell some hundredths.

mod class;
mod file;
mod solve;

#[cfg(test)]
mod tests;

pub use file::{EndgamesError, MAX_BYTES};
pub use solve::Progress;

use crate::eval::dice::CERTAIN;
use crate::rules::dice::DiceChess;
use class::{OF_THREE, OFFSETS};
use std::fmt;
use std::sync::Arc;

/// Number of quiet turns from which the draw is too near for tables that assume none.
const LAST_CLOCK: u16 = 30;

/// The tables, for all threads and searches.
#[derive(Clone)]
pub struct Endgames(Arc<[u16]>);

impl Endgames {
    /// The largest number of pieces of a position in the tables.
    #[inline]
    pub fn most_pieces(&self) -> u32 {
        if self.0.len() > OFFSETS[OF_THREE] {
            4
        } else {
            3
        }
    }

    /// Returns the number of endgame classes in the tables, in the order in which they are generated.
    pub fn classes(&self) -> usize {
        OFFSETS[1..].partition_point(|&end| end <= self.0.len())
    }

    /// The probability to win of the side that rolls next, of [`CERTAIN`], to three parts in 65,535; `None` for positions with more pieces,
    /// with a pawn and another piece, of classes that have not been made, with castling rights, without a king, inside a turn or close to
    /// the draw by quiet turns.
    #[inline]
    pub fn chance(&self, position: &DiceChess) -> Option<i32> {
        if position.board().occupied().len() > self.most_pieces() || position.clock() > LAST_CLOCK {
            return None;
        }
        let value = *self.0.get(class::index(position)?)?;
        Some((i64::from(value) * i64::from(CERTAIN) / i64::from(u16::MAX)) as i32)
    }
}

impl PartialEq for Endgames {
    /// Whether these are the very same tables, or tables with the same numbers.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl fmt::Debug for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Endgames")
    }
}
