//! Seeded random numbers for games, shuffles and initial weights.

use fauve_engine::core::zobrist::splitmix;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A generator that depends only on a seed and the number of its use (a game, an epoch).
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Creates generator `n` of a seed.
    pub fn new(seed: u64, n: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(splitmix(seed, n)))
    }

    /// A random number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (u128::from(self.0.next_u64()) * bound as u128 >> 64) as usize
    }

    /// True with probability `1 / n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A random number in 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles a slice.
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for i in (1..slice.len()).rev() {
            slice.swap(i, self.below(i + 1));
        }
    }
}
