//! Chance nodes: Star2, then Star1.
//!
//! Each roll has a lower and an upper bound; their means bound the node. First, one reply to every roll is tried, the best
//! one of a sibling node: its value is a lower bound of the roll, and the sum of these cuts off most nodes that are too
//! good for the side that rolls (Star2; Hauk, Buro and Schaeffer, "*-Minimax performance in backgammon", Computers and
//! Games 2004). Then the rolls are searched one by one, each with the window that the bounds of the others leave (Star1).

use super::bounds::Bounds;
use super::memory::{Roll, Scratch};
use super::worker::Worker;
use crate::eval::dice::CERTAIN;
use crate::rules::Rules;
use crate::rules::dice::{DiceChess, groups};

/// Number of throws of three dice.
const THROWS: i64 = 216;

/// The quotient rounded up; the divisor is positive.
const fn ceil_div(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}

/// Weighted sums of the rolls' bounds, and the window in the same units.
struct Sums {
    low: i64,
    high: i64,
    alpha: i64,
    beta: i64,
}

impl Sums {
    fn of(rolls: &[Roll], alpha: i32, beta: i32) -> Self {
        Self {
            low: rolls
                .iter()
                .map(|roll| roll.weight * i64::from(roll.low))
                .sum(),
            high: rolls
                .iter()
                .map(|roll| roll.weight * i64::from(roll.high))
                .sum(),
            alpha: THROWS * i64::from(alpha) + THROWS - 1,
            beta: THROWS * i64::from(beta),
        }
    }

    #[inline(always)]
    const fn settled(&self) -> bool {
        self.low >= self.beta || self.high <= self.alpha
    }

    const fn bounds(&self) -> Bounds {
        Bounds {
            low: (self.low / THROWS) as i32,
            high: (self.high / THROWS) as i32,
        }
    }

    /// The window of a roll: up to its lower end the mean stays within alpha even if all other rolls reach their upper
    /// bounds; from its upper end on the mean reaches beta even if they are at their lower bounds.
    fn window(&self, roll: &Roll) -> (i32, i32) {
        let weight = roll.weight;
        let others = self.high - weight * i64::from(roll.high);
        let low = (self.alpha - others).div_euclid(weight);
        let others = self.low - weight * i64::from(roll.low);
        let high = ceil_div(self.beta - others, weight);
        let certain = i64::from(CERTAIN);
        (
            low.clamp(-1, certain) as i32,
            high.clamp(0, certain + 1) as i32,
        )
    }

    fn raise(&mut self, roll: &mut Roll, low: i32) {
        if low > roll.low {
            self.low += roll.weight * i64::from(low - roll.low);
            roll.low = low;
        }
    }

    fn lower(&mut self, roll: &mut Roll, high: i32) {
        if high < roll.high {
            self.high -= roll.weight * i64::from(roll.high - high);
            roll.high = high;
        }
    }
}

impl Worker<'_> {
    /// Searches a chance node.
    pub fn star(
        &mut self,
        memory: &mut Scratch,
        position: &DiceChess,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Bounds {
        let kings = position.king_capturing_rolls(position.side_to_move());
        memory.walks = false;
        memory.sums.clear();
        memory.rolls.clear();
        for group in groups(position.kinds_in_play()) {
            let takes = kings >> group.roll & 1 != 0;
            memory.rolls.push(Roll {
                pool: group.pool,
                weight: group.weight,
                low: if takes { CERTAIN } else { 0 },
                high: CERTAIN,
                fingerprint: None,
            });
        }
        let mut sums = Sums::of(&memory.rolls, alpha, beta);
        if sums.settled() {
            return sums.bounds();
        }
        let mut rolls = std::mem::take(&mut memory.rolls);
        if beta <= CERTAIN && self.probes {
            self.probe_rolls(memory, &mut rolls, &mut sums, position, depth);
        }
        if !sums.settled() && !self.clock.stopped() {
            self.search_rolls(memory, &mut rolls, &mut sums, position, depth);
        }
        memory.rolls = rolls;
        sums.bounds()
    }

    /// Tries one reply to each roll until the node is cut off (Star2).
    fn probe_rolls(
        &mut self,
        memory: &mut Scratch,
        rolls: &mut [Roll],
        sums: &mut Sums,
        position: &DiceChess,
        depth: u32,
    ) {
        for roll in rolls {
            if roll.low == roll.high {
                continue;
            }
            let (_, high) = sums.window(roll);
            let value = self.probe(memory, position, roll, depth, high);
            if self.clock.stopped() {
                return;
            }
            sums.raise(roll, value);
            if sums.settled() {
                return;
            }
        }
    }

    /// Lower bound of a roll from a reply that was best at a sibling; 0 if there is none.
    fn probe(
        &mut self,
        memory: &mut Scratch,
        position: &DiceChess,
        roll: &Roll,
        depth: u32,
        high: i32,
    ) -> i32 {
        let replies = memory.learnt(position.side_to_move(), roll.pool).replies;
        let mut best = roll.low;
        for line in &replies {
            let Some(after) = position.after_line(line) else {
                continue;
            };
            let value = if depth > 1 {
                self.chance(&after, depth - 1, CERTAIN - high, CERTAIN - best)
            } else {
                if !memory.sums.knows(0) {
                    self.network.learn(&mut memory.sums, 0, position);
                }
                let score = self
                    .network
                    .score_of(&mut memory.sums, 0, (position, &after));
                self.leaf(
                    &after,
                    self.judged(after.pieces_key(), score),
                    CERTAIN - best,
                )
            };
            let value = CERTAIN - value;
            if self.clock.stopped() {
                return best;
            }
            best = best.max(value);
            if best >= high || depth > 1 {
                break;
            }
        }
        best
    }

    /// Searches the rolls (Star1), those first that are likely to decide the node.
    fn search_rolls(
        &mut self,
        memory: &mut Scratch,
        rolls: &mut [Roll],
        sums: &mut Sums,
        position: &DiceChess,
        depth: u32,
    ) {
        let side = position.side_to_move();
        // Expected contribution of a roll to the sum, per unit of work.
        rolls.sort_by_cached_key(|roll| {
            let learnt = memory.learnt(side, roll.pool);
            let gain = i64::from((learnt.value - roll.low).max(0)) * roll.weight;
            -(gain / i64::from(learnt.results + 8))
        });
        for n in 0..rolls.len() {
            if rolls[n].low == rolls[n].high {
                continue;
            }
            let (low, high) = sums.window(&rolls[n]);
            let value = self.best_result(memory, position, rolls, n, depth, (low, high));
            if self.clock.stopped() {
                return;
            }
            let roll = &mut rolls[n];
            if value > low {
                sums.raise(roll, value);
            }
            if value < high {
                sums.lower(roll, value);
            }
            if sums.settled() {
                return;
            }
        }
    }
}
