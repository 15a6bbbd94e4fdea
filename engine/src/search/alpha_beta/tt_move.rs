//! 16-bit identifiers of steps in the table.

use crate::eval::TableMoves;
use std::hash::{Hash, Hasher};

/// Returns an identifier, 1 to 65,535, of a step among the legal ones. Two steps of a position rarely share one, which only
/// makes the move ordering slightly worse.
#[inline]
pub fn hashed_tt_move<S: Hash>(step: &S) -> u16 {
    let mut hasher = Fold(0);
    step.hash(&mut hasher);
    ((hasher.0 >> 48) as u16).max(1)
}

/// The identifier under which the table stores a step of a game.
#[inline(always)]
pub fn tt_move_of<G: TableMoves>(step: G::Step) -> u16 {
    G::to_tt_move(step).unwrap_or_else(|| hashed_tt_move(&step))
}

/// Multiply-and-rotate hashing: fast, and sufficient for identifiers.
struct Fold(u64);

impl Fold {
    #[inline(always)]
    fn fold(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Fold {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.fold(u64::from(byte));
        }
    }

    #[inline(always)]
    fn write_u8(&mut self, n: u8) {
        self.fold(u64::from(n));
    }

    #[inline(always)]
    fn write_u16(&mut self, n: u16) {
        self.fold(u64::from(n));
    }

    #[inline(always)]
    fn write_u32(&mut self, n: u32) {
        self.fold(u64::from(n));
    }

    #[inline(always)]
    fn write_u64(&mut self, n: u64) {
        self.fold(n);
    }

    #[inline(always)]
    fn write_isize(&mut self, n: isize) {
        self.fold(n as u64);
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashed_moves_distinguish_steps() {
        let mut moves: Vec<u16> = (0..64u8)
            .flat_map(|from| (0..64u8).map(move |to| hashed_tt_move(&(from, to, 0u8))))
            .collect();
        moves.sort_unstable();
        moves.dedup();
        assert!(moves.len() > 3800, "{} different moves", moves.len());
    }
}
