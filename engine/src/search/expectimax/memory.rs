//! What a thread keeps per level of the tree.

use crate::core::Color;
use crate::eval::dice::Sums;
use crate::rules::dice::{Found, Line, Pool, Walker};

/// Replies that are remembered for each roll of each side.
pub const REPLIES: usize = 2;

/// What has been learnt about a roll at the nodes of a level.
#[derive(Clone, Copy, Default)]
pub struct RollHistory {
    /// The best replies of the latest nodes, the latest first; empty lines stand for none.
    pub replies: [Line; REPLIES],
    /// The latest value.
    pub value: i32,
    /// The number of results of the latest node.
    pub results: u32,
}

impl RollHistory {
    /// A reply was the best.
    pub fn remember(&mut self, line: Line) {
        if self.replies[0] != line {
            self.replies[1] = self.replies[0];
            self.replies[0] = line;
        }
    }
}

/// The memory of one level of the tree.
pub struct Scratch {
    pub walker: Walker,
    /// Whether the walker has begun with the node.
    pub walks: bool,
    pub found: Vec<Found>,
    /// For each result the score, for the side that made the turn, that it can be worth at most.
    pub ceilings: Vec<i32>,
    /// What the network makes of the nodes of the walk, as far as asked for.
    pub sums: Sums,
    /// The numbers of the results in the order in which they are searched, with what they are worth at first sight.
    pub order: Vec<(i32, usize)>,
    /// The rolls of the node.
    pub rolls: Vec<Roll>,
    learnt: Box<[[RollHistory; Pool::COUNT]; 2]>,
}

/// A group of rolls at a chance node.
#[derive(Clone, Copy)]
pub struct Roll {
    pub pool: Pool,
    pub weight: i64,
    /// The value is at least and at most this.
    pub low: i32,
    pub high: i32,
    /// A mark of the set of results, once they are known.
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
    /// What is known about a roll of a side.
    #[inline(always)]
    pub fn learnt(&mut self, side: Color, pool: Pool) -> &mut RollHistory {
        &mut self.learnt[side.index()][pool.index()]
    }

    /// A mark of the set of results found: equal sets have equal marks.
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
