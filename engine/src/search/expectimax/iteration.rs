//! The distinct results of the root's turn, and one iteration over them.

use super::worker::Worker;
use crate::eval::dice::{CERTAIN, centipawns, chance_of};
use crate::eval::network::Network;
use crate::rules::Rules;
use crate::rules::Turn;
use crate::rules::dice::{DiceChess, Found, Step, Walker};
use crate::search::report::{Bound, Score};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// How a root turn came about.
#[derive(Clone)]
pub enum Origin {
    /// By a walk over the turn's results.
    Walk(Found),
    /// As one of the turns that the user asked for.
    Turn(Turn<Step>),
}

/// A distinct result of the root's turn.
#[derive(Clone)]
pub struct RootResult {
    pub origin: Origin,
    pub after: DiceChess,
    /// It took the king.
    pub wins: bool,
    /// What the turn is worth at most if neither king captures nor attacks count.
    pub ceiling: i32,
    /// The value of the latest iteration that looked at it, for the side that moves at the root.
    pub value: i32,
    /// Whether that value is exact, or an upper bound.
    pub exact: bool,
    /// The latest iteration that found an exact value; 0: none did, the value is the one at first sight.
    pub depth: u32,
    /// That iteration was broken off.
    pub unfinished: bool,
    /// What it is worth at first sight: the value of the first iteration.
    pub shallow: i32,
}

impl RootResult {
    /// A result that no iteration has looked at yet.
    pub fn new(origin: Origin, after: DiceChess, network: &Network<DiceChess>) -> Self {
        let wins = after.winner().is_some();
        let ceiling = if wins {
            CERTAIN
        } else {
            CERTAIN - chance_of(network.evaluate(&after))
        };
        Self {
            origin,
            after,
            wins,
            ceiling,
            value: ceiling,
            exact: false,
            depth: 0,
            unfinished: false,
            shallow: ceiling,
        }
    }

    /// The value for the outside.
    pub fn score(&self) -> Score {
        if self.wins {
            Score::Mate(1)
        } else {
            Score::Cp(centipawns(self.value))
        }
    }

    /// What the value is as one of the root: in an unfinished iteration another turn may be better.
    pub const fn bound(&self) -> Bound {
        if self.unfinished && !self.wins {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// The turn; the walker is the one that found it.
    pub fn turn(&self, root: &DiceChess, walker: &Walker) -> Turn<Step> {
        match &self.origin {
            Origin::Walk(found) => walker.turn(root, found),
            Origin::Turn(turn) => turn.clone(),
        }
    }
}

/// One iteration over the root's turns, shared by the threads.
pub struct Iteration<'a> {
    children: &'a [RootResult],
    depth: u32,
    /// Whether no leaf is worth more than its score says.
    bounded: bool,
    next: AtomicUsize,
    /// The best exact values so far, best first, as many as lines are asked for.
    top: Mutex<Vec<i32>>,
    lines: usize,
}

impl<'a> Iteration<'a> {
    pub const fn new(children: &'a [RootResult], depth: u32, bounded: bool, lines: usize) -> Self {
        Self {
            children,
            depth,
            bounded,
            next: AtomicUsize::new(0),
            top: Mutex::new(Vec::new()),
            lines,
        }
    }

    /// The value that a turn must exceed to be among the lines; -1 while there is room.
    fn bar(&self) -> i32 {
        let top = self.top.lock().unwrap_or_else(PoisonError::into_inner);
        if top.len() < self.lines {
            -1
        } else {
            top[self.lines - 1]
        }
    }

    fn enter(&self, value: i32) {
        let mut top = self.top.lock().unwrap_or_else(PoisonError::into_inner);
        let at = top.partition_point(|&other| other >= value);
        top.insert(at, value);
        top.truncate(self.lines);
    }

    /// Searches turns until none is left, and gives their number, value and whether it is exact. `current` hears of
    /// each turn before it is searched.
    pub fn work(
        &self,
        worker: &mut Worker,
        current: &mut dyn FnMut(usize),
    ) -> Vec<(usize, i32, bool)> {
        let done = self.search_turns(worker, current);
        worker.clock.publish();
        done
    }

    fn search_turns(
        &self,
        worker: &mut Worker,
        current: &mut dyn FnMut(usize),
    ) -> Vec<(usize, i32, bool)> {
        let mut done = Vec::new();
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            let Some(child) = self.children.get(number) else {
                return done;
            };
            let bar = self.bar();
            let value = if child.wins {
                CERTAIN
            } else if self.depth == 1 && self.bounded && child.ceiling <= bar {
                child.ceiling
            } else {
                current(number);
                CERTAIN - worker.chance(&child.after, self.depth - 1, -1, CERTAIN - bar)
            };
            if worker.clock.stopped() {
                return done;
            }
            let exact = value > bar;
            if exact {
                self.enter(value);
            }
            done.push((number, value, exact));
        }
    }
}
