//! Networks of random numbers, for tests.

use super::features::{BUCKETS, Features};
use super::file::{Origin, Parameters};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A generator of the given seed.
pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A number from `-limit` to `limit`.
pub fn within(rng: &mut impl Rng, limit: i16) -> i16 {
    let span = 2 * u64::from(limit.unsigned_abs()) + 1;
    ((rng.next_u64() % span) as i64 - i64::from(limit)) as i16
}

/// Parameters with numbers of the size that trained ones have.
pub fn random_parameters<G: Features>(hidden: usize, seed: u64) -> Parameters<G> {
    let mut rng = random(seed);
    let mut numbers =
        |count: usize, limit| -> Vec<i16> { (0..count).map(|_| within(&mut rng, limit)).collect() };
    let weights = numbers(G::INPUTS * hidden, 60);
    let biases = numbers(hidden, 200);
    let output = numbers(BUCKETS * 2 * hidden, 127);
    let output_biases = (numbers(BUCKETS, 3000).into_iter().map(i32::from)).collect();
    let origin = Origin {
        seed,
        positions: rng.next_u64(),
    };
    Parameters::new(origin, weights, biases, output, output_biases).expect("of the right shape")
}
