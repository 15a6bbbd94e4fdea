//! How many cells several sets have, on processors that count the ones of a word at a time.

use super::Bits;

/// How many cells sets have had, word by word: added up across the words once, at the end.
#[derive(Clone, Copy, Debug)]
pub struct Count([u64; 4]);

impl Count {
    /// No cell.
    #[inline(always)]
    pub const fn zero() -> Self {
        Self([0; 4])
    }

    /// Counts the cells of one set more.
    #[inline(always)]
    pub fn add(&mut self, set: Bits) {
        for (count, word) in self.0.iter_mut().zip(set.words()) {
            *count += u64::from(word.count_ones());
        }
    }

    /// The number of cells.
    #[inline(always)]
    pub fn total(self) -> u64 {
        self.0.iter().sum()
    }
}
