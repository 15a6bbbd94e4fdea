//! Networks with random weights, and their values computed by the definition, for tests.

use super::features::{BUCKETS, Features};
use super::file::{Origin, Parameters};
use super::{AccumulatorStack, HasNetwork, IncrementalFeatures, Network};
use crate::core::{Color, Square};
use crate::rules::{Notation, legal_steps};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::Arc;

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
pub fn random_parameters<G: HasNetwork>(hidden: usize, seed: u64) -> Parameters<G> {
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
    let inputs = |side: Color| -> Vec<usize> {
        let mirror = |file: u8| {
            if position.king(side).file() > 3 {
                7 - file
            } else {
                file
            }
        };
        let mut inputs = Vec::new();
        for square in Square::all() {
            if let Some((owner, kind)) = position.piece_at(square) {
                let rank = match side {
                    Color::White => square.rank(),
                    Color::Black => 7 - square.rank(),
                };
                let relation = usize::from(owner != side);
                let seen = usize::from(rank * 8 + mirror(square.file()));
                inputs.push((relation * G::KINDS + kind.index()) * 64 + seen);
                let threats = G::threats(&position.pieces());
                for (set, threatened) in threats.as_ref().iter().enumerate() {
                    if threatened.has(square) {
                        let region = seen / 16 * 4 + seen % 8 / 2;
                        let threat = (2 * set + relation) * G::KINDS + kind.index();
                        inputs.push(G::FIRST_INPUTS + threat * 16 + region);
                    }
                }
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
        inputs
    };
    let side = position.side_to_move();
    let pieces = Square::all()
        .filter(|&square| position.piece_at(square).is_some())
        .count();
    let bucket = ((pieces - 2) / 4).min(7);
    let [own, other] = [inputs(side), inputs(!side)];
    let value = |own: &[usize], other: &[usize]| by_inputs(parameters, [own, other], bucket);
    if position.is_halfway() {
        (value(&own, &other) - value(&other, &own)) / 2
    } else {
        position.with_endgames(value(&own, &other))
    }
}

/// Computes the value of a network from the inputs that are on, in the view of the side to move and in the other's.
pub fn by_inputs<G: HasNetwork>(
    parameters: &Parameters<G>,
    inputs: [&[usize]; 2],
    bucket: usize,
) -> i32 {
    let hidden = parameters.hidden();
    let layer = |inputs: &[usize]| -> Vec<i64> {
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
    let weights = &parameters.output()[bucket * 2 * hidden..][..2 * hidden];
    let neurons = inputs.map(layer).concat();
    let sum: i64 = neurons
        .iter()
        .zip(weights)
        .map(|(neuron, &weight)| neuron * neuron * i64::from(weight))
        .sum();
    let bias = i64::from(parameters.output_biases()[bucket]);
    let value = (sum / 255 + bias) * G::SCALE / (255 * 64);
    value.clamp(-15_000, 15_000) as i32
}

/// Any of the items.
fn choose<T: Copy>(rng: &mut Xoshiro256PlusPlus, items: &[T]) -> T {
    items[(rng.next_u64() % items.len() as u64) as usize]
}

/// Random games on lines like those of a search: forwards, back by any number of steps, with null moves, asking for values at some
/// nodes only.
pub struct Walk<'a, G: IncrementalFeatures> {
    /// How many steps.
    pub steps: usize,
    /// The neurons of the random network.
    pub hidden: usize,
    /// Whether `push` is called as a search calls it; if not, only some calls are made, and heights are in any order.
    pub orderly: bool,
    /// Where games begin.
    pub roots: &'a [&'a str],
    /// The null move.
    pub null_move: fn(&G) -> Option<G>,
    /// Steps that are chosen more often than by chance.
    pub is_rare: fn(&G, &G) -> bool,
    /// The value by the definition.
    pub definition: fn(&Parameters<G>, &G) -> i32,
}

/// What a walk did besides its steps.
#[derive(Default, Debug)]
pub struct Walked {
    /// Null moves.
    pub passed: usize,
    /// Steps taken back.
    pub back: usize,
    /// Heights that did not follow.
    pub jumped: usize,
}

impl<G: IncrementalFeatures + Notation> Walk<'_, G> {
    /// A random legal step; now and then one of those that are rare.
    fn step(&self, rng: &mut Xoshiro256PlusPlus, position: &G) -> Option<G> {
        let after = |step: &G::Step| {
            let mut next = *position;
            next.play(*step);
            next
        };
        let steps = legal_steps(position);
        if steps.is_empty() {
            return None;
        }
        if rng.next_u64().is_multiple_of(4) {
            let rare: Vec<G> = steps
                .iter()
                .map(after)
                .filter(|next| (self.is_rare)(position, next))
                .collect();
            if !rare.is_empty() {
                return Some(choose(rng, &rare));
            }
        }
        Some(after(&choose(rng, &steps)))
    }

    /// Walks, and checks that each value of the evaluator equals the value computed from scratch. `note` receives every step.
    pub fn wander(&self, mut note: impl FnMut(&G, &G)) -> Walked {
        let parameters = random_parameters::<G>(self.hidden, self.hidden as u64);
        let network = Arc::new(Network::new(&parameters));
        let mut evaluator = AccumulatorStack::new(network.clone());
        let mut rng = random(self.steps as u64 + u64::from(self.orderly));
        let mut walked = Walked::default();
        let mut line: Vec<G> = Vec::new();
        for count in 0..self.steps {
            let next = match line.last() {
                // From another root.
                Some(_) if line.len() >= 300 || rng.next_u64().is_multiple_of(100) => {
                    line.clear();
                    None
                }
                Some(last) => match rng.next_u64() % 16 {
                    0 => (self.null_move)(last).inspect(|_| walked.passed += 1),
                    1 | 2 => {
                        let back = rng.next_u64() as usize % line.len().min(12);
                        line.truncate(line.len() - back);
                        walked.back += back;
                        continue;
                    }
                    _ => self.step(&mut rng, last).inspect(|next| note(last, next)),
                },
                None => None,
            };
            match next {
                Some(next) => line.push(next),
                // Mated, or in check where a null move was wanted: on with a position further back.
                None if line.len() > 1 => line.truncate(line.len() - 1),
                None => line = vec![position(choose(&mut rng, self.roots))],
            }
            let (mut height, at) = (line.len() - 1, line[line.len() - 1]);
            if self.orderly || rng.next_u64().is_multiple_of(2) {
                evaluator.push(height);
            }
            if !self.orderly && rng.next_u64().is_multiple_of(8) {
                height = rng.next_u64() as usize % 320;
                walked.jumped += 1;
            }
            if rng.next_u64().is_multiple_of(4) {
                continue;
            }
            let value = evaluator.evaluate(&at, height);
            assert_eq!(value, network.evaluate(&at), "step {count}: {}", at.fen());
            if count.is_multiple_of(64) {
                let defined = (self.definition)(&parameters, &at);
                assert_eq!(value, defined, "{}", at.fen());
                assert_eq!(value, evaluator.evaluate(&at, height), "asked again");
            }
        }
        walked
    }
}
