//! Use of the results of an aborted iteration.
//!
//! The lines of the last finished iteration are kept unless a turn is known to be better: a drop of the first turn's value
//! does not show that other turns, not searched again, are better. Values of an unfinished iteration are reported as lower
//! bounds.

use super::driver::{Driver, Iteration};
use super::line::Line;
use super::mating::wins;
use super::reply::best_static_turn;
use super::worker::Searchable;
use crate::search::policy::Policy;
use crate::search::report::Bound;
use crate::search::value::{EVAL_LIMIT, MATE_BOUND};
use ahash::AHashSet;

/// Best root turn of the current iteration.
pub struct RootBest<S> {
    pub value: i32,
    /// Upper end of the window; a value not below it is only a lower bound.
    pub beta: i32,
    pub steps: Vec<S>,
}

/// A root turn that the current iteration has searched.
#[derive(Clone, Copy)]
pub struct SearchedTurn {
    /// Key of the position after the turn.
    pub key: u64,
    /// Upper bound of its value in this iteration.
    pub at_most: i32,
}

impl<G: Searchable, P: Policy> Driver<'_, G, P> {
    /// Takes over the useful results of an iteration that was aborted during the search of the line after `finished`, its
    /// finished lines, best first.
    pub fn abort_iteration(&mut self, depth: u32, mut finished: Vec<Line<G::Step>>) -> Iteration {
        // All turns outside the finished lines were searched and are no better than the last of these.
        let others = finished.iter().map(|line| line.value).min();
        if finished.is_empty() {
            if let Some(line) = self.shared.take(depth) {
                let depth = line.depth;
                self.lines = vec![line];
                return Iteration::Whole(depth);
            }
            match self.improvement(depth) {
                Some(line) => finished.push(line),
                None => return self.avoid_loss(depth),
            }
        }
        self.merge(finished, others);
        Iteration::Part
    }

    /// The best turn of an unfinished iteration, if it is known to be better than the lines of the last one or than its own
    /// earlier value.
    fn improvement(&mut self, depth: u32) -> Option<Line<G::Step>> {
        let best = self.worker.root_best.take()?;
        if best.value <= -MATE_BOUND || !self.is_whole_turn(&best.steps) {
            // The turns that were not searched may avoid the loss.
            return None;
        }
        let is_cut = best.value >= best.beta;
        let mut line = Line {
            bound: Bound::Lower,
            ..Line::exact(best.value, depth, best.steps)
        };
        if best.value >= MATE_BOUND {
            if !is_cut || wins(self.game, &line.steps) {
                line.bound = Bound::Exact;
            } else {
                // The mate has not been demonstrated by a line.
                line.value = best.beta.min(EVAL_LIMIT);
            }
        }
        let key = self.key_after_turn(&line);
        let is_better = |(number, old): (usize, &Line<_>)| {
            let old_key = self.key_after_turn(old);
            if old_key == key && number > 0 {
                // The turns before it are no better than this one.
                true
            } else if old_key == key {
                line.value >= old.value && !(is_cut && line.value < MATE_BOUND)
            } else {
                let is_beaten = || {
                    self.worker
                        .at_most(old_key)
                        .is_some_and(|most| most <= line.value)
                };
                line.value >= old.value || old.value < MATE_BOUND && is_beaten()
            }
        };
        let is_better = self.lines.iter().enumerate().all(is_better);
        is_better.then_some(line)
    }

    /// Merges newer lines into the old ones, in order and without exceeding the number of lines to report. Each turn has
    /// one line. Old lines are bounded above by `others`, if given, and by the bounds found in this iteration.
    fn merge(&mut self, mut newer: Vec<Line<G::Step>>, others: Option<i32>) {
        let depth = newer[0].depth;
        let least = newer.iter().map(|line| line.value).min().unwrap_or(0);
        let keys: Vec<_> = newer.iter().map(|line| self.key_after_turn(line)).collect();
        for mut line in std::mem::take(&mut self.lines) {
            let key = self.key_after_turn(&line);
            if keys.contains(&key) {
                self.older.push(line);
                continue;
            }
            if line.value > least
                && line.value < MATE_BOUND
                && let Some(most) = others.or_else(|| self.worker.at_most(key))
            {
                (line.value, line.bound, line.depth) = (most, Bound::Upper, depth);
            }
            newer.push(line);
        }
        self.lines = newer;
        self.put_in_order();
    }

    /// Sorts the lines, best first, and truncates them to the number to report.
    fn put_in_order(&mut self) {
        self.lines.sort_by_key(|line| -line.value);
        self.lines.truncate(self.settings.multi_pv.max(1));
    }

    /// Keeps the lines of the last iteration, unless its first turn is found to lose by force and another turn may not.
    fn avoid_loss(&mut self, depth: u32) -> Iteration {
        let Some(first) = self.lines.first() else {
            return Iteration::Void;
        };
        let known = self.worker.at_most(self.key_after_turn(first));
        if first.value <= -MATE_BOUND || known.is_none_or(|most| most > -MATE_BOUND) {
            return Iteration::Void;
        }
        let others = self.lines.last().map_or(0, |line| line.value);
        let above = self.lines.first().map_or(0, |line| line.depth);
        let mut lines = std::mem::take(&mut self.lines);
        for line in &mut lines {
            let most = self.worker.at_most(self.key_after_turn(line));
            if let Some(most) = most.filter(|&most| most <= -MATE_BOUND) {
                (line.value, line.bound, line.depth) = (most, Bound::Upper, depth);
            }
        }
        self.lines = lines;
        self.put_in_order();
        if self.lines[0].value > -MATE_BOUND {
            return Iteration::Part;
        }
        if let Some((_, steps)) = self.harmless_turn(true) {
            // In the last iteration this turn was no better than its lines.
            let line = Line {
                bound: Bound::Upper,
                ..Line::exact(others, above, steps)
            };
            self.lines.insert(0, line);
            self.put_in_order();
        }
        Iteration::Part
    }

    /// Selects a legal turn and its static value after a search that finished nothing.
    pub fn fall_back(&mut self) {
        let turn = self.harmless_turn(false);
        let line = turn.map(|(value, steps)| Line::exact(value, 0, steps));
        let line = line.or_else(|| {
            // All turns were searched and lose: choose the longest defence.
            let mut searched = self.worker.searched_turns.iter();
            let last = searched.clone().map(|turn| turn.at_most).max()?;
            let key = searched.find(|turn| turn.at_most == last)?.key;
            let (_, turn) =
                best_static_turn(&mut self.worker, false, self.game, |_, other| other == key)?;
            Some(Line::exact(last, self.worker.iteration, turn.to_vec()))
        });
        self.lines.extend(line);
    }

    /// The turn with the best static value among those not known to lose by force. With `prefer_table`, turns with a table
    /// entry come first, by its value.
    fn harmless_turn(&mut self, prefer_table: bool) -> Option<(i32, Vec<G::Step>)> {
        let allowed = self.worker.allowed.clone();
        let searched = self.worker.searched_turns.iter();
        let searched = searched.map(|turn| (turn.key, turn.at_most));
        let lines = self.lines.iter();
        let lines = lines.map(|line| (self.key_after_turn(line), line.value));
        let lost: AHashSet<u64> = searched
            .chain(lines)
            .filter(|&(_, value)| value <= -MATE_BOUND)
            .map(|(key, _)| key)
            .collect();
        let begins =
            |turn: &[G::Step], wanted: &[G::Step]| turn.iter().zip(wanted).all(|(a, b)| a == b);
        let (value, turn) =
            best_static_turn(&mut self.worker, prefer_table, self.game, |turn, key| {
                let permitted =
                    allowed.is_empty() || allowed.iter().any(|wanted| begins(turn, wanted));
                permitted && !lost.contains(&key)
            })?;
        Some((value, turn.to_vec()))
    }
}
