//! The best turn after a roll.

use super::memory::{Roll as Group, Scratch};
use super::worker::Worker;
use crate::eval::dice::{CERTAIN, Sums, chance_of};
use crate::rules::dice::{DiceChess, Found, Pool, Walker};
use crate::rules::{Roll, Rules};

/// Maximum number of replies that a selective search extends beyond a leaf.
const WIDTH: usize = 6;
/// A selective search skips replies whose estimate is below the best by more than this.
const MARGIN: i32 = CERTAIN / 16;

impl Worker<'_> {
    /// Value of a position after the `number`th of these rolls, for the side that rolled; a bound outside the window.
    pub fn best_result(
        &mut self,
        memory: &mut Scratch,
        position: &DiceChess,
        rolls: &mut [Group],
        n: usize,
        depth: u32,
        window: (i32, i32),
    ) -> i32 {
        if self.clock.check_time() {
            return 0;
        }
        let (pool, known) = (rolls[n].pool, rolls[n].low);
        if !memory.walks {
            memory.walks = true;
            memory.walker.start(position);
        }
        memory.walker.results(pool, &mut memory.found);
        if depth > 1 {
            let fingerprint = memory.fingerprint();
            let same =
                |roll: &&Group| roll.fingerprint == Some(fingerprint) && roll.low == roll.high;
            if let Some(twin) = rolls.iter().find(same) {
                return twin.low;
            }
            rolls[n].fingerprint = Some(fingerprint);
        }
        self.rank(memory);
        // A reply that was tried before gives a lower bound.
        let best = if known > 0 { known } else { -1 };
        let (value, at) = if depth > 1 {
            self.best_deep(memory, position, depth, best, window)
        } else {
            self.best_leaf(memory, position, best, window)
        };
        if self.clock.stopped() {
            return 0;
        }
        let line = at.and_then(|at| memory.walker.line(&memory.found[at], pool));
        let results = memory.found.len() as u32;
        let learnt = memory.learnt(position.side_to_move(), pool);
        learnt.value = value;
        learnt.results = results;
        if let Some(line) = line {
            learnt.remember(line);
        }
        value
    }

    /// Value of the best turn with a roll, for the side that rolled, searched `depth` turns deep, and its result, whose
    /// steps the memory returns; `None` when the search is over.
    pub fn best_turn(
        &mut self,
        position: &DiceChess,
        roll: Roll,
        depth: u32,
    ) -> Option<(i32, Found, &Scratch)> {
        // A level of its own, above those used below it.
        let level = depth as usize;
        let mut memory = self.take_level(level);
        memory.walker.start(position);
        memory.sums.clear();
        let pool = Pool::of_roll(roll);
        memory.walker.results(pool, &mut memory.found);
        let taken = memory
            .found
            .iter()
            .position(|one| memory.walker.position(one).winner().is_some());
        let (value, at) = if taken.is_some() {
            (CERTAIN, taken)
        } else {
            self.rank(&mut memory);
            let window = (-1, CERTAIN + 1);
            if depth > 1 {
                self.best_deep(&mut memory, position, depth, -1, window)
            } else {
                self.best_leaf(&mut memory, position, -1, window)
            }
        };
        let found = at.map(|at| memory.found[at]);
        let memory = self.put_level(level, memory);
        Some((value, found?, memory))
    }

    /// Sets upper bounds of the results' scores as leaves: without king captures and attacks.
    fn rank(&self, memory: &mut Scratch) {
        memory.ceilings.clear();
        let (walker, sums) = (&memory.walker, &mut memory.sums);
        for found in &memory.found {
            let (node, step) = walker.last_step(found);
            self.know(sums, walker, found.node());
            let score = self.network.score_after(sums, found.node(), node, step);
            memory.ceilings.push(-self.judged(found.key(), score));
        }
    }

    /// Computes the network's sums for a node of a walk, if they are missing.
    fn know(&self, sums: &mut Sums, walker: &Walker, number: usize) {
        if sums.knows(number) {
            return;
        }
        let (position, before, step) = walker.node(number);
        if number == 0 {
            self.network.learn(sums, 0, position);
            return;
        }
        self.know(sums, walker, before);
        let known = (walker.node(before).0, before);
        self.network.learn_after(sums, number, known, step);
    }

    /// The best result where results are leaves, and its number.
    fn best_leaf(
        &mut self,
        memory: &mut Scratch,
        position: &DiceChess,
        mut best: i32,
        (alpha, beta): (i32, i32),
    ) -> (i32, Option<usize>) {
        let quiet = self.is_bounded(position);
        let mut best_at = None;
        loop {
            let score = memory.ceilings.iter().copied().max().unwrap_or(i32::MIN);
            if score == i32::MIN {
                return (best, best_at);
            }
            let ceiling = CERTAIN - chance_of(-score);
            // No remaining result can be better than the best one found.
            if quiet && ceiling <= best.max(alpha) {
                return (best.max(ceiling.min(alpha)), best_at);
            }
            let at = memory
                .ceilings
                .iter()
                .position(|&other| other == score)
                .unwrap_or(0);
            memory.ceilings[at] = i32::MIN;
            let after = memory.walker.position(&memory.found[at]);
            let value = CERTAIN - self.leaf(&after, -score, CERTAIN - best.max(alpha));
            if self.clock.stopped() {
                return (0, None);
            }
            if value > best {
                (best, best_at) = (value, Some(at));
            }
            if best >= beta {
                return (best, best_at);
            }
        }
    }

    /// The best result where results are searched further, and its number.
    fn best_deep(
        &mut self,
        memory: &mut Scratch,
        position: &DiceChess,
        depth: u32,
        mut best: i32,
        (alpha, beta): (i32, i32),
    ) -> (i32, Option<usize>) {
        self.order(memory, position);
        let mut best_at = None;
        for &(_, at) in &memory.order {
            let after = memory.walker.position(&memory.found[at]);
            let floor = best.max(alpha);
            let value = CERTAIN - self.chance(&after, depth - 1, CERTAIN - beta, CERTAIN - floor);
            if self.clock.stopped() {
                return (0, None);
            }
            if value > best {
                (best, best_at) = (value, Some(at));
            }
            if best >= beta {
                break;
            }
        }
        (best, best_at)
    }

    /// Orders the results by their values as leaves.
    fn order(&mut self, memory: &mut Scratch, position: &DiceChess) {
        memory.order.clear();
        let bounded = self.is_bounded(position);
        let mut best = -1;
        for (at, found) in memory.found.iter().enumerate() {
            let score = memory.ceilings[at];
            let enough = if self.selective {
                CERTAIN - (best - MARGIN).max(-1)
            } else {
                CERTAIN + 1
            };
            let value = if bounded && CERTAIN - chance_of(-score) <= CERTAIN - enough {
                -1
            } else {
                let after = memory.walker.position(found);
                CERTAIN - self.leaf(&after, -score, enough)
            };
            best = best.max(value);
            memory.order.push((value, at));
        }
        memory.order.sort_by_key(|&(value, _)| -value);
        if self.selective {
            memory.order.truncate(WIDTH);
            memory.order.retain(|&(value, _)| value >= best - MARGIN);
        }
    }
}
