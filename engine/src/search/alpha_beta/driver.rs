//! Main thread of a search: iterations, their lines, reports, and when to stop deepening.

use super::Team;
use super::aspiration::aspiration_search;
use super::line::{Line, turns_of};
use super::mating::wins;
use super::reply::{ReplySource, complete};
use super::shared_iteration::SharedIteration;
use super::worker::{Searchable, Worker};
use crate::rules::{Game, legal_steps};
use crate::search::control::Control;
use crate::search::limits::{Limits, Settings};
use crate::search::pitfalls::Pitfalls;
use crate::search::policy::Policy;
use crate::search::report::{Answer, Info, Report, Score};
use crate::search::strength::deepest;
use crate::search::time::Budget;
use crate::search::value::{EVAL_LIMIT, ILLEGAL, MATE, is_mate, score};
use std::time::Duration;

/// Greatest depth of iterative deepening.
pub const MAX_DEPTH: u32 = 120;
/// Search time after which root values outside the window are reported.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(3);

/// Result of an iteration.
pub enum Iteration {
    /// Finished, by this thread or by another one, which may have finished a later iteration.
    Whole(u32),
    /// Aborted, with a usable partial result.
    Part,
    /// Aborted without a usable result.
    Void,
}

/// Main thread of a search.
pub struct Driver<'a, G: Searchable, P: Policy> {
    pub game: &'a Game<G>,
    pub limits: &'a Limits<G>,
    pub settings: &'a Settings,
    budget: Option<Budget>,
    pub worker: Worker<'a, G, P>,
    pub shared: &'a SharedIteration<'a, G::Step>,
    /// Known lines, best first: those of the last finished iteration, and improvements of a later one.
    pub lines: Vec<Line<G::Step>>,
    /// The lines of the iteration before.
    pub older: Vec<Line<G::Step>>,
}

impl<'a, G: Searchable, P: Policy> Driver<'a, G, P> {
    pub const fn new(team: &Team<'a, G>, budget: Option<Budget>, worker: Worker<'a, G, P>) -> Self {
        Self {
            game: team.game,
            limits: team.limits,
            settings: team.settings,
            budget,
            worker,
            shared: team.shared,
            lines: Vec::new(),
            older: Vec::new(),
        }
    }

    /// Deepens until a limit is reached, and returns the answer.
    pub fn run(mut self, control: &Control) -> Answer<G> {
        let key = self.game.position().key();
        let depths = deepest(self.limits, self.settings, key, MAX_DEPTH);
        self.worker.prepare_endgames(self.game.position());
        let mut steady = 0u32;
        let mates = self.mate_search();
        let pitfalls = Pitfalls::of_game(self.game);
        let mut prover = self.prover(&pitfalls, control);
        let mut mating = self.mating();
        let mut next = 1;
        while next <= depths {
            let depth = next;
            if let Some(search) = mates
                && self.find_mate(search, &mut prover, &mut mating)
            {
                self.lines[0].depth = depth;
                self.report_lines();
                break;
            }
            let before = self.lines.first().map(|line| (line.value, line.steps[0]));
            self.worker.iteration = depth;
            self.worker.clock.begin(depth);
            let finished = self.iterate(depth);
            self.worker.clock.rest();
            let (depth, is_whole) = match finished {
                Iteration::Whole(done) => (done, true),
                Iteration::Part => (depth, false),
                Iteration::Void => break,
            };
            self.report_lines();
            if !is_whole {
                break;
            }
            next = depth + 1;
            let value = self.lines[0].value;
            let dropped = before.map_or(0, |(old, _)| old - value);
            if before.is_some_and(|(_, step)| step == self.lines[0].steps[0]) {
                steady += 1;
            } else {
                steady = 0;
            }
            if self.should_stop(depth, value, steady, dropped)
                || self.has_settled_mate(mates, &mut prover, &mut mating)
            {
                break;
            }
        }
        let nothing_reported = self.lines.is_empty();
        if nothing_reported {
            self.fall_back();
        }
        if self.settings.always_reply && self.find_reply() || nothing_reported {
            self.report_lines();
        }
        self.worker.clock.publish();
        let answer = self.answer();
        self.worker.save_history();
        answer
    }

    /// Searches all lines to a depth.
    fn iterate(&mut self, depth: u32) -> Iteration {
        let mut fresh: Vec<Line<G::Step>> = Vec::new();
        self.worker.excluded.clear();
        for number in 0..self.settings.multi_pv.max(1) {
            let value = self.search_line(number, depth);
            if self.worker.clock.stopped() {
                return self.abort_iteration(depth, fresh);
            }
            if value == ILLEGAL {
                break;
            }
            let line = Line::exact(value, depth, self.worker.root_line().to_vec());
            let key = self.key_after_turn(&line);
            self.worker.excluded.push(key);
            fresh.push(line);
        }
        fresh.sort_by_key(|line| -line.value);
        self.older = std::mem::replace(&mut self.lines, fresh);
        self.shared.publish(&self.lines[0]);
        Iteration::Whole(depth)
    }

    /// Searches the best line other than those already found in this iteration; returns its value.
    fn search_line(&mut self, number: usize, depth: u32) -> i32 {
        let (expected, previous_pv) = self
            .lines
            .get(number)
            .map_or((0, Vec::new()), |line| (line.value, line.steps.clone()));
        self.worker.previous_pv = previous_pv;
        self.worker.root_best = None;
        self.worker.searched_turns.clear();
        let game = self.game;
        let failed = |worker: &mut Worker<G, P>, value, bound| {
            let steps = worker.root_line().to_vec();
            let elapsed = worker.clock.common().start().elapsed();
            if number == 0 && elapsed >= REPORT_BOUNDS_AFTER && !steps.is_empty() {
                let line = Line {
                    bound,
                    ..Line::exact(value, depth, steps)
                };
                report_line(worker, game, 0, &line);
            }
        };
        aspiration_search(&mut self.worker, game.position(), depth, expected, failed)
    }

    /// Whether a line contains at least one whole turn.
    pub fn is_whole_turn(&self, steps: &[G::Step]) -> bool {
        let mut position = *self.game.position();
        steps.iter().any(|&step| {
            position.play(step);
            !position.is_mid_turn()
        })
    }

    pub fn key_after_turn(&self, line: &Line<G::Step>) -> u64 {
        let mut position = *self.game.position();
        for &step in &line.steps {
            position.play(step);
            if !position.is_mid_turn() {
                break;
            }
        }
        position.key()
    }

    /// Whether to stop deepening.
    fn should_stop(&self, depth: u32, value: i32, steady: u32, dropped: i32) -> bool {
        let clock_start = self.worker.clock.common().clock_start();
        let (Some(budget), Some(start)) = (self.budget, clock_start) else {
            return false;
        };
        if is_mate(value) && depth as i32 > MATE - value.abs() + 3 {
            return true;
        }
        let parameters = self.worker.parameters();
        let share = match steady {
            0 => parameters.time_changed,
            1..=3 => parameters.time_new,
            4..=7 => parameters.time_steady,
            _ => parameters.time_sure,
        };
        let mut share = f64::from(share) / 100.0;
        share *= 1.0 + f64::from(dropped.clamp(0, 100)) / 100.0;
        if self.settings.multi_pv <= 1 {
            let effort = self.worker.root_node_counts.share(&self.lines[0].steps[0]);
            share *= f64::from(parameters.time_effort) / 100.0 - effort;
        }
        if self.has_one_turn() {
            share *= 0.1;
        }
        start.elapsed() >= budget.optimum.mul_f64(share)
    }

    fn has_one_turn(&self) -> bool {
        let position = self.game.position();
        let steps = legal_steps(position);
        steps.len() == 1 && {
            let mut next = *position;
            next.play(steps[0]);
            !next.is_mid_turn()
        }
    }

    pub(super) fn report_lines(&mut self) {
        for (number, line) in self.lines.iter_mut().enumerate() {
            let source = ReplySource::Known;
            complete(line, &mut self.worker, self.game, &self.older, source);
            report_line(&mut self.worker, self.game, number, line);
        }
    }

    /// Gives the best line a reply if it has none. Returns whether it has got one.
    fn find_reply(&mut self) -> bool {
        let line = &mut self.lines[0];
        let before = line.steps.len();
        let source = ReplySource::Evaluation;
        complete(line, &mut self.worker, self.game, &self.older, source);
        line.steps.len() > before
    }

    fn answer(&self) -> Answer<G> {
        let line = &self.lines[0];
        let turns = turns_of(self.game, &line.steps);
        Answer {
            score: score_of(&self.worker, self.game, line),
            bound: line.bound,
            best: turns.first().cloned(),
            ponder: turns.get(1).cloned(),
            win_chance: None,
            nodes: self.worker.clock.common().nodes(),
        }
    }
}

/// Score of a line as reported. A weakened search overlooks replies: it reports mates only if they are proven or on the
/// board, and otherwise limits the score to the range of evaluations.
fn score_of<G: Searchable, P: Policy>(
    worker: &Worker<G, P>,
    game: &Game<G>,
    line: &Line<G::Step>,
) -> Score {
    let Some(strength_limit) = &worker.strength_limit else {
        return score(line.value);
    };
    if line.proven || line.value == MATE - 1 && wins(game, &line.steps) {
        return score(line.value);
    }
    let most = strength_limit.max_perceived().min(EVAL_LIMIT);
    score(line.value.clamp(-most, most))
}

fn report_line<G: Searchable, P: Policy>(
    worker: &mut Worker<G, P>,
    game: &Game<G>,
    number: usize,
    line: &Line<G::Step>,
) {
    worker.clock.publish();
    let score = score_of(worker, game, line);
    let clock = worker.clock.common();
    let info = Info {
        depth: line.depth,
        seldepth: (worker.seldepth as u32).max(line.depth),
        multipv: number + 1,
        score,
        bound: line.bound,
        wdl: score.wdl(G::WIN_CURVE),
        win_chance: None,
        nodes: clock.nodes(),
        time: clock.elapsed(),
        hashfull: worker.table.hashfull(),
        pv: turns_of(game, &line.steps),
    };
    if let Some(report) = &mut worker.report {
        report(Report::Pv(info));
    }
}
