//! Main thread of the search: iterations over the distinct results of the root's turn, reports, and when to stop deepening.

use super::iteration::{Iteration, Origin, RootResult};
use super::worker::Worker;
use super::{MAX_DEPTH, deepest, probability, wdl};
use crate::eval::dice::CERTAIN;
use crate::rules::dice::{DiceChess, Walker};
use crate::rules::{Rules, Turn, for_each_turn, legal_steps};
use crate::search::Instant;
use crate::search::clock::SearchClock;
use crate::search::limits::{Limits, Settings};
use crate::search::report::{Answer, Info, Report};
use crate::search::strength::noise_stream;
use crate::search::table::Table;
use crate::search::time::Budget;
use ahash::AHashSet;
use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Search time after which the root turn under search is reported.
const REPORT_AFTER: Duration = Duration::from_secs(3);

/// Maximum number of root turns searched to depth 3; half of it at greater depths.
const WIDTH: usize = 12;
/// Root turns whose value is below the best by more than this are not searched to depth 3 or more.
const MARGIN: i32 = CERTAIN / 16;

/// Estimated time that depth 2 takes for the first root turn.
const SECOND_TURN: Duration = Duration::from_millis(2);
/// Estimated ratio of the time for the first root turn in an iteration to that in the iteration before.
const DEEPER: u32 = 60;

/// Result of an iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// Finished.
    Whole,
    /// Aborted, with a usable partial result.
    Part,
    /// Aborted without a usable result.
    Void,
}

/// Main thread of a search.
pub struct Driver<'a> {
    root: DiceChess,
    limits: &'a Limits<DiceChess>,
    settings: &'a Settings,
    table: &'a Table,
    clock: &'a SearchClock<'a>,
    /// Time allotted to this turn by the clock.
    time: Option<Duration>,
    walker: Walker,
    /// Root turns, best first.
    children: Vec<RootResult>,
    /// Greatest iteration depth.
    deepest: u32,
    /// Time that the latest iteration took for its first turn.
    first_turn: Duration,
    workers: Vec<Worker<'a>>,
    report: &'a mut dyn FnMut(Report<DiceChess>),
}

impl<'a> Driver<'a> {
    pub fn new(
        root: DiceChess,
        limits: &'a Limits<DiceChess>,
        settings: &'a Settings,
        table: &'a Table,
        clock: &'a SearchClock<'a>,
        workers: Vec<Worker<'a>>,
        report: &'a mut dyn FnMut(Report<DiceChess>),
    ) -> Self {
        Self {
            root,
            limits,
            settings,
            table,
            clock,
            time: limits
                .clock
                .map(|clock| Budget::new(&clock, settings.move_overhead).optimum),
            walker: Walker::new(),
            children: Vec::new(),
            deepest: MAX_DEPTH,
            first_turn: Duration::ZERO,
            workers,
            report,
        }
    }

    /// Deepens until a limit is reached, and returns the answer.
    pub fn run(mut self) -> Answer<DiceChess> {
        self.find_children();
        let deepest = deepest(self.limits, self.settings, self.root.key());
        self.deepest = deepest;
        for depth in 1..=deepest {
            if depth > 1 && !self.is_worth_beginning(depth) {
                break;
            }
            let finished = self.iterate(depth);
            if finished != Ended::Void {
                self.report_lines();
            }
            if finished != Ended::Whole || self.should_stop() {
                break;
            }
        }
        if self.children[0].depth == 0 {
            // Nothing has been searched: the first turn by material is reported.
            self.report_lines();
        }
        let best = &self.children[0];
        Answer {
            best: Some(best.turn(&self.root, &self.walker)),
            ponder: None,
            score: best.score(),
            bound: best.bound(),
            win_chance: Some(probability(best.value)),
            nodes: self.clock.nodes(),
        }
    }

    /// Lists the distinct results of the turn that `searchmoves` permits.
    fn find_children(&mut self) {
        let root = self.root;
        let allowed = &self.limits.searchmoves;
        let network = &self.workers[0].network;
        if !allowed.is_empty() {
            let mut keys = AHashSet::new();
            let children = &mut self.children;
            for_each_turn(&root, &mut |turn, after| {
                let permitted = allowed.iter().any(|prefix| turn.starts_with(prefix));
                if permitted && keys.insert(after.key()) {
                    children.push(RootResult::new(
                        Origin::Turn(Turn::from_slice(turn)),
                        *after,
                        network,
                    ));
                }
            });
        }
        if self.children.is_empty() {
            let mut found = Vec::new();
            self.walker.start(&root);
            self.walker.results(root.pool(), &mut found);
            for found in found {
                let after = self.walker.position(&found);
                let child = RootResult::new(Origin::Walk(found), after, network);
                if child.wins || !root.must_capture() {
                    self.children.push(child);
                }
            }
        }
        if let Some(strength_limit) = &self.settings.strength_limit {
            let wins_at_once = !strength_limit.overlooks_king(root.pieces_key())
                && legal_steps(&root).iter().any(|&step| {
                    let mut next = root;
                    next.play(step);
                    next.winner().is_some()
                });
            let mut number = 0;
            self.children.retain(|child| {
                number += 1;
                let key = child.after.pieces_key();
                let is_plain = number == 1 || child.wins && wins_at_once;
                is_plain || !strength_limit.overlooks(key, noise_stream::TURN)
            });
        }
        self.children.sort_by_key(|child| -child.ceiling);
    }

    /// With a clock, an iteration is started only if its first turn is likely to finish in time, because otherwise it
    /// yields nothing. A partial iteration is useful, since the most promising turns come first.
    fn is_worth_beginning(&self, depth: u32) -> bool {
        let (Some(time), Some(start)) = (self.time, self.clock.clock_start()) else {
            return true;
        };
        let likely = if depth == 2 {
            SECOND_TURN
        } else {
            self.first_turn * DEEPER
        };
        start.elapsed() + likely <= time
    }

    /// Number of turns, from the best, that an iteration searches: from depth 3 on only those that may still become the
    /// best.
    fn candidates(&self, depth: u32, lines: usize) -> usize {
        let all = self.children.len();
        if depth < 3 {
            return all;
        }
        let best = self.children[0].value;
        let near = |child: &&RootResult| child.value >= best - MARGIN;
        let near = self.children.iter().take_while(near).count();
        let width = if depth == 3 { WIDTH } else { WIDTH / 2 };
        near.min(width).max(lines).min(all)
    }

    /// Runs one iteration. A partial one counts if it found an improvement on the last one.
    fn iterate(&mut self, depth: u32) -> Ended {
        let lines = self.settings.multi_pv.clamp(1, self.children.len());
        // The values of the first iteration order all later ones.
        let wanted = if depth == 1 && self.deepest > 1 {
            self.children.len()
        } else {
            lines
        };
        let candidates = self.candidates(depth, lines);
        let bounded = self.workers[0].is_bounded(&self.root);
        let iteration = &Iteration::new(&self.children[..candidates], depth, bounded, wanted);
        for worker in &mut self.workers {
            worker.selective = depth > 2;
        }
        let begin = Instant::now();
        let mut first_turn = None;
        let (first, others) = self
            .workers
            .split_first_mut()
            .expect("a search has at least one thread");
        let (clock, root, walker, report) =
            (self.clock, &self.root, &self.walker, &mut *self.report);
        // A single turn cannot be shared, and an iteration of leaves is too short to be.
        let shared = depth > 1 && candidates > 1 && !clock.is_over();
        let others = if shared { others } else { &mut [] };
        let done = Mutex::new(Vec::new());
        let keep = |more| {
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.extend::<Vec<_>>(more);
        };
        let help = |worker| move || keep(iteration.work(worker, &mut |_| {}));
        self.table.pool().run(others.iter_mut().map(help), || {
            let _guard = clock.stop_on_panic();
            keep(iteration.work(first, &mut |number| {
                if number > 0 {
                    first_turn.get_or_insert_with(|| begin.elapsed());
                }
                if clock.start().elapsed() > REPORT_AFTER {
                    report(Report::Current {
                        depth,
                        turn: self.children[number].turn(root, walker),
                        number: number + 1,
                    });
                }
            }));
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.first_turn = first_turn.unwrap_or_else(|| begin.elapsed());
        let whole = done.len() == candidates;
        if !whole && !self.is_improvement(&done, lines) {
            return Ended::Void;
        }
        for (number, child) in self.children.iter_mut().enumerate() {
            // In a partial iteration, the lines that it did not reach are kept unchanged.
            child.exact &= !whole && number < lines;
        }
        for &(number, value, exact) in &done {
            let child = &mut self.children[number];
            (child.value, child.exact) = (value, exact);
            if exact {
                (child.depth, child.unfinished) = (depth, !whole);
            }
            if depth == 1 {
                child.shallow = value;
            }
        }
        // A value that is only a bound is unreliable: such turns are ordered by their value at depth 1.
        self.children.sort_by_key(|child| {
            let order = if child.exact {
                child.value
            } else {
                child.shallow
            };
            (!child.exact, -order)
        });
        if whole { Ended::Whole } else { Ended::Part }
    }

    /// Whether an aborted iteration, given by turn numbers, values and whether they are exact, improves on the lines of the
    /// last one. A drop of the first turn's value is no evidence for turns that were not searched again.
    fn is_improvement(&self, done: &[(usize, i32, bool)], lines: usize) -> bool {
        let exact = done.iter().filter(|&&(_, _, exact)| exact);
        let Some(&(best, value, _)) =
            exact.max_by_key(|&&(number, value, _)| (value, Reverse(number)))
        else {
            return false;
        };
        let first = &self.children[0];
        if first.depth == 0 {
            return true;
        }
        let is_seen = |wanted| done.iter().any(|&(number, ..)| number == wanted);
        is_seen(0)
            && (best > 0 || value >= first.value)
            && (1..lines).all(|number| is_seen(number) || value >= self.children[number].value)
    }

    fn should_stop(&self) -> bool {
        if self.children[0].wins {
            return true;
        }
        let held = self.limits.infinite || self.limits.ponder;
        let forced = self.children.len() == 1 && self.limits.clock.is_some();
        !held && forced || self.clock.is_over()
    }

    fn report_lines(&mut self) {
        let lines = self.settings.multi_pv.clamp(1, self.children.len());
        let time = self.clock.elapsed();
        let known = self.children[..lines]
            .iter()
            .filter(|child| child.depth > 0);
        let known = known.count().max(1);
        for (number, child) in self.children[..known].iter().enumerate() {
            let info = Info {
                depth: child.depth,
                seldepth: child.depth,
                multipv: number + 1,
                score: child.score(),
                bound: child.bound(),
                wdl: wdl(child.value),
                win_chance: Some(probability(child.value)),
                nodes: self.clock.nodes(),
                time,
                hashfull: self.table.hashfull(),
                pv: vec![child.turn(&self.root, &self.walker)],
            };
            (self.report)(Report::Pv(info));
        }
    }
}
