//! Networks of random numbers, and what they say by the definition, for tests.

use super::features::{BUCKETS, Features};
use super::file::{Origin, Parameters};
use crate::core::{Color, Square};
use crate::rules::Notation;
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

/// A position of a game.
pub fn position<G: Notation>(fen: &str) -> G {
    G::from_fen(fen, &G::Options::default())
        .expect("a legal position")
        .position
}

/// The value of a position by the definition, from the numbers of the file: no view, no blocks, no kernel, and exact sums.
pub fn by_definition<G: Features>(parameters: &Parameters<G>, position: &G) -> i32 {
    let hidden = parameters.hidden();
    let layer = |side: Color| -> Vec<i64> {
        let mirror = |file: u8| {
            if position.king(side).file() > 3 {
                7 - file
            } else {
                file
            }
        };
        let mut inputs = Vec::new();
        for square in Square::all() {
            if let Some((owner, kind)) = position.man_at(square) {
                let rank = match side {
                    Color::White => square.rank(),
                    Color::Black => 7 - square.rank(),
                };
                let relation = usize::from(owner != side);
                let seen = usize::from(rank * 8 + mirror(square.file()));
                inputs.push((relation * G::KINDS + kind.index()) * 64 + seen);
            }
        }
        for owner in Color::ALL {
            for bit in 0..G::RESERVE {
                if position.reserve(owner) >> bit & 1 == 1 {
                    let relation = usize::from(owner != side);
                    inputs.push(G::KINDS * 128 + relation * G::RESERVE + bit);
                }
            }
        }
        (0..hidden)
            .map(|neuron| {
                let sum: i64 = inputs
                    .iter()
                    .map(|input| i64::from(parameters.weights()[input * hidden + neuron]))
                    .sum();
                (sum + i64::from(parameters.biases()[neuron])).clamp(0, 255)
            })
            .collect()
    };
    let side = position.side_to_move();
    let men = Square::all()
        .filter(|&square| position.man_at(square).is_some())
        .count();
    let bucket = ((men - 2) / 4).min(7);
    let weights = &parameters.output()[bucket * 2 * hidden..][..2 * hidden];
    let value = |side: Color| -> i32 {
        let neurons = [layer(side), layer(!side)].concat();
        let sum: i64 = neurons
            .iter()
            .zip(weights)
            .map(|(neuron, &weight)| neuron * neuron * i64::from(weight))
            .sum();
        let bias = i64::from(parameters.output_biases()[bucket]);
        let value = (sum / 255 + bias) * 400 / (255 * 64);
        value.clamp(-15_000, 15_000) as i32
    };
    if position.is_halfway() {
        (value(side) - value(!side)) / 2
    } else {
        value(side)
    }
}
