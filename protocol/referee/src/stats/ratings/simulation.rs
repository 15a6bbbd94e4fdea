//! Ratings of simulated tournaments, whose players' strengths are known.

use super::{HeadToHead, rate};
use crate::plan::schedule::Random;
use crate::stats::{Counts, score_of_elo};
use std::thread;
use std::time::{Duration, Instant};

/// A kind of tournament.
struct Shape {
    name: &'static str,
    players: usize,
    /// The difference of the strongest and the weakest player, in Elo.
    range: f64,
    /// The share of draws between equals.
    draws: f64,
    /// The pairs of games that two players, by the order of their strengths, have.
    pairs: fn(usize, usize) -> u32,
}

const SHAPES: [Shape; 5] = [
    Shape {
        name: "gauntlet",
        players: 31,
        range: 400.0,
        draws: 0.3,
        pairs: |a, b| if a == 15 || b == 15 { 20 } else { 0 },
    },
    Shape {
        name: "double round robin",
        players: 20,
        range: 1500.0,
        draws: 0.3,
        pairs: |_, _| 1,
    },
    Shape {
        name: "sparse chain",
        players: 40,
        range: 800.0,
        draws: 0.3,
        pairs: |a, b| if a.abs_diff(b) <= 3 { 5 } else { 0 },
    },
    Shape {
        name: "unequal numbers of games",
        players: 16,
        range: 600.0,
        draws: 0.2,
        pairs: |a, b| (1 << (a % 4)) * (1 + (b % 3) as u32),
    },
    Shape {
        name: "heavy with draws",
        players: 12,
        range: 500.0,
        draws: 0.7,
        pairs: |_, _| 6,
    },
];

/// A number in [0, 1).
fn uniform(random: &mut Random) -> f64 {
    random.below(1 << 53) as f64 / (1_u64 << 53) as f64
}

/// Half points of a game: draws are rarer, the more unequal the players are, and points are as expected on average.
fn play(random: &mut Random, expected: f64, draws: f64) -> u8 {
    let drawn = draws * 2.0 * expected.min(1.0 - expected);
    let number = uniform(random);
    if number < drawn {
        1
    } else if number < drawn + expected - drawn / 2.0 {
        2
    } else {
        0
    }
}

fn tournament(shape: &Shape, random: &mut Random) -> (Vec<f64>, Vec<HeadToHead>) {
    let step = shape.range / (shape.players - 1) as f64;
    let elos: Vec<f64> = (0..shape.players)
        .map(|player| step * (player as f64 + uniform(random) - 0.5))
        .collect();
    let mean = elos.iter().sum::<f64>() / elos.len() as f64;
    let elos: Vec<f64> = elos.iter().map(|elo| elo - mean).collect();
    let mut meetings = Vec::new();
    for a in 0..shape.players {
        for b in a + 1..shape.players {
            let expected = score_of_elo(elos[a] - elos[b]);
            let mut counts = Counts::default();
            for _ in 0..(shape.pairs)(a, b) {
                let [first, second] = [(); 2].map(|()| play(random, expected, shape.draws));
                counts.add_game(first);
                counts.add_game(second);
                counts.add_pair(first, second);
            }
            if counts.games() > 0 {
                meetings.push(counts.meeting([a, b]));
            }
        }
    }
    (elos, meetings)
}

/// By how much the ratings' spread is that of the true strengths, and the share of bars that hold.
fn simulate(shape: &Shape, tournaments: usize) -> (f64, f64) {
    let mut random = Random::new(17);
    let (mut product, mut square, mut held, mut bars) = (0.0, 0.0, 0_u32, 0_u32);
    for _ in 0..tournaments {
        let (elos, meetings) = tournament(shape, &mut random);
        let ratings = rate(shape.players, &meetings, &[]).expect("one scale");
        for (rating, elo) in ratings.iter().zip(elos) {
            product += rating.elo * elo;
            square += elo * elo;
            held += u32::from((rating.elo - elo).abs() <= rating.error);
            bars += 1;
        }
    }
    (product / square, f64::from(held) / f64::from(bars))
}

/// Checks all shapes, side by side.
fn check(tournaments: usize, spread_tolerance: f64, least: f64, most: f64) {
    let check_shape = |shape: &Shape| {
        let (spread, held) = simulate(shape, tournaments);
        println!("{}: spread {spread:.4}, bars hold {held:.4}", shape.name);
        assert!(
            (spread - 1.0).abs() <= spread_tolerance,
            "{}: spread {spread}",
            shape.name
        );
        assert!(
            (least..=most).contains(&held),
            "{}: bars hold {held}",
            shape.name
        );
    };
    thread::scope(|scope| {
        for shape in &SHAPES {
            scope.spawn(|| check_shape(shape));
        }
    });
}

#[test]
fn ratings_of_simulated_tournaments_have_the_true_spread_and_bars_that_hold() {
    check(150, 0.035, 0.925, 0.975);
}

#[test]
#[ignore = "half a minute: cargo test -- --ignored long_"]
fn long_ratings_of_a_thousand_simulated_tournaments_each() {
    check(1000, 0.03, 0.93, 0.97);
}

#[test]
fn a_hundred_players_with_ten_thousand_games_are_rated_at_once() {
    let shape = Shape {
        name: "large",
        players: 100,
        range: 1000.0,
        draws: 0.3,
        pairs: |_, _| 1,
    };
    let (_, meetings) = tournament(&shape, &mut Random::new(5));
    assert_eq!(
        meetings.iter().map(|one| one.games as u32).sum::<u32>(),
        9900
    );
    let begin = Instant::now();
    rate(100, &meetings, &[]).expect("one scale");
    assert!(begin.elapsed() < Duration::from_secs(5));
}
