//! Orthodox chess: perft suite, agreement with cozy-chess on random positions, FEN and draws.

use crate::properties::{keys_differ, keys_equal, random_games};
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::{Notation, Switches, perft_parallel};

fn position(fen: &str) -> Chess {
    Chess::from_fen(fen, &Switches::default())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

/// The six usual positions and their counts from depth 1 (<https://www.chessprogramming.org/Perft_Results>).
#[test]
fn perft_suite() {
    let suite: [(&str, &[u64]); 7] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[20, 400, 8902, 197281, 4865609],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2039, 97862, 4085603, 193690690],
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            &[14, 191, 2812, 43238, 674624, 11030083],
        ),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9467, 422333, 15833292],
        ),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            &[6, 264, 9467, 422333, 15833292],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1486, 62379, 2103487, 89941194],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2079, 89890, 3894594, 164075551],
        ),
    ];
    for (fen, counts) in suite {
        let position = position(fen);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(
                perft_parallel(&position, depth),
                count,
                "{fen} depth {depth}"
            );
        }
    }
}

#[test]
fn properties() {
    let switches = Switches::default();
    let starts = [
        "startpos",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    random_games::<Chess>(&switches, &starts, 40, 4);
    keys_differ::<Chess>(
        &switches,
        &[
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w Qkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w Kkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w - - 0 1",
            "r3k2r/8/8/2pB4/8/8/8/R3K2R w KQkq - 0 1",
        ],
    );
    keys_equal::<Chess>(
        &switches,
        &[
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq - 7 30",
        ],
    );
    // No pawn attacks the target.
    keys_equal::<Chess>(
        &switches,
        &[
            "4k3/8/8/2p5/8/8/8/4K3 w - c6 0 1",
            "4k3/8/8/2p5/8/8/8/4K3 w - - 0 1",
        ],
    );
}
