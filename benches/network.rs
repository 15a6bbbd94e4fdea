//! Network evaluations per second, one thread: `cargo bench -p fauve-benches --bench network`. Compares incremental updates
//! along lines, as in a search, with computing each position anew, and the best kernel of this processor with the portable
//! one.

use criterion::{Criterion, criterion_group, criterion_main};
use fauve_engine::eval::network::features::BUCKETS;
use fauve_engine::eval::network::kernels::Kernel;
use fauve_engine::eval::network::{AccumulatorStack, Features, Network, Origin, Parameters};
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::{Notation, legal_steps};
use paired::{compare, group};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::hint::black_box;
use std::sync::Arc;

/// Number of hidden neurons, the default of the training.
const HIDDEN: usize = 128;
const LINES: usize = 200;
const LENGTH: usize = 60;

/// A network of random numbers: the cost does not depend on them.
fn parameters<G: Features>(rng: &mut impl Rng) -> Parameters<G> {
    let mut numbers = |count: usize, limit: u64| -> Vec<i16> {
        (0..count)
            .map(|_| (rng.next_u64() % (2 * limit + 1)) as i16 - limit as i16)
            .collect()
    };
    let (weights, biases) = (numbers(G::INPUTS * HIDDEN, 60), numbers(HIDDEN, 200));
    let output = numbers(BUCKETS * 2 * HIDDEN, 127);
    Parameters::new(Origin::default(), weights, biases, output, vec![0; BUCKETS])
        .expect("of the right shape")
}

/// Random games from a position.
fn lines<G: Features>(start: G, rng: &mut impl Rng) -> Vec<Vec<G>> {
    let line = |_| {
        let mut line = vec![start];
        while line.len() < LENGTH {
            let mut next = line[line.len() - 1];
            let steps = legal_steps(&next);
            if steps.is_empty() {
                break;
            }
            next.play(steps[(rng.next_u64() % steps.len() as u64) as usize]);
            line.push(next);
        }
        line
    };
    (0..LINES).map(line).collect()
}

/// Evaluates along the lines; returns the number of evaluations.
fn follow<G: Features>(evaluator: &mut AccumulatorStack<G>, lines: &[Vec<G>]) -> u64 {
    let mut count = 0;
    for line in lines {
        for (height, position) in line.iter().enumerate() {
            evaluator.push(height);
            black_box(evaluator.evaluate(position, height));
            count += 1;
        }
    }
    count
}

fn measure<G: Features + Notation>(criterion: &mut Criterion, fen: &str) {
    let start = G::from_fen(fen, &G::Options::default())
        .expect("a legal position")
        .position;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let lines = lines(start, &mut rng);
    let parameters = parameters::<G>(&mut rng);
    let best = Arc::new(Network::new(&parameters));
    let portable = Arc::new(Network::with_kernel(&parameters, Kernel::PORTABLE));
    let mut group = group(criterion, "network", 3);
    let mut evaluator = AccumulatorStack::new(best.clone());
    compare(
        &mut group,
        &format!("{} {HIDDEN} incremental", G::NAME),
        || follow(&mut evaluator, &lines),
        ("from nothing", || {
            let mut count = 0;
            for position in lines.iter().flatten() {
                black_box(best.evaluate(position));
                count += 1;
            }
            count
        }),
    );
    let mut evaluators = [best.clone(), portable].map(AccumulatorStack::new);
    let [ours, theirs] = &mut evaluators;
    compare(
        &mut group,
        &format!("{} {HIDDEN} {}", G::NAME, best.kernel().name()),
        || follow(ours, &lines),
        ("portable", || follow(theirs, &lines)),
    );
    group.finish();
}

fn games(criterion: &mut Criterion) {
    measure::<Chess>(
        criterion,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    );
    measure::<Superchess>(
        criterion,
        "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1",
    );
}

criterion_group!(benches, games);
criterion_main!(benches);
