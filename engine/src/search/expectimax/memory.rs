//! Per-level storage of a search thread.

use crate::core::Color;
use crate::eval::dice::Sums;
use crate::rules::dice::{Found, Line, Pool, Walker};

/// Replies stored for each roll of each side.
pub const REPLIES: usize = 2;

/// Results of a roll at earlier nodes of a level.
#[derive(Clone, Copy, Default)]
pub struct RollHistory {
    /// Best replies at the latest nodes, the latest first; empty lines mark unused places.
    pub replies: [Line; REPLIES],
    /// Latest value.
    pub value: i32,
    /// Number of results at the latest node.
    pub results: u32,
}

impl RollHistory {
    /// Stores a best reply.
    pub fn remember(&mut self, line: Line) {
        if self.replies[0] != line {
            self.replies[1] = self.replies[0];
            self.replies[0] = line;
        }
    }
}

/// Storage of one level of the tree.
pub struct Scratch {
    pub walker: Walker,
    /// Whether the walker has been started at the node.
    pub walks: bool,
    pub found: Vec<Found>,
    /// Upper bounds of the results' scores, for the side that made the turn.
    pub ceilings: Vec<i32>,
    /// Network sums of the walk's nodes, computed on demand.
    pub sums: Sums,
    /// Indices of the results in search order, with their first estimates.
    pub order: Vec<(i32, usize)>,
    /// The rolls of the node.
    pub rolls: Vec<Roll>,
    learnt: Box<[[RollHistory; Pool::COUNT]; 2]>,
}

/// A group of equivalent rolls at a chance node.
#[derive(Clone, Copy)]
pub struct Roll {
    pub pool: Pool,
    pub weight: i64,
    /// Lower bound of the value; `high` is the upper bound.
    pub low: i32,
    pub high: i32,
    /// Fingerprint of the set of results, once it has been generated.
    pub fingerprint: Option<(u64, u64)>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            walker: Walker::new(),
            walks: false,
            found: Vec::new(),
            ceilings: Vec::new(),
            sums: Sums::default(),
            order: Vec::new(),
            rolls: Vec::new(),
            learnt: Box::new([[RollHistory::default(); Pool::COUNT]; 2]),
        }
    }
}

impl Scratch {
    /// The history of a roll of a side.
    #[inline(always)]
    pub fn learnt(&mut self, side: Color, pool: Pool) -> &mut RollHistory {
        &mut self.learnt[side.index()][pool.index()]
    }

    /// Fingerprint of the set of results: equal sets have equal fingerprints.
    pub fn fingerprint(&self) -> (u64, u64) {
        self.found.iter().fold((0, 0), |(sum, product), found| {
            let key = found.key();
            (
                sum.wrapping_add(key),
                product.wrapping_add(key.wrapping_mul(key | 1)),
            )
        })
    }
}
