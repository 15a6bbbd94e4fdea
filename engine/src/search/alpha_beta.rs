//! The search of the deterministic games: iterative deepening over one window that narrows round the expected value.
//!
//! A turn may have several steps; the window is turned round only where the side to move changes, and depth counts
//! turns, so that the steps inside a turn cost nothing. Threads share the table alone (lazy SMP).

use super::policy::{Full, Policy};
use super::strength::Handicap;
use super::time::Budget;
use super::value::{ILLEGAL, INFINITE, MATE, MATE_BOUND, is_mate, score};
use super::worker::{Count, Searchable, Shared, Worker};
use super::{Answer, Bound, Control, Info, Limits, Report, Score, Settings, Table};
use crate::rules::{Chance, Draws, Game, Turn, for_each_turn, has_turn, legal_steps};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 120;

/// Searches a deterministic game; see [`Search::search`](super::Search::search).
pub fn search<G: Searchable>(
    game: &Game<G>,
    limits: &Limits<G>,
    settings: &Settings,
    table: &Table,
    control: &Control,
    report: &mut dyn FnMut(Report<G>),
) -> Answer<G> {
    search_with::<G, Full>(game, limits, settings, table, control, report)
}

/// [`search`] with another choice of parts.
pub fn search_with<G: Searchable, P: Policy>(
    game: &Game<G>,
    limits: &Limits<G>,
    settings: &Settings,
    table: &Table,
    control: &Control,
    report: &mut dyn FnMut(Report<G>),
) -> Answer<G> {
    let start = Instant::now();
    let answer = match score_without_turn(game) {
        Some(score) => {
            report(Report::Pv(Info {
                depth: 0,
                seldepth: 0,
                multipv: 1,
                score,
                bound: Bound::Exact,
                wdl: score.wdl(),
                win_chance: None,
                nodes: 0,
                time: start.elapsed(),
                hashfull: table.hashfull(),
                pv: Vec::new(),
            }));
            Answer {
                best: None,
                ponder: None,
                score,
                win_chance: None,
                nodes: 0,
            }
        }
        None => think::<G, P>(game, limits, settings, table, control, report, start),
    };
    control.wait_for_release(limits.infinite, limits.ponder);
    answer
}

/// The score of a position in which there is no turn to give. Draws by repetition or counters do not count: there a
/// turn is still asked for.
fn score_without_turn<G: Draws + Chance>(game: &Game<G>) -> Option<Score> {
    let position = game.position();
    if let Some(winner) = position.decided() {
        return Some(Score::Mate(i32::from(winner == position.side_to_move())));
    }
    if !has_turn(position) {
        return Some(if position.lost_without_turn() {
            Score::Mate(0)
        } else {
            Score::Cp(0)
        });
    }
    (!position.is_mid_turn() && position.is_dead(game.options())).then_some(Score::Cp(0))
}

fn think<G: Searchable, P: Policy>(
    game: &Game<G>,
    limits: &Limits<G>,
    settings: &Settings,
    table: &Table,
    control: &Control,
    report: &mut dyn FnMut(Report<G>),
    start: Instant,
) -> Answer<G> {
    let handicap = settings.elo.map(Handicap::of);
    let threads = if handicap.is_some() {
        1
    } else {
        settings.threads.max(1)
    };
    table.age();
    let mut shared = Shared {
        table,
        control,
        stop: AtomicBool::new(false),
        counts: Vec::new(),
        start,
    };
    shared.counts.resize_with(threads, Count::default);
    let shared = &shared;
    let allowed = allowed_turns(game, limits);
    let budget = limits
        .clock
        .map(|clock| Budget::new(&clock, settings.move_overhead));

    let mut main = Worker::<G, P>::new(shared, 0, game);
    main.allowed.clone_from(&allowed);
    main.node_limit = limits.nodes.unwrap_or(u64::MAX);
    if let Some(handicap) = handicap {
        main.node_limit = main.node_limit.min(handicap.nodes);
        main.noise = handicap.noise;
    }
    main.time_limit = match (limits.movetime, budget.map(|budget| budget.maximum)) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    main.clock_start = (!limits.ponder).then_some(start);
    main.report = Some(report);

    std::thread::scope(|scope| {
        for id in 1..threads {
            let allowed = &allowed;
            let helper = move || {
                let mut worker = Worker::<G, P>::new(shared, id, game);
                worker.allowed.clone_from(allowed);
                deepen_alone(&mut worker, game.position());
            };
            // A thread that the system refuses is done without.
            let _ = std::thread::Builder::new().spawn_scoped(scope, helper);
        }
        let driver = Driver {
            game,
            limits,
            settings,
            budget,
            shared,
            worker: main,
            lines: Vec::new(),
        };
        let answer = driver.run();
        shared.stop.store(true, Relaxed);
        answer
    })
}

/// The `searchmoves` that some legal turn begins with; if there is none, no restriction.
fn allowed_turns<G: Draws + Chance>(game: &Game<G>, limits: &Limits<G>) -> Vec<Turn<G::Step>> {
    let mut allowed = limits.searchmoves.clone();
    allowed.retain(|prefix| {
        let mut position = *game.position();
        for (i, step) in prefix.iter().enumerate() {
            if i > 0 && !position.is_mid_turn() || !legal_steps(&position).contains(step) {
                return false;
            }
            position.play(*step);
        }
        true
    });
    allowed
}

/// What a helper thread does: deepen until it is stopped, every second thread a turn ahead of the others.
fn deepen_alone<G: Searchable, P: Policy>(worker: &mut Worker<G, P>, position: &G) {
    let first = 1 + (worker.id() % 2) as u32;
    let mut value = 0;
    for depth in first..=MAX_DEPTH {
        worker.iteration = depth;
        value = aspire(worker, position, depth, value, |_, _, _| {});
        if worker.stopped || value == ILLEGAL {
            break;
        }
        worker.hint = worker.root_line().to_vec();
    }
    worker.publish();
}

/// Searches the root to a depth in a window round the expected value that widens until the value lies inside.
/// `failed` hears of every value outside.
fn aspire<G: Searchable, P: Policy>(
    worker: &mut Worker<G, P>,
    position: &G,
    depth: u32,
    expected: i32,
    mut failed: impl FnMut(&mut Worker<G, P>, i32, Bound),
) -> i32 {
    let mut delta = 20;
    let (mut alpha, mut beta) = if depth < 4 || is_mate(expected) {
        (-INFINITE, INFINITE)
    } else {
        (expected - delta, expected + delta)
    };
    loop {
        let value = worker.search_root(position, depth as i32, alpha, beta);
        if worker.stopped || value == ILLEGAL {
            return value;
        }
        if value <= alpha && alpha > -INFINITE {
            failed(worker, value, Bound::Upper);
            beta = i32::midpoint(alpha, beta);
            alpha = value - delta;
        } else if value >= beta && beta < INFINITE {
            failed(worker, value, Bound::Lower);
            beta = value + delta;
        } else {
            return value;
        }
        delta *= 2;
        if delta > 500 || is_mate(value) {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
    }
}

/// A principal variation.
struct Line<S> {
    value: i32,
    steps: Vec<S>,
}

/// How far an iteration came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Iteration {
    /// To its end.
    Whole,
    /// It was broken off, but has something to say.
    Part,
    /// It was broken off and is forgotten.
    Void,
}

struct Driver<'a, G: Searchable, P: Policy> {
    game: &'a Game<G>,
    limits: &'a Limits<G>,
    settings: &'a Settings,
    budget: Option<Budget>,
    shared: &'a Shared<'a>,
    worker: Worker<'a, G, P>,
    /// The lines of the last iteration that was finished (or is reported), best first.
    lines: Vec<Line<G::Step>>,
}

impl<G: Searchable, P: Policy> Driver<'_, G, P> {
    fn run(mut self) -> Answer<G> {
        let depths = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut reported = 0;
        let mut steady = 0u32;
        for depth in 1..=depths {
            let before = self.lines.first().map(|line| (line.value, line.steps[0]));
            self.worker.iteration = depth;
            let finished = self.iterate(depth);
            if finished != Iteration::Void {
                reported = depth;
                for number in 0..self.lines.len() {
                    self.tell(depth, number, None);
                }
            }
            if finished != Iteration::Whole {
                break;
            }
            let value = self.lines[0].value;
            let dropped = before.map_or(0, |(old, _)| old - value);
            if before.is_some_and(|(_, step)| step == self.lines[0].steps[0]) {
                steady += 1;
            } else {
                steady = 0;
            }
            if self.is_enough(depth, value, steady, dropped) {
                break;
            }
        }
        if reported == 0 {
            self.fall_back();
            self.tell(1, 0, None);
        }
        self.worker.publish();
        self.answer()
    }

    /// Searches all lines to a depth.
    fn iterate(&mut self, depth: u32) -> Iteration {
        let position = *self.game.position();
        let mut fresh: Vec<Line<G::Step>> = Vec::new();
        self.worker.excluded.clear();
        self.worker.root_best = None;
        for number in 0..self.settings.multi_pv.max(1) {
            let expected = self.lines.get(number).map_or(0, |line| line.value);
            self.worker.hint = self
                .lines
                .get(number)
                .map_or_else(Vec::new, |line| line.steps.clone());
            let value = {
                let (game, shared) = (self.game, self.shared);
                aspire(
                    &mut self.worker,
                    &position,
                    depth,
                    expected,
                    |worker, value, bound| {
                        if number == 0 && shared.start.elapsed() >= Duration::from_secs(3) {
                            let line = Line {
                                value,
                                steps: worker.root_line().to_vec(),
                            };
                            if !line.steps.is_empty() {
                                report_line(worker, game, shared, depth, 0, &line, bound);
                            }
                        }
                    },
                )
            };
            if self.worker.stopped {
                if number > 0 {
                    // The lines that were finished are newer than the rest of the last iteration.
                    let keys: Vec<_> = fresh.iter().map(|line| self.key_after_turn(line)).collect();
                    for line in std::mem::take(&mut self.lines) {
                        if !keys.contains(&self.key_after_turn(&line)) {
                            fresh.push(line);
                        }
                    }
                    fresh.truncate(self.settings.multi_pv);
                    self.set_lines(fresh);
                    return Iteration::Part;
                }
                return self.adopt_partial();
            }
            if value == ILLEGAL {
                break;
            }
            let line = Line {
                value,
                steps: self.worker.root_line().to_vec(),
            };
            let key = self.key_after_turn(&line);
            self.worker.excluded.push(key);
            fresh.push(line);
        }
        self.set_lines(fresh);
        Iteration::Whole
    }

    fn set_lines(&mut self, mut lines: Vec<Line<G::Step>>) {
        lines.sort_by_key(|line| -line.value);
        self.lines = lines;
    }

    fn key_after_turn(&self, line: &Line<G::Step>) -> u64 {
        let mut position = *self.game.position();
        for &step in &line.steps {
            position.play(step);
            if !position.is_mid_turn() {
                break;
            }
        }
        position.key()
    }

    /// Takes over the best turn of an iteration that was broken off, if it had an exact one.
    fn adopt_partial(&mut self) -> Iteration {
        let Some((value, steps)) = self.worker.root_best.take() else {
            return Iteration::Void;
        };
        let line = Line { value, steps };
        let key = self.key_after_turn(&line);
        let mut lines = vec![line];
        for old in std::mem::take(&mut self.lines) {
            if self.key_after_turn(&old) != key {
                lines.push(old);
            }
        }
        lines.truncate(self.settings.multi_pv.max(1));
        self.lines = lines;
        Iteration::Part
    }

    /// A legal turn and the static value, for a search that could not finish anything.
    fn fall_back(&mut self) {
        let position = self.game.position();
        let allowed = &self.worker.allowed;
        let mut best: Option<Line<G::Step>> = None;
        for_each_turn(position, &mut |turn, after| {
            let permitted = allowed.is_empty()
                || allowed
                    .iter()
                    .any(|wanted| turn.iter().zip(wanted).all(|(a, b)| a == b));
            let value = if after.side_to_move() == position.side_to_move() {
                after.evaluate()
            } else {
                -after.evaluate()
            };
            if permitted && best.as_ref().is_none_or(|best| value > best.value) {
                best = Some(Line {
                    value,
                    steps: turn.to_vec(),
                });
            }
        });
        self.lines.extend(best);
    }

    /// Whether another iteration is not worth while.
    fn is_enough(&mut self, depth: u32, value: i32, steady: u32, dropped: i32) -> bool {
        if let Some(turns) = self.limits.mate
            && value >= MATE_BOUND
            && MATE - value < 2 * i32::try_from(turns).unwrap_or(i32::MAX / 4)
        {
            return true;
        }
        let (Some(budget), Some(start)) = (self.budget, self.worker.clock_start) else {
            return false;
        };
        if is_mate(value) && depth as i32 > MATE - value.abs() + 3 {
            return true;
        }
        let mut share = match steady {
            0 => 0.85,
            1..=3 => 0.6,
            4..=7 => 0.5,
            _ => 0.4,
        };
        share *= 1.0 + f64::from(dropped.clamp(0, 100)) / 100.0;
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

    fn tell(&mut self, depth: u32, number: usize, bound: Option<Bound>) {
        let bound = bound.unwrap_or(Bound::Exact);
        report_line(
            &mut self.worker,
            self.game,
            self.shared,
            depth,
            number,
            &self.lines[number],
            bound,
        );
    }

    fn answer(&self) -> Answer<G> {
        let line = &self.lines[0];
        let turns = turns_of(self.game, &line.steps);
        Answer {
            best: turns.first().cloned(),
            ponder: turns.get(1).cloned(),
            score: score(line.value),
            win_chance: None,
            nodes: self.shared.nodes(),
        }
    }
}

fn report_line<G: Searchable, P: Policy>(
    worker: &mut Worker<G, P>,
    game: &Game<G>,
    shared: &Shared,
    depth: u32,
    number: usize,
    line: &Line<G::Step>,
    bound: Bound,
) {
    worker.publish();
    let score = score(line.value);
    let info = Info {
        depth,
        seldepth: (worker.seldepth as u32).max(depth),
        multipv: number + 1,
        score,
        bound,
        wdl: score.wdl(),
        win_chance: None,
        nodes: shared.nodes(),
        time: shared.start.elapsed(),
        hashfull: shared.table.hashfull(),
        pv: turns_of(game, &line.steps),
    };
    if let Some(report) = &mut worker.report {
        report(Report::Pv(info));
    }
}

/// The whole turns of a line from the game's position, each step checked, up to the end of the game.
fn turns_of<G: Draws + Chance>(game: &Game<G>, steps: &[G::Step]) -> Vec<Turn<G::Step>> {
    let mut game = game.clone();
    let mut turns = Vec::new();
    let mut turn = Turn::new();
    for &step in steps {
        if !legal_steps(game.position()).contains(&step) {
            break;
        }
        game.play(step);
        turn.push(step);
        if !game.position().is_mid_turn() {
            turns.push(std::mem::take(&mut turn));
            if game.outcome().is_some() {
                break;
            }
        }
    }
    turns
}
