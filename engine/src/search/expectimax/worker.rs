//! One thread's search of the tree of rolls and turns.

use super::bounds::Bounds;
use super::memory::Scratch;
use crate::eval::dice::endgames::Endgames;
use crate::eval::dice::{CERTAIN, chance_before_roll_up_to, chance_of};
use crate::eval::network::Network;
use crate::rules::Rules;
use crate::rules::dice::DiceChess;
use crate::search::clock::{SearchClock, ThreadClock};
use crate::search::strength::{StrengthLimit, noise_stream};
use crate::search::table::Table;
use std::sync::Arc;

/// Nodes between limit checks: about a tenth of a millisecond.
const CHECK_INTERVAL: u64 = 64;

/// One thread of a search.
pub struct Worker<'a> {
    table: &'a Table,
    pub clock: ThreadClock<'a>,
    levels: Vec<Option<Box<Scratch>>>,
    /// Limit for play below full strength.
    strength_limit: Option<StrengthLimit>,
    /// Whether the counter of quiet turns draws.
    clock_draw: bool,
    endgames: Option<&'a Endgames>,
    pub network: Arc<Network<DiceChess>>,
    /// Whether replies with a low first estimate are skipped where at least one turn would be searched below them.
    pub selective: bool,
    /// Whether chance nodes try one reply to each roll first (Star2); off only in comparisons.
    pub probes: bool,
}

impl<'a> Worker<'a> {
    /// Creates a search thread. `id` 0 is the main thread.
    pub fn new(
        table: &'a Table,
        clock: &'a SearchClock<'a>,
        id: usize,
        strength_limit: Option<StrengthLimit>,
        clock_draw: bool,
        endgames: Option<&'a Endgames>,
        network: Arc<Network<DiceChess>>,
    ) -> Self {
        Self {
            table,
            clock: ThreadClock::new(clock, id, CHECK_INTERVAL),
            levels: Vec::new(),
            strength_limit,
            clock_draw,
            endgames,
            network,
            selective: false,
            probes: true,
        }
    }

    /// Counts a node, if the limits allow it; returns whether they do.
    #[inline]
    fn enter(&mut self) -> bool {
        let over = self.clock.check();
        if !over {
            self.clock.count();
        }
        !over
    }

    /// Whether the counter of quiet turns can end the game within this number of turns.
    #[inline(always)]
    pub fn may_draw(&self, position: &DiceChess, turns: u32) -> bool {
        self.clock_draw && u32::from(position.clock()) + turns >= 100
    }

    /// Whether the score of every leaf of a turn from this position is an upper bound of its value.
    #[inline(always)]
    pub fn is_bounded(&self, position: &DiceChess) -> bool {
        let near =
            |endgames: &Endgames| position.board().occupied().len() <= endgames.most_pieces() + 3;
        let known = self.endgames.is_some_and(near);
        !(known || self.strength_limit.is_some() || self.may_draw(position, 1))
    }

    /// The endgame tables' value of a position that awaits its roll.
    #[inline(always)]
    fn known_endgame(&self, position: &DiceChess) -> Option<i32> {
        self.endgames?.chance(position)
    }

    /// The perceived score, in centipawns, in the position whose pieces have this key.
    #[inline(always)]
    pub fn judged(&self, key: u64, score: i32) -> i32 {
        match &self.strength_limit {
            None => score,
            Some(strength_limit) => strength_limit.misjudge(key, score),
        }
    }

    /// Value of a leaf with this score that awaits its roll, for the side that rolls; from `enough` on only a lower bound.
    #[inline]
    pub fn leaf(&mut self, position: &DiceChess, score: i32, enough: i32) -> i32 {
        if !self.enter() {
            return 0;
        }
        if self.may_draw(position, 0) {
            return CERTAIN / 2;
        }
        if let Some(value) = self.known_endgame(position) {
            return value;
        }
        if let Some(strength_limit) = &self.strength_limit
            && strength_limit.overlooks(position.pieces_key(), noise_stream::KING_THREAT)
        {
            // Threats against the kings are overlooked.
            return chance_of(score);
        }
        chance_before_roll_up_to(position, score, enough)
    }

    /// Value of a position that awaits its roll, for the side that rolls, searched `depth` turns deep. Outside the window
    /// it is a bound.
    pub fn chance(&mut self, position: &DiceChess, depth: u32, alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            let score = self.judged(position.pieces_key(), self.network.evaluate(position));
            return self.leaf(position, score, beta);
        }
        if !self.enter() {
            return 0;
        }
        if self.may_draw(position, 0) {
            return CERTAIN / 2;
        }
        if let Some(value) = self.known_endgame(position) {
            return value;
        }
        // Table keys do not include counters and errors.
        let remember = !self.may_draw(position, depth) && self.strength_limit.is_none();
        let key = self.table_key(position, depth);
        let mut known = Bounds::NONE;
        if remember
            && let Some(entry) = self.table.probe(key)
            && u32::from(entry.depth) == depth
        {
            known = Bounds::unpack(entry);
            if let Some(value) = known.settles(alpha, beta) {
                return value;
            }
        }
        let level = depth as usize - 1;
        let mut memory = self.take_level(level);
        let found = self.star(&mut memory, position, depth, alpha, beta);
        self.put_level(level, memory);
        if self.clock.stopped() {
            return 0;
        }
        if remember {
            self.table.store(key, found.and(known).pack(depth));
        }
        found.settles(alpha, beta).unwrap_or(found.low)
    }

    /// Takes the storage of a level for use.
    pub fn take_level(&mut self, level: usize) -> Box<Scratch> {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, || None);
        }
        self.levels[level].take().unwrap_or_default()
    }

    /// Returns the storage of a level.
    pub fn put_level(&mut self, level: usize, memory: Box<Scratch>) -> &Scratch {
        self.levels[level].insert(memory)
    }

    /// Table key of a position. Each depth has entries of its own, and so have selective searches.
    #[inline(always)]
    fn table_key(&self, position: &DiceChess, depth: u32) -> u64 {
        let kind = u64::from(depth) << 1 | u64::from(self.selective && depth > 1);
        position.key() ^ kind.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
