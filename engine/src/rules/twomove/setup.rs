use super::{TwoMove, fen};
use crate::rules::{Notation, RandomOpenings, Setup};

impl Setup for TwoMove {
    const RANDOM_OPENINGS: RandomOpenings = RandomOpenings {
        turns: 4,
        balance: 200,
    };
    const BENCH: &'static [&'static str] = &[
        Self::START,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2",
        "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 0 5 2",
    ];
    const BENCH_DEPTH: u32 = 2;

    /// White's first turn has one move: seen from the other side it is a turn of which one move is left.
    fn flipped(&self) -> Option<Self> {
        Some(fen::flipped(self))
    }
}
