use super::chess960::{STARTS, start};
use super::{CHESS960, Chess};
use crate::rules::{Notation, OpeningList, Setup};

impl Setup for Chess {
    const OPENING_LISTS: &'static [OpeningList<Self>] = &[
        OpeningList {
            name: "chess960",
            help: "the 960 start positions of Chess960, in random order",
            count: STARTS,
            is_shuffled: true,
            rule: Some(CHESS960),
            position: |number, _| start(number, number),
        },
        OpeningList {
            name: "dfrc",
            help: "double Chess960: the 921,600 pairs of first ranks, in random order",
            count: STARTS * STARTS,
            is_shuffled: true,
            rule: Some(CHESS960),
            position: |number, _| start(number / STARTS, number % STARTS),
        },
    ];
    const BENCH: &'static [&'static str] = &[
        Self::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1P2N2/2P2PPP/R1BQKB1R w KQ - 1 9",
        "2r3k1/1p3ppp/p3p3/3pP3/1q1P1P2/1P2QN2/6PP/2R3K1 b - - 0 24",
        "8/5pk1/6p1/3R3p/r6P/5PP1/6K1/8 b - - 3 41",
    ];
    const BENCH_DEPTH: u32 = 12;

    fn flipped(&self) -> Option<Self> {
        Some(Self(self.0.flipped()))
    }
}
