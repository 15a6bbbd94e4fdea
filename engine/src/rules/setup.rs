//! Positions that a game offers: openings for matches, examples for the benchmark, and each position seen from the other
//! side.

use super::{Notation, RuleOption};

/// A numbered list of positions that games can begin from.
#[derive(Debug)]
pub struct OpeningList<G: Notation> {
    /// The name that the user types.
    pub name: &'static str,
    /// Help text: the positions in it.
    pub help: &'static str,
    /// The number of positions.
    pub count: usize,
    /// Whether a match takes them in random order rather than one after the other.
    pub is_shuffled: bool,
    /// The check box that has to be on where these positions are played.
    pub rule: Option<RuleOption>,
    /// Returns the position of a number below `count`.
    pub position: fn(usize, &G::Options) -> G,
}

/// Settings for random openings that are balanced and varied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpenings {
    /// Number of random turns from the start position; 0 where dice already make games differ.
    pub turns: u32,
    /// Largest advantage of either side by a short search, in centipawns.
    pub balance: i32,
}

/// The positions that a game offers.
pub trait Setup: Notation {
    /// The default openings of a match.
    const RANDOM_OPENINGS: RandomOpenings = RandomOpenings {
        turns: 8,
        balance: 60,
    };
    /// The other named opening lists of the game.
    const OPENING_LISTS: &'static [OpeningList<Self>] = &[];
    /// Benchmark positions, from the opening to the endgame.
    const BENCH: &'static [&'static str] = &[Self::START];
    /// Benchmark depth in turns.
    const BENCH_DEPTH: u32 = 8;

    /// The same position with the colours exchanged and the board upside down; `None` where the rules treat the sides
    /// differently.
    fn flipped(&self) -> Option<Self>;
}

/// The named opening list of a game.
pub fn opening_list<G: Setup>(name: &str) -> Option<&'static OpeningList<G>> {
    G::OPENING_LISTS.iter().find(|list| list.name == name)
}
