//! Positions that a game offers: openings for matches, examples for the benchmark, and each position seen from the other
//! side.

use super::Notation;

/// A numbered list of positions that games can begin from.
#[derive(Debug)]
pub struct OpeningList<G: Notation> {
    /// What the user calls it.
    pub name: &'static str,
    /// What it holds, for people.
    pub help: &'static str,
    /// How many there are.
    pub count: usize,
    /// Whether a match takes them in random order rather than one after the other.
    pub is_shuffled: bool,
    /// The position of a number below `count`.
    pub position: fn(usize, &G::Options) -> G,
}

/// How random openings are found that are fair and differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpenings {
    /// Random turns from the start position; 0 where the dice see to it that games differ.
    pub turns: u32,
    /// The most that a short search may see for either side, in centipawns.
    pub balance: i32,
}

/// The positions that a game offers.
pub trait Setup: Notation {
    /// The openings that a match takes unless told otherwise.
    const RANDOM_OPENINGS: RandomOpenings = RandomOpenings {
        turns: 8,
        balance: 60,
    };
    /// Other openings that the game has names for.
    const OPENING_LISTS: &'static [OpeningList<Self>] = &[];
    /// Positions that show the game from beginning to end, for the benchmark.
    const BENCH: &'static [&'static str] = &[Self::START];
    /// The depth, in turns, to which the benchmark searches them.
    const BENCH_DEPTH: u32 = 8;

    /// The same position with the colours exchanged and the board upside down; `None` where the rules treat the sides
    /// differently.
    fn flipped(&self) -> Option<Self>;
}

/// The named opening list of a game.
pub fn opening_list<G: Setup>(name: &str) -> Option<&'static OpeningList<G>> {
    G::OPENING_LISTS.iter().find(|list| list.name == name)
}
