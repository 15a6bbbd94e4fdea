//! Two-move chess: vectors and properties.

use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{
    Notation, Problem, Rules, Switches, for_each_turn, has_turn, perft, perft_parallel,
};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};

#[derive(Deserialize)]
struct Suite {
    positions: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    fen: String,
    status: Option<String>,
    #[serde(default)]
    perft: Vec<[u64; 3]>,
    second_halves: Option<u64>,
}

fn suite() -> Vec<Vector> {
    let suite: Suite = serde_json::from_str(include_str!("data/twomove.json")).unwrap();
    assert_eq!(suite.positions.len(), 40);
    suite.positions
}

fn read(fen: &str) -> TwoMove {
    if fen == "startpos" {
        return TwoMove::start(&Switches::default());
    }
    TwoMove::from_fen(fen, &Switches::default())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

fn refusal(fen: &str) -> Problem {
    TwoMove::from_fen(fen, &Switches::default())
        .expect_err(fen)
        .problem
}

fn status(position: &TwoMove) -> &'static str {
    match (
        has_turn(position),
        position.in_check(),
        position.lost_without_turn(),
    ) {
        (true, true, _) => "check",
        (true, false, _) => "ok",
        (false, true, true) => "mate",
        (false, true, false) => "stalemate in check",
        (false, false, _) => "stalemate",
    }
}

/// Positions after `depth` turns, each once: (positions, placements).
fn distinct(position: &TwoMove, depth: usize) -> Vec<(u64, u64)> {
    let mut level = vec![*position];
    let mut counts = Vec::new();
    for _ in 0..depth {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for position in &level {
            for_each_turn(position, &mut |_, after| {
                if seen.insert(after.key()) {
                    next.push(*after);
                }
            });
        }
        let placements: HashSet<String> = next
            .iter()
            .map(|position| position.fen().split(' ').next().unwrap().to_owned())
            .collect();
        counts.push((next.len() as u64, placements.len() as u64));
        level = next;
    }
    counts
}

#[test]
fn vectors() {
    for vector in suite() {
        if vector.status.as_deref() == Some("illegal") {
            assert_eq!(
                refusal(&vector.fen),
                Problem::KingCapturable,
                "{}",
                vector.fen
            );
            continue;
        }
        let position = read(&vector.fen);
        if let Some(expected) = &vector.status {
            assert_eq!(status(&position), expected, "{}", vector.fen);
        }
        if let Some(expected) = vector.second_halves {
            assert_eq!(position.count_turns(), expected, "{}", vector.fen);
        }
        for (i, expected) in vector.perft.iter().enumerate() {
            let depth = i as u32 + 1;
            assert_eq!(
                perft(&position, depth),
                expected[0],
                "{} depth {depth}",
                vector.fen
            );
        }
        let counts: Vec<_> = vector.perft.iter().map(|row| (row[1], row[2])).collect();
        assert_eq!(distinct(&position, counts.len()), counts, "{}", vector.fen);
    }
}

#[test]
fn three_turns_from_the_start() {
    let start = read("startpos");
    assert_eq!(perft_parallel(&start, 3), 3_799_829);
    // Each position once, with the number of sequences that lead to it.
    let mut ends: HashMap<u64, (TwoMove, u32)> = HashMap::new();
    for_each_turn(&start, &mut |_, one| {
        for_each_turn(one, &mut |_, two| {
            for_each_turn(two, &mut |_, three| {
                ends.entry(three.key()).or_insert((*three, 0)).1 += 1;
            });
        });
    });
    let (mut mates, mut other_ends, mut sequences) = (0, 0, 0);
    for (position, times) in ends.values() {
        sequences += times;
        if !has_turn(position) {
            match status(position) {
                "mate" => mates += times,
                _ => other_ends += times,
            }
        }
    }
    assert_eq!((sequences, mates, other_ends), (3_799_829, 968, 0));
}
