//! The search of DiceChess: expectimax with Star1 bounds.
//!
//! Values are probabilities to win in fixed point, so that every value has the tight bounds 0 and 1, and chance nodes
//! can be cut off as soon as the rolls seen so far, with the rest taken as all won or all lost, leave the window: Star1
//! (Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence 21, 1983).
//! Depth counts turns. The rolls that take the king are known before any turn is generated and are worth 1 at once.
//!
//! At the root and below every roll the distinct results of the turn are searched, not its ordered lines. The leaves below a
//! roll are looked at in the order of an upper bound (material alone, as if the opponent's next roll could not take
//! the king), which ends most of them without the costly part of the evaluation.

mod worker;

#[cfg(test)]
mod tests;

use super::{
    Answer, Bound, Budget, Control, Handicap, Info, Limits, Report, Score, Search, Settings, Table,
};
use crate::eval::dice::{CERTAIN, centipawns, chance_of, gain_of, material};
use crate::rules::dice::{DiceChess, Found, Step, Walker};
use crate::rules::{Chance, Game, Rules, Turn, for_each_turn};
use ahash::AHashSet;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use worker::Worker;

/// The deepest iteration, in turns.
const MAX_DEPTH: u32 = 32;

/// What all threads of a search share.
struct Shared<'a> {
    table: &'a Table,
    control: &'a Control,
    /// Set by the first thread that reaches a limit.
    stop: AtomicBool,
    /// Nodes of all threads, as far as they have told.
    nodes: AtomicU64,
    start: Instant,
    limit: WorkLimit,
    noise: i32,
    clock_draw: bool,
}

/// When the work ends.
#[derive(Clone, Copy)]
struct WorkLimit {
    nodes: u64,
    /// Since the start, or since the ponder hit.
    time: Option<Duration>,
    ponder: bool,
    /// With one thread the node limit is exact.
    alone: bool,
}

/// How a root turn came about.
#[derive(Clone)]
enum Origin {
    Walk(Found),
    Turn(Turn<Step>),
}

/// A distinct result of the root's turn.
#[derive(Clone)]
struct Child {
    origin: Origin,
    after: DiceChess,
    /// It took the king.
    wins: bool,
    /// What the turn is worth at most if nothing but material counts.
    ceiling: i32,
    /// The value of the latest iteration that looked at it, for the side that moves at the root.
    value: i32,
    /// Whether that value is exact, or an upper bound.
    exact: bool,
}

/// One iteration over the root's turns, shared by the threads.
struct Round<'a> {
    children: &'a [Child],
    depth: u32,
    next: AtomicUsize,
    /// The best exact values so far, best first, as many as lines are asked for.
    top: Mutex<Vec<i32>>,
    lines: usize,
}

impl Round<'_> {
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

    /// Searches turns until none is left, and gives their number, value and whether it is exact.
    fn work(&self, worker: &mut Worker, current: &mut dyn FnMut(usize)) -> Vec<(usize, i32, bool)> {
        let mut done = Vec::new();
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            let Some(child) = self.children.get(number) else {
                return done;
            };
            let bar = self.bar();
            let value = if child.wins {
                CERTAIN
            } else if self.depth == 1 && child.ceiling <= bar && !worker.may_draw(&child.after, 0) {
                child.ceiling
            } else {
                current(number);
                CERTAIN - worker.chance(&child.after, self.depth - 1, -1, CERTAIN - bar)
            };
            if worker.stopped {
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

impl Search for DiceChess {
    fn search(
        game: &Game<Self>,
        limits: &Limits<Self>,
        settings: &Settings,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Report<Self>),
    ) -> Answer<Self> {
        let start = Instant::now();
        table.age();
        let handicap = settings.elo.map(Handicap::of);
        let threads = if handicap.is_some() {
            1
        } else {
            settings.threads.clamp(1, 256)
        };
        let budget = limits
            .clock
            .map(|clock| Budget::new(&clock, settings.move_overhead).optimum);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let shared = Shared {
            table,
            control,
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            start,
            limit: WorkLimit {
                nodes: handicap.map_or(nodes, |handicap| nodes.min(handicap.nodes)),
                time: match (limits.movetime, budget) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                },
                ponder: limits.ponder,
                alone: threads == 1,
            },
            noise: handicap.map_or(0, |handicap| handicap.noise),
            clock_draw: game.options().clock_draw,
        };
        let position = game.position();
        let answer = if let Some(winner) = position.decided() {
            let score = Score::Mate(i32::from(winner == position.side_to_move()));
            let value = if winner == position.side_to_move() {
                CERTAIN
            } else {
                0
            };
            report(Report::Pv(without_turn(&shared, 0, 0, score, value)));
            without_best(score, value, 0)
        } else if position.awaits_roll() {
            expectation(position, limits, &shared, report)
        } else {
            Driver {
                root: *position,
                limits,
                settings,
                shared: &shared,
                walker: Walker::new(),
                children: Vec::new(),
                workers: (0..threads).map(|_| Worker::new(&shared)).collect(),
                report,
            }
            .run()
        };
        control.wait_for_release(limits.infinite, limits.ponder);
        answer
    }
}

/// The chances to win, draw and lose, per mille.
fn wdl(value: i32) -> [u16; 3] {
    let win = (probability(value) * 1000.0).round() as u16;
    [win, 0, 1000 - win]
}

/// A value of the search as a probability, 0 to 1.
fn probability(value: i32) -> f64 {
    f64::from(value) / f64::from(CERTAIN)
}

fn without_turn(
    shared: &Shared,
    depth: u32,
    nodes: u64,
    score: Score,
    value: i32,
) -> Info<DiceChess> {
    Info {
        depth,
        seldepth: depth,
        multipv: 1,
        score,
        bound: Bound::Exact,
        wdl: wdl(value),
        win_chance: Some(probability(value)),
        nodes,
        time: shared.start.elapsed(),
        hashfull: shared.table.hashfull(),
        pv: Vec::new(),
    }
}

fn without_best(score: Score, value: i32, nodes: u64) -> Answer<DiceChess> {
    Answer {
        best: None,
        ponder: None,
        score,
        win_chance: Some(probability(value)),
        nodes,
    }
}

/// The value of a position whose dice are not known yet: the mean over the 216 throws.
fn expectation(
    position: &DiceChess,
    limits: &Limits<DiceChess>,
    shared: &Shared,
    report: &mut dyn FnMut(Report<DiceChess>),
) -> Answer<DiceChess> {
    report(Report::Message(
        "no dice given: expectation over all rolls".to_owned(),
    ));
    let mut worker = Worker::new(shared);
    let mut value = chance_of(material(position));
    let mut reached = 0;
    // There is no turn to find on the clock.
    let deepest = match (limits.depth, limits.clock) {
        (Some(depth), _) => depth.clamp(1, MAX_DEPTH),
        (None, Some(_)) => 1,
        (None, None) => MAX_DEPTH,
    };
    for depth in 0..=deepest {
        let found = worker.chance(position, depth, -1, CERTAIN + 1);
        if worker.stopped {
            break;
        }
        (value, reached) = (found, depth);
    }
    worker.tell_nodes();
    let nodes = shared.nodes.load(Relaxed);
    let score = Score::Cp(centipawns(value));
    report(Report::Pv(without_turn(
        shared, reached, nodes, score, value,
    )));
    without_best(score, value, nodes)
}

struct Driver<'a> {
    root: DiceChess,
    limits: &'a Limits<DiceChess>,
    settings: &'a Settings,
    shared: &'a Shared<'a>,
    walker: Walker,
    /// The root's turns, best first as far as known.
    children: Vec<Child>,
    workers: Vec<Worker<'a>>,
    report: &'a mut dyn FnMut(Report<DiceChess>),
}

impl Driver<'_> {
    fn run(mut self) -> Answer<DiceChess> {
        self.find_children();
        let deepest = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        // Nothing but a king taken this turn is ever proven.
        let deepest = self.limits.mate.map_or(deepest, |mate| {
            deepest.min(mate.saturating_mul(2).saturating_sub(1).max(1))
        });
        let mut reached = 0;
        for depth in 1..=deepest {
            let finished = self.iterate(depth);
            if finished.any() {
                reached = depth;
                self.tell(depth);
            }
            if finished != Progress::Whole || self.is_enough() {
                break;
            }
        }
        if reached == 0 {
            // Not even one turn was looked at: take the first by material.
            self.children[0].value = self.children[0].ceiling;
            self.tell(1);
        }
        let best = &self.children[0];
        Answer {
            best: Some(self.turn(best)),
            ponder: None,
            score: score_of(best),
            win_chance: Some(probability(best.value)),
            nodes: self.nodes(),
        }
    }

    /// Lists the distinct results of the turn, those that `searchmoves` allows.
    fn find_children(&mut self) {
        let root = self.root;
        let allowed = &self.limits.searchmoves;
        if !allowed.is_empty() {
            let mut keys = AHashSet::new();
            let children = &mut self.children;
            for_each_turn(&root, &mut |turn, after| {
                let permitted = allowed.iter().any(|prefix| turn.starts_with(prefix));
                if permitted && keys.insert(after.key()) {
                    children.push(Child::new(Origin::Turn(Turn::from_slice(turn)), *after));
                }
            });
        }
        if self.children.is_empty() {
            let mut found = Vec::new();
            self.walker.start(&root);
            self.walker.results(root.pool(), &mut found);
            for found in found {
                let after = self.walker.position(&found);
                let child = Child::new(Origin::Walk(found), after);
                if child.wins || !root.must_capture() {
                    self.children.push(child);
                }
            }
        }
        self.children.sort_by_key(|child| -child.ceiling);
    }

    /// One iteration. A part of it counts once the turn that was best before has been looked at again.
    fn iterate(&mut self, depth: u32) -> Progress {
        let lines = self.settings.multi_pv.clamp(1, self.children.len());
        let round = Round {
            children: &self.children,
            depth,
            next: AtomicUsize::new(0),
            top: Mutex::new(Vec::new()),
            lines,
        };
        let (first, others) = self
            .workers
            .split_first_mut()
            .expect("a search has at least one thread");
        let mut done = Vec::new();
        let (shared, root, walker, report) =
            (self.shared, &self.root, &self.walker, &mut *self.report);
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            // One turn is too little to share, and one iteration of leaves too short.
            if depth > 1 && self.children.len() > 1 {
                for worker in others {
                    let round = &round;
                    let thread = std::thread::Builder::new()
                        .spawn_scoped(scope, move || round.work(worker, &mut |_| {}));
                    threads.extend(thread);
                }
            }
            done = round.work(first, &mut |number| {
                if shared.start.elapsed() > Duration::from_secs(3) {
                    report(Report::Current {
                        depth,
                        turn: turn_of(root, walker, &round.children[number]),
                        number: number + 1,
                    });
                }
            });
            for thread in threads {
                if let Ok(more) = thread.join() {
                    done.extend(more);
                }
            }
        });
        let whole = done.len() == self.children.len();
        if !whole && !done.iter().any(|&(number, _, exact)| number == 0 && exact) {
            return Progress::Void;
        }
        for child in &mut self.children {
            child.exact = false;
        }
        for &(number, value, exact) in &done {
            self.children[number].value = value;
            self.children[number].exact = exact;
        }
        // Turns of this iteration go first; among them, and among the others, the better.
        self.children
            .sort_by_key(|child| (!child.exact, -child.value));
        if whole {
            Progress::Whole
        } else {
            Progress::Part
        }
    }

    fn is_enough(&self) -> bool {
        if self.children[0].wins {
            return true;
        }
        let held = self.limits.infinite || self.limits.ponder;
        let forced = self.children.len() == 1 && self.limits.clock.is_some();
        !held && forced || self.workers[0].is_over()
    }

    fn nodes(&self) -> u64 {
        self.workers.iter().map(Worker::nodes).sum()
    }

    fn turn(&self, child: &Child) -> Turn<Step> {
        turn_of(&self.root, &self.walker, child)
    }

    fn tell(&mut self, depth: u32) {
        let lines = self.settings.multi_pv.clamp(1, self.children.len());
        let time = self.shared.start.elapsed();
        for number in 0..lines {
            let child = &self.children[number];
            let info = Info {
                depth,
                seldepth: depth,
                multipv: number + 1,
                score: score_of(child),
                bound: Bound::Exact,
                wdl: wdl(child.value),
                win_chance: Some(probability(child.value)),
                nodes: self.nodes(),
                time,
                hashfull: self.shared.table.hashfull(),
                pv: vec![self.turn(child)],
            };
            (self.report)(Report::Pv(info));
        }
    }
}

/// How far an iteration came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Whole,
    Part,
    Void,
}

impl Progress {
    fn any(self) -> bool {
        self != Self::Void
    }
}

impl Child {
    fn new(origin: Origin, after: DiceChess) -> Self {
        let wins = after.decided().is_some();
        let ceiling = if wins {
            CERTAIN
        } else {
            CERTAIN - chance_of(material(&after))
        };
        Self {
            origin,
            after,
            wins,
            ceiling,
            value: ceiling,
            exact: false,
        }
    }
}

fn score_of(child: &Child) -> Score {
    if child.wins {
        Score::Mate(1)
    } else {
        Score::Cp(centipawns(child.value))
    }
}

fn turn_of(root: &DiceChess, walker: &Walker, child: &Child) -> Turn<Step> {
    match &child.origin {
        Origin::Walk(found) => walker.turn(root, found),
        Origin::Turn(turn) => turn.clone(),
    }
}
