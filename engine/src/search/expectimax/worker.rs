//! One thread's walk through the tree of rolls and turns.

use crate::eval::dice::{CERTAIN, chance_before_roll, chance_of, gain_of, material};
use crate::rules::dice::{DiceChess, Found, Walker};
use crate::rules::{Chance, Rules};
use crate::search::report::Bound;
use crate::search::table::{Entry, Table};
use crate::search::watch::{ThreadWatch, Watch};

/// Nodes between two looks at the limits and the clock: about a tenth of a millisecond.
const CHECK_INTERVAL: u64 = 16;

/// The memory of one level of the tree.
#[derive(Default)]
struct Level {
    walker: Walker,
    found: Vec<Found>,
    /// For each result the value that it can have at most.
    ceilings: Vec<i32>,
    /// Material at the nodes of the walk, as far as asked for.
    scores: Vec<Option<i32>>,
    /// The numbers of the results in the order in which they are searched.
    order: Vec<usize>,
}

/// One thread of a search.
pub struct Worker<'a> {
    table: &'a Table,
    pub watch: ThreadWatch<'a>,
    levels: Vec<Level>,
    /// The amplitude of the error on evaluations, in centipawns, for play below full strength.
    noise: i32,
    /// Whether the counter of quiet turns draws.
    clock_draw: bool,
}

/// The numbers of the rolls, those of the greatest weight first: they narrow the bounds most.
static BY_WEIGHT: std::sync::LazyLock<Vec<(usize, i64)>> = std::sync::LazyLock::new(|| {
    let mut rolls: Vec<_> = DiceChess::rolls()
        .iter()
        .enumerate()
        .map(|(n, &(_, weight))| (n, i64::from(weight)))
        .collect();
    rolls.sort_by_key(|&(n, weight)| (-weight, n));
    rolls
});

/// The least integer not below the quotient; the divisor is positive.
const fn ceil_div(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}

impl<'a> Worker<'a> {
    /// A thread of a search. `id` 0 is the main thread.
    pub fn new(
        table: &'a Table,
        watch: &'a Watch<'a>,
        id: usize,
        noise: i32,
        clock_draw: bool,
    ) -> Self {
        Self {
            table,
            watch: ThreadWatch::new(watch, id, CHECK_INTERVAL),
            levels: Vec::new(),
            noise,
            clock_draw,
        }
    }

    /// Counts a node, if the limits allow it.
    #[inline]
    fn enter(&mut self) -> bool {
        let over = self.watch.check();
        if !over {
            self.watch.count();
        }
        !over
    }

    /// Whether the counter of quiet turns can end the game within so many turns.
    #[inline(always)]
    pub fn may_draw(&self, position: &DiceChess, turns: u32) -> bool {
        self.clock_draw && u32::from(position.clock()) + turns >= 100
    }

    /// The error of a weakened engine in this position, in centipawns.
    #[inline(always)]
    fn noise(&self, key: u64) -> i32 {
        match self.noise {
            0 => 0,
            noise => (key >> 20) as i32 % (noise + 1),
        }
    }

    fn leaf(&mut self, position: &DiceChess, score: i32) -> i32 {
        if !self.enter() {
            return 0;
        }
        chance_before_roll(position, score)
    }

    /// The value of a position that awaits its roll, for the side that rolls, searched so many turns deep. Values
    /// outside the window are bounds.
    pub fn chance(&mut self, position: &DiceChess, depth: u32, alpha: i32, beta: i32) -> i32 {
        if self.may_draw(position, 0) {
            return if self.enter() { CERTAIN / 2 } else { 0 };
        }
        if depth == 0 {
            let score = material(position) + self.noise(position.men_key());
            return self.leaf(position, score);
        }
        if !self.enter() {
            return 0;
        }
        // The table knows nothing of counters and errors.
        let remember = !self.may_draw(position, depth) && self.noise == 0;
        if remember
            && let Some(entry) = self.table.probe(position.key())
            && u32::from(entry.depth) == depth
        {
            let value = unpack(entry);
            if match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            } {
                return value;
            }
        }
        let level = depth as usize - 1;
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Level::default);
        }
        let mut memory = std::mem::take(&mut self.levels[level]);
        let (value, bound) = self.star1(&mut memory, position, depth, alpha, beta);
        self.levels[level] = memory;
        if remember && !self.watch.stopped() {
            self.table.store(position.key(), pack(value, depth, bound));
        }
        value
    }

    fn star1(
        &mut self,
        memory: &mut Level,
        position: &DiceChess,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> (i32, Bound) {
        let certain = i64::from(CERTAIN);
        let (alpha, beta) = (i64::from(alpha), i64::from(beta));
        let kings = position.king_capturing_rolls(position.side_to_move());
        // The sum over the rolls seen, and the weight of the others.
        let (mut sum, mut rest) = (0, 216);
        for &(n, weight) in BY_WEIGHT.iter() {
            if kings >> n & 1 != 0 {
                sum += weight * certain;
                rest -= weight;
            }
        }
        let mean = |sum: i64| (sum / 216) as i32;
        if mean(sum) >= beta as i32 && rest > 0 {
            return (mean(sum), Bound::Lower);
        }
        if i64::from(mean(sum + rest * certain)) <= alpha {
            return (mean(sum + rest * certain), Bound::Upper);
        }
        memory.walker.start(position);
        memory.scores.clear();
        for &(n, weight) in BY_WEIGHT.iter() {
            if kings >> n & 1 != 0 {
                continue;
            }
            rest -= weight;
            // Up to `low` the mean stays within alpha even if all other rolls win; from `high` on it reaches beta even
            // if all other rolls lose.
            let low = (216 * alpha + 215 - sum - rest * certain).div_euclid(weight);
            let high = ceil_div(216 * beta - sum, weight);
            let value = i64::from(self.best_result(
                memory,
                position,
                n,
                depth,
                low.clamp(-1, certain) as i32,
                high.clamp(0, certain + 1) as i32,
            ));
            if self.watch.stopped() {
                return (0, Bound::Exact);
            }
            sum += weight * value;
            if value <= low {
                return (mean(sum + rest * certain), Bound::Upper);
            }
            if value >= high {
                return (
                    mean(sum),
                    if rest == 0 {
                        Bound::Exact
                    } else {
                        Bound::Lower
                    },
                );
            }
        }
        (mean(sum), Bound::Exact)
    }

    /// The value of a position with the n-th roll, for the side that rolled.
    fn best_result(
        &mut self,
        memory: &mut Level,
        position: &DiceChess,
        n: usize,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if self.watch.check_time() {
            return 0;
        }
        memory.walker.results_of_roll(n, &mut memory.found);
        self.rank(memory);
        if depth > 1 {
            return self.best_deep(memory, depth, alpha, beta);
        }
        let quiet = !self.may_draw(position, 1);
        let mut best = -1;
        loop {
            let ceiling = memory.ceilings.iter().copied().max().unwrap_or(-1);
            // Nothing left, or nothing left that can be better than what is known.
            if ceiling < 0 || quiet && ceiling <= best.max(alpha) {
                return best.max(ceiling);
            }
            let at = memory
                .ceilings
                .iter()
                .position(|&other| other == ceiling)
                .unwrap_or(0);
            memory.ceilings[at] = -1;
            let after = memory.walker.position(&memory.found[at]);
            let value = CERTAIN - self.chance(&after, 0, -1, CERTAIN + 1);
            if self.watch.stopped() {
                return 0;
            }
            best = best.max(value);
            if best >= beta {
                return best;
            }
        }
    }

    /// Fills in what each result can be worth at most as a leaf.
    fn rank(&self, memory: &mut Level) {
        memory.ceilings.clear();
        for found in &memory.found {
            let (node, step) = memory.walker.last_step(found);
            if memory.scores.len() <= found.node() {
                memory.scores.resize(found.node() + 1, None);
            }
            let score = *memory.scores[found.node()].get_or_insert_with(|| material(node));
            let after = -(score + gain_of(node, step)) + self.noise(found.key());
            memory.ceilings.push(CERTAIN - chance_of(after));
        }
    }

    fn best_deep(&mut self, memory: &mut Level, depth: u32, alpha: i32, beta: i32) -> i32 {
        let mut best = -1;
        let ceilings = &memory.ceilings;
        memory.order.clear();
        memory.order.extend(0..memory.found.len());
        memory.order.sort_unstable_by_key(|&i| -ceilings[i]);
        for &i in &memory.order {
            let after = memory.walker.position(&memory.found[i]);
            let floor = best.max(alpha);
            let value = CERTAIN - self.chance(&after, depth - 1, CERTAIN - beta, CERTAIN - floor);
            if self.watch.stopped() {
                return 0;
            }
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }
}

/// A value needs 28 bits: both words of an entry.
fn pack(value: i32, depth: u32, bound: Bound) -> Entry {
    Entry {
        value: value as i16,
        eval: (value >> 16) as i16,
        tag: 0,
        depth: depth as u8,
        bound,
    }
}

fn unpack(entry: Entry) -> i32 {
    i32::from(entry.eval) << 16 | i32::from(entry.value as u16)
}
