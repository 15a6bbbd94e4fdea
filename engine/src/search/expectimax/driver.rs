//! The main thread: iterations over the distinct results of the root's turn, what is reported of them, and when there
//! have been enough.

use super::iteration::{Iteration, Origin, RootResult};
use super::worker::Worker;
use super::{MAX_DEPTH, probability, wdl};
use crate::eval::dice::CERTAIN;
use crate::rules::dice::{DiceChess, Walker};
use crate::rules::{Rules, Turn, for_each_turn, legal_steps};
use crate::search::Instant;
use crate::search::clock::SearchClock;
use crate::search::limits::{Limits, Settings};
use crate::search::report::{Answer, Info, Report};
use crate::search::strength::{deepest, noise_stream};
use crate::search::table::Table;
use crate::search::time::Budget;
use ahash::AHashSet;
use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// After this time the root turn under search is reported.
const REPORT_AFTER: Duration = Duration::from_secs(3);

/// A third turn is searched for no more than so many turns, a deeper one for half of them,
const WIDTH: usize = 12;
/// and for none whose value is worse than the best by more than this.
const MARGIN: i32 = CERTAIN / 16;

/// The time that the second turn is likely to take for the first of the turns.
const SECOND_TURN: Duration = Duration::from_millis(2);
/// How many times the first turn of an iteration takes longer than that of the one before.
const DEEPER: u32 = 60;

/// How far an iteration came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// To its end.
    Whole,
    /// It was broken off, but has something to say.
    Part,
    /// It was broken off and is forgotten.
    Void,
}

/// The main thread of a search.
pub struct Driver<'a> {
    root: DiceChess,
    limits: &'a Limits<DiceChess>,
    settings: &'a Settings,
    table: &'a Table,
    clock: &'a SearchClock<'a>,
    /// The time that a clock gives to this turn.
    time: Option<Duration>,
    walker: Walker,
    /// The root's turns, best first as far as known.
    children: Vec<RootResult>,
    /// The deepest iteration that there may be.
    deepest: u32,
    /// How long the latest iteration took for its first turn.
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

    /// Deepens until there is a reason to end, and answers.
    pub fn run(mut self) -> Answer<DiceChess> {
        self.find_children();
        let deepest = deepest(self.limits, self.settings, self.root.key(), MAX_DEPTH);
        // Nothing but a king taken this turn is ever proven.
        let deepest = self.limits.mate.map_or(deepest, |mate| {
            deepest.min(mate.saturating_mul(2).saturating_sub(1).max(1))
        });
        self.deepest = deepest;
        for depth in 1..=deepest {
            if depth > 1 && !self.is_worth_beginning(depth) {
                break;
            }
            let finished = self.iterate(depth);
            if finished != Ended::Void {
                self.report_lines();
            }
            if finished != Ended::Whole || self.is_enough() {
                break;
            }
        }
        if self.children[0].depth == 0 {
            // Not even one turn was looked at: the first by material it is.
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

    /// Lists the distinct results of the turn, those that `searchmoves` allows.
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

    /// On a clock an iteration is begun only if its first turn is likely to be finished in time: broken off before that it would
    /// have told nothing. A part of an iteration is worth something, since the turns that are likely to be best come first.
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

    /// The number of turns, from the best, that an iteration looks at: from the third turn on only those that have a
    /// chance to be the best.
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

    /// One iteration. A part of it counts if it knows of something better than the last one.
    fn iterate(&mut self, depth: u32) -> Ended {
        let lines = self.settings.multi_pv.clamp(1, self.children.len());
        // The values of the first iteration order all that follow.
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
        // One turn is too little to share, and one iteration of leaves too short.
        let shared = depth > 1 && candidates > 1 && !clock.is_over();
        let others = if shared { others } else { &mut [] };
        let done = Mutex::new(Vec::new());
        let keep = |more| {
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.extend::<Vec<_>>(more);
        };
        let help = |worker| move || keep(iteration.work(worker, &mut |_| {}));
        self.table.pool().run(others.iter_mut().map(help), || {
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
            // Where the iteration is not whole the lines that it did not come to stand as they were.
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
        // What is only a bound says little: those go by their first sight.
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

    /// Whether an iteration that was broken off, with these numbers, values and whether they are exact, knows of something better
    /// than the lines of the last one: a turn that has become worse says nothing of those that were not looked at.
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

    fn is_enough(&self) -> bool {
        if self.children[0].wins {
            return true;
        }
        let held = self.limits.infinite || self.limits.ponder;
        let forced = self.children.len() == 1 && self.limits.clock.is_some();
        !held && forced || self.clock.is_over()
    }

    fn report_lines(&mut self) {
        let lines = self.settings.multi_pv.clamp(1, self.children.len());
        let time = self.clock.start().elapsed();
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
