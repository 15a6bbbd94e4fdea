use super::fen::{LEFT, PROLOGUE, RIGHT};
use super::{Cubes4d, Options};
use crate::rules::{OpeningList, RandomOpenings, Setup};

impl Setup for Cubes4d {
    /// The choice of the lateral Pawns is one of the turns.
    const RANDOM_OPENINGS: RandomOpenings = RandomOpenings {
        turns: 7,
        balance: 100,
    };
    const OPENING_LISTS: &'static [OpeningList<Self>] = &[OpeningList {
        name: "laterals",
        help: "the lateral Pawns on the left and the right by turns",
        count: 2,
        is_shuffled: false,
        rule: None,
        position: |number, options| laterals(number, *options),
    }];
    const BENCH: &'static [&'static str] = &[RIGHT, PROLOGUE];
    const BENCH_DEPTH: u32 = 6;

    fn flipped(&self) -> Option<Self> {
        self.flipped_over()
    }
}

fn laterals(number: usize, options: Options) -> Cubes4d {
    let text = if number == 0 { LEFT } else { RIGHT };
    Cubes4d::parse(text, options)
        .expect("the start position is well formed")
        .position
}
