//! Cubes 4D: vectors and properties.

use fauve_engine::core::Color;
use fauve_engine::rules::cubes::Position;
use fauve_engine::rules::{Notation, Rules, Switches, perft};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    positions: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    fen: String,
    check: bool,
    perft: Vec<u64>,
}

fn rules_as_written() -> Switches {
    Switches::default()
}

fn read(fen: &str) -> Position {
    Position::from_fen(fen, &rules_as_written())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

#[test]
fn vectors() {
    let vectors: Vectors =
        serde_json::from_str(include_str!("data/cubes4d.json")).expect("test data");
    assert_eq!(vectors.positions.len(), 22);
    for Vector {
        fen,
        check,
        perft: leaves,
    } in vectors.positions
    {
        let position = read(&fen);
        assert_eq!(position.fen(), fen);
        assert_eq!(position.in_check(), check, "{fen}");
        for (depth, leaves) in (1..).zip(leaves) {
            assert_eq!(perft(&position, depth), leaves, "{fen} depth {depth}");
        }
    }
}

#[test]
fn prologue_figures() {
    let start = Position::start(&rules_as_written());
    assert_eq!(start.side_to_move(), Color::Black);
    for (depth, leaves) in [(1, 2), (2, 70), (3, 2144)] {
        assert_eq!(perft(&start, depth), leaves);
    }
}
