use super::DiceChess;
use crate::rules::{RandomOpenings, Setup};

impl Setup for DiceChess {
    const RANDOM_OPENINGS: RandomOpenings = RandomOpenings {
        turns: 0,
        balance: 0,
    };
    const BENCH: &'static [&'static str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB",
        "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPP2PPP/R1BQKB1R w KQkq - 0 5 NBQ",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 PRK",
    ];
    const BENCH_DEPTH: u32 = 2;

    fn flipped(&self) -> Option<Self> {
        Some(self.flipped_over())
    }
}
