//! Perft, one thread: chess with bulk counting against cozy-chess, Superchess against our own chess, and Cubes 4D against a
//! plain generator. `cargo bench -p fauve-benches --bench perft`.

#[path = "../tests/naive/cubes.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod naive_cubes;

use criterion::{Criterion, criterion_group, criterion_main};
use fauve_engine::rules::chess::{Chess, Options};
use fauve_engine::rules::cubes;
use fauve_engine::rules::superchess::{self, Superchess};
use fauve_engine::rules::{Notation, perft};
use naive_cubes::Naive;
use paired::{compare, group};
use std::hint::black_box;

const POSITIONS: [(&str, &str, u32); 2] = [
    (
        "start depth 6",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        6,
    ),
    (
        "kiwipete depth 5",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
    ),
];

/// The fastest way to count with cozy-chess: the lengths of its move sets at the last ply, with a listener of its own, so
/// that the compiler inlines the whole generator.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut count = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for step in moves {
                let mut next = board.clone();
                next.play_unchecked(step);
                count += cozy_perft(&next, depth - 1);
            }
            false
        });
    }
    count
}

fn chess(criterion: &mut Criterion) {
    let mut group = group(criterion, "chess perft", 4);
    for (name, fen, depth) in POSITIONS {
        let position = Chess::from_fen(fen, &Options::default())
            .expect("a legal position")
            .position;
        let board: cozy_chess::Board = fen.parse().expect("a legal position");
        let (ours, theirs) = compare(
            &mut group,
            name,
            || perft(black_box(&position), depth),
            ("cozy-chess", || cozy_perft(black_box(&board), depth)),
        );
        assert_eq!(ours, theirs, "{name}");
    }
    group.finish();
}

/// An array of Superchess and a middlegame, each beside chess from the start to a depth of similar duration.
fn superchess(criterion: &mut Criterion) {
    const POSITIONS: [(&str, &str, u32); 2] = [
        (
            "array depth 5",
            "rnsakevr/pppppppp/8/8/8/8/PPPPPPPP/RNSAKEVR w KQkq - 0 1",
            5,
        ),
        (
            "middlegame depth 4",
            "r2ak2r/1pp1nppp/p1sp1v2/2b1p3/2B1P3/P1SP1V2/1PP1NPPP/R2AK2R w KQkq - 4 9",
            4,
        ),
    ];
    let chess = Chess::start(&Options::default());
    let mut group = group(criterion, "superchess perft", 4);
    for (name, fen, depth) in POSITIONS {
        let position = Superchess::from_fen(fen, &superchess::Options::default())
            .expect("a legal position")
            .position;
        compare(
            &mut group,
            &format!("superchess {name}"),
            || perft(black_box(&position), depth),
            ("chess start depth 5", || perft(black_box(&chess), 5)),
        );
    }
    group.finish();
}

/// Both start positions to depth 4, beside the plain generator of the tests to depth 2.
fn cubes4d(criterion: &mut Criterion) {
    const POSITIONS: [(&str, &str); 2] = [
        (
            "lateral pawns right, depth 4",
            "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
        ),
        (
            "lateral pawns left, depth 4",
            "e10:2r1n1q1k1g1n2b/0p11p1p1p10/2110112/0P11P1P1P10/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
        ),
    ];
    let mut group = group(criterion, "cubes4d perft", 4);
    for (name, fen) in POSITIONS {
        let position = cubes::Cubes4d::from_fen(fen, &cubes::Options::default())
            .expect("a legal position")
            .position;
        let naive = Naive::read(fen);
        compare(
            &mut group,
            &format!("cubes4d {name}"),
            || perft(black_box(&position), 4),
            ("plain generator depth 2", || black_box(&naive).perft(2)),
        );
    }
    group.finish();
}

criterion_group!(benches, chess, superchess, cubes4d);
criterion_main!(benches);
