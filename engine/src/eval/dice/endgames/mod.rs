//! Endgames of DiceChess with at most three pieces, or also with four where none is a pawn: the probability to win of the side that rolls
//! next, for every position.
//!
//! The tables are made by value iteration ([`Endgames::with_next`]), kept in a file ([`Endgames::to_bytes`]), and used by
//! the search where the settings bring them. A draw counts as half won. The values assume that the counter of quiet turns is 0. They are
//! exact there and a good approximation up to `LAST_CLOCK` quiet turns; where only bishops stand beside the kings, a count up to that limit
//! can change the value by some hundredths.

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

/// Largest count of quiet turns at which the tables, which assume a count of 0, are used.
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

    /// The winning probability of the side that rolls next, in units of 1 / [`CERTAIN`], with an error of at most 3 / 65,535. `None` for
    /// positions with more pieces, with a pawn and another piece, of classes that have not been made, with castling rights, without a king,
    /// within a turn or close to the draw by quiet turns.
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
    /// Whether these are the same tables in memory, or tables with equal numbers.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl fmt::Debug for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Endgames")
    }
}
