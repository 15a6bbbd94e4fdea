//! What a search says, as text without a format: turns are tokens, and how a line looks is up to a [`OutputFormat`].

use fauve_engine::rules::{Notation, turn_token};
use fauve_engine::search::{Bound, Info, Score};
use std::time::Duration;

/// A principal variation.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine {
    /// Completed depth in turns; 0 where there is no turn to give.
    pub depth: u32,
    /// Deepest line looked at, in turns.
    pub seldepth: u32,
    /// Which of the principal variations, from 1.
    pub multipv: usize,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Win, draw and loss per mille, if they are to be shown.
    pub wdl: Option<[u16; 3]>,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Fill of the transposition table, per mille.
    pub hashfull: u32,
    /// The tokens of the turns.
    pub pv: Vec<String>,
}

impl PvLine {
    /// The text of a report about the position `root`.
    pub fn new<G: Notation>(root: &G, info: &Info<G>, show_wdl: bool) -> Self {
        let mut position = *root;
        let mut pv = Vec::with_capacity(info.pv.len());
        for turn in &info.pv {
            pv.push(turn_token(&position, turn));
            for &step in turn {
                position.play(step);
            }
        }
        Self {
            depth: info.depth,
            seldepth: info.seldepth,
            multipv: info.multipv,
            score: info.score,
            bound: info.bound,
            wdl: show_wdl.then_some(info.wdl),
            nodes: info.nodes,
            time: info.time,
            hashfull: info.hashfull,
            pv,
        }
    }

    /// Positions per second.
    pub fn nps(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// A rate; times under a microsecond count as one.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    (u128::from(nodes) * 1_000_000 / micros) as u64
}

/// The answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best {
    /// The token of the turn to play (or of its next move, as the user chose); `None`: there is no turn to give.
    pub turn: Option<String>,
    /// The token of the expected reply.
    pub ponder: Option<String>,
}

/// How a protocol writes what a search says.
pub trait OutputFormat: Send + Sync {
    /// A principal variation.
    fn pv(&self, line: &PvLine) -> String;

    /// The root turn under search: depth, token, number from 1. `None`: the protocol has no word for it.
    fn current(&self, depth: u32, token: &str, number: usize) -> Option<String>;

    /// Something for people.
    fn message(&self, text: &str) -> String;

    /// The answer.
    fn best(&self, best: &Best) -> String;
}
