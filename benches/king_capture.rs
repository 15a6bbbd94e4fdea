//! DiceChess: number of the 216 throws that can capture the king, one thread: `cargo bench -p fauve-benches --bench
//! king_capture`. The baseline generates the distinct results of every roll, which is itself several times faster than turn
//! by turn.

use criterion::{Criterion, criterion_group, criterion_main};
use fauve_engine::rules::dice::{DiceChess, Found, Options, Walker};
use fauve_engine::rules::{Chance, Notation, Rules};
use paired::{compare, group};
use std::hint::black_box;

/// The start, Kiwipete and the middlegames of the test vectors.
const POSITIONS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4k1r/p1pn4/2Pp1q2/P6p/7p/b3P3/4N3/R3K2R w - - 0 1",
    "r1b1kbnr/ppp1p1p1/7p/4np2/PP6/7P/R1PNB1PR/2BQK1N1 b kq - 0 1",
    "2bk4/3pbp2/2Q5/3n4/8/8/P2PP1PP/R1B1KBNR b KQ - 0 1",
    "r1bqk3/2pnppb1/1p6/p1n5/8/PP3NP1/2PP1P1R/RNB1K3 w Qq - 0 1",
    "rnb5/pp3kp1/6p1/2Pp2B1/8/NP5P/P6R/R2K2N1 w - - 0 1",
    "1n4nr/2p1p2p/1P4kb/6p1/8/NP2Pb2/P5K1/R1B5 w - - 0 1",
    "r1q1kbr1/p1ppppp1/1p6/7R/3P4/PPQ1PB2/4KP2/RNB5 b q - 0 1",
    "rnbq1bnr/1ppkp1pp/3p4/p4p2/6PP/P1P5/1P1PPP2/RNBQKBNR b KQ - 0 1",
];

/// Number of throws with a result without the enemy king.
fn by_results(walker: &mut Walker, found: &mut Vec<Found>, position: &DiceChess) -> u32 {
    walker.start(position);
    let mut throws = 0;
    for (n, &(_, weight)) in DiceChess::rolls().iter().enumerate() {
        walker.results_of_roll(n, found);
        let taken = found
            .iter()
            .any(|result| walker.position(result).winner().is_some());
        throws += if taken { weight } else { 0 };
    }
    throws
}

fn king_capture(criterion: &mut Criterion) {
    let positions = POSITIONS.map(|fen| {
        DiceChess::from_fen(fen, &Options::default())
            .expect("a legal position")
            .position
    });
    let mut group = group(criterion, "king capture", 2);
    let (mut walker, mut found) = (Walker::new(), Vec::new());
    for (position, fen) in positions.iter().zip(POSITIONS) {
        let name = fen.split(' ').next().unwrap_or(fen);
        let throws = position.king_capture();
        compare(
            &mut group,
            name,
            || {
                assert_eq!(black_box(position).king_capture(), throws);
                1
            },
            ("by results", || {
                assert_eq!(
                    by_results(&mut walker, &mut found, black_box(position)),
                    throws
                );
                1
            }),
        );
    }
    group.finish();
}

criterion_group!(benches, king_capture);
criterion_main!(benches);
