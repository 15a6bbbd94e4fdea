//! Search reports as text, independent of the protocol: turns are tokens, and an [`OutputFormat`] lays out the lines.

use fauve_engine::rules::{Notation, turn_token};
use fauve_engine::search::{Bound, Info, Score};
use std::time::Duration;

/// A principal variation.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine {
    /// Completed depth in turns; 0 if there is no legal turn.
    pub depth: u32,
    /// Selective depth: the longest line searched, in turns.
    pub seldepth: u32,
    /// Index of the principal variation, from 1.
    pub multipv: usize,
    /// Score from the point of view of the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Win, draw and loss per mille, if shown.
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
    /// Converts a search report about the position `root`.
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

/// Nodes per second; times below a microsecond count as one microsecond.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    (u128::from(nodes) * 1_000_000 / micros) as u64
}

/// The answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Best {
    /// Token of the turn to play, or of its next move with `Turn Output` `single`; `None`: no legal turn.
    pub turn: Option<String>,
    /// Token of the expected reply.
    pub ponder: Option<String>,
}

/// The output syntax of a protocol for search reports.
pub trait OutputFormat: Send + Sync {
    /// A principal variation.
    fn pv(&self, line: &PvLine) -> String;

    /// The root turn being searched: depth, token, number from 1. `None`: the protocol does not report it.
    fn current(&self, depth: u32, token: &str, number: usize) -> Option<String>;

    /// A comment.
    fn message(&self, text: &str) -> String;

    /// The answer to `go`.
    fn best(&self, best: &Best) -> String;
}
