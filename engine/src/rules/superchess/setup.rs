use super::prologue::{ARRAYS, PROLOGUES, TURNS};
use super::{Options, Superchess};
use crate::rules::{Notation, OpeningList, RandomOpenings, Setup, for_each_turn, turn_token};

impl Setup for Superchess {
    /// Four of these turns are the prologue.
    const RANDOM_OPENINGS: RandomOpenings = RandomOpenings {
        turns: 10,
        balance: 60,
    };
    const OPENING_LISTS: &'static [OpeningList<Self>] = &[
        OpeningList {
            name: "arrays",
            help: "the 432 arrays, in random order",
            count: ARRAYS,
            is_shuffled: true,
            rule: None,
            position: |number, options| array(number, *options),
        },
        OpeningList {
            name: "prologue",
            help: "the positions after each of the 12,096 prologues, in random order",
            count: PROLOGUES,
            is_shuffled: true,
            rule: None,
            position: |number, options| after_prologue(number, *options),
        },
    ];
    const BENCH: &'static [&'static str] = &[
        Self::START,
        "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1",
        "rnsvkaer/pppppppp/8/8/8/8/PPPPPPPP/RNSVKAER w KQkq - 0 1",
    ];
    const BENCH_DEPTH: u32 = 10;

    fn flipped(&self) -> Option<Self> {
        self.flipped_over()
    }
}

fn array(number: usize, options: Options) -> Superchess {
    Superchess::start(&Options {
        prologue: false,
        array: number as u16,
        ..options
    })
}

/// The position after a prologue. Every turn of a prologue has as many answers as its siblings, so that the number is
/// one of mixed radix: a digit for each turn, in the order of the turns' tokens.
fn after_prologue(number: usize, options: Options) -> Superchess {
    let mut position = Superchess::start(&Options {
        prologue: true,
        ..options
    });
    let mut digits = number;
    for _ in 0..TURNS {
        let mut turns = Vec::new();
        for_each_turn(&position, &mut |turn, after| {
            turns.push((turn_token(&position, turn), *after));
        });
        turns.sort_by(|a, b| a.0.cmp(&b.0));
        position = turns[digits % turns.len()].1;
        digits /= turns.len();
    }
    position
}
