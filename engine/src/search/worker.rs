//! One thread's walk through the tree.

use super::history::History;
use super::ordering::{pick, step_tag};
use super::policy::Policy;
use super::table::Entry;
use super::value::{
    EVAL_LIMIT, ILLEGAL, INFINITE, MATE, MATE_BOUND, MAX_PLY, from_table, is_mate, to_table,
};
use super::{Bound, Control, Report, Table};
use crate::core::StepList;
use crate::core::zobrist::splitmix;
use crate::eval::{Evaluate, Shape, Tactics};
use crate::rules::{Chance, Draws, Game, Turn, has_turn};
use arrayvec::ArrayVec;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The longest line in steps.
pub const MAX_HEIGHT: usize = 280;
/// Nodes between two looks at the clock and the stop switches.
const POLL: u64 = 64;
/// The order of steps by score: the table's (or the last iteration's), captures that win, killers, the others by their
/// history, captures that lose.
const KNOWN_BEST: i32 = 2 * GOOD_NOISY;
const GOOD_NOISY: i32 = 1_000_000;
const KILLER: i32 = 900_000;
/// Up to this depth a step is not searched when the exchange that it begins loses too much: a quiet one this many centipawns by
/// depth and depth again, a capture this many by depth.
const EXCHANGE_DEPTH: i32 = 7;
const QUIET_LOSS: i32 = 20;
const NOISY_LOSS: i32 = 90;
/// With a counter of quiet turns this high the table's values, which do not know the counter, are not believed.
const CLOCK_NEAR: usize = 90;

/// What the deterministic search needs to know of a game.
pub trait Searchable: Draws + Chance + Evaluate + Tactics + Shape {}

impl<G: Draws + Chance + Evaluate + Tactics + Shape> Searchable for G {}

/// What the threads of one search share.
pub struct Shared<'a> {
    /// The transposition table.
    pub table: &'a Table,
    /// The switches of the outside.
    pub control: &'a Control,
    /// Ends all threads.
    pub stop: AtomicBool,
    /// Nodes of each thread, a cache line each.
    pub counts: Vec<Count>,
    /// When the search began.
    pub start: Instant,
}

/// A node counter that shares its cache line with nothing.
#[derive(Default)]
#[repr(align(64))]
pub struct Count(pub AtomicU64);

impl Shared<'_> {
    /// The nodes of all threads, as far as they have told.
    pub fn nodes(&self) -> u64 {
        self.counts.iter().map(|count| count.0.load(Relaxed)).sum()
    }
}

/// The best line so far from every height. A line grows where it is needed, so that a short search does not pay for deep ones.
struct PvTable<S>(Vec<Vec<S>>);

impl<S: Copy> PvTable<S> {
    fn new() -> Self {
        Self(vec![Vec::new(); MAX_HEIGHT + 1])
    }

    fn clear(&mut self, height: usize) {
        self.0[height].clear();
    }

    fn line(&self, height: usize) -> &[S] {
        &self.0[height]
    }

    /// The step, then the line of the next height.
    fn update(&mut self, height: usize, step: S) {
        let (upper, lower) = self.0.split_at_mut(height + 1);
        let line = &mut upper[height];
        line.clear();
        line.push(step);
        line.extend_from_slice(&lower[0]);
    }
}

/// Where in the tree a node is, and what its parent knows about it.
#[derive(Clone, Copy)]
struct Place {
    /// Turns from the root.
    ply: usize,
    /// Steps from the root.
    height: usize,
    /// A step of this turn has been reduced already.
    reduced: bool,
    /// The turn before was a pass.
    after_pass: bool,
}

/// The best step of a node so far, and the window that it leaves to the others.
struct Window<S> {
    first_alpha: i32,
    alpha: i32,
    beta: i32,
    best: i32,
    step: Option<S>,
}

impl<S> Window<S> {
    /// A window before the first step, when not moving at all is worth `best` (a value below all others if that is not
    /// allowed).
    const fn new(alpha: i32, beta: i32, best: i32) -> Self {
        Self {
            first_alpha: alpha,
            alpha: if best > alpha { best } else { alpha },
            beta,
            best,
            step: None,
        }
    }

    /// Takes in the value of a step; whether it is above all that was known.
    #[inline(always)]
    fn raise(&mut self, value: i32, step: S) -> bool {
        self.best = self.best.max(value);
        let raised = value > self.alpha;
        if raised {
            self.alpha = value;
            self.step = Some(step);
        }
        raised
    }

    /// Whether no other step needs to be looked at.
    #[inline(always)]
    const fn is_cut(&self) -> bool {
        self.best >= self.beta
    }

    /// What the best value is worth; only a node of the principal variation has exact ones.
    const fn bound(&self, pv: bool) -> Bound {
        if self.is_cut() {
            Bound::Lower
        } else if pv && self.alpha > self.first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// One thread of the search.
pub struct Worker<'a, G: Searchable, P> {
    shared: &'a Shared<'a>,
    id: usize,
    options: G::Options,
    /// Steps made so far.
    pub nodes: u64,
    next_poll: u64,
    /// The search ends when this many steps were made.
    pub node_limit: u64,
    /// The search ends when the clock has run this long.
    pub time_limit: Option<Duration>,
    /// When the clock began; `None` while pondering.
    pub clock_start: Option<Instant>,
    /// The search has been broken off; values are void.
    pub stopped: bool,
    /// The deepest turn seen.
    pub seldepth: usize,
    /// Turns that the root may begin with; empty: all.
    pub allowed: Vec<Turn<G::Step>>,
    /// Keys after root turns that are not to be searched again.
    pub excluded: Vec<u64>,
    /// The line to try first.
    pub hint: Vec<G::Step>,
    /// The value and the line of the best root turn of this iteration, once one is exact.
    pub root_best: Option<(i32, Vec<G::Step>)>,
    /// Where the main thread reports.
    pub report: Option<&'a mut dyn FnMut(Report<G>)>,
    /// The depth of this iteration.
    pub iteration: u32,
    /// The amplitude of the noise on evaluations, in centipawns, for play below full strength.
    pub noise: i32,
    keys: Vec<u64>,
    keys_floor: usize,
    root_keys: usize,
    path: Vec<G::Step>,
    path_floor: usize,
    root_path: usize,
    steps: Vec<(i32, G::Step)>,
    pv: PvTable<G::Step>,
    history: History<G>,
    killers: Box<[[Option<G::Step>; 2]]>,
    evals: Box<[i32]>,
    reductions: Box<[[i8; 64]; 64]>,
    policy: PhantomData<P>,
}

impl<'a, G: Searchable, P: Policy> Worker<'a, G, P> {
    /// A thread that is about to search the game's position. `id` 0 is the main thread, which alone watches the clock.
    pub fn new(shared: &'a Shared<'a>, id: usize, game: &Game<G>) -> Self {
        let mut keys = game.turn_keys();
        keys.reserve(MAX_HEIGHT);
        let mut path: Vec<_> = game.steps().collect();
        path.reserve(MAX_HEIGHT);
        let mut reductions = Box::new([[0; 64]; 64]);
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction =
                    (0.5 + (depth as f64).ln() * (number as f64).ln() / 2.25).floor() as i8;
            }
        }
        Self {
            shared,
            id,
            options: *game.options(),
            nodes: 0,
            next_poll: 0,
            node_limit: u64::MAX,
            time_limit: None,
            clock_start: None,
            stopped: false,
            seldepth: 0,
            allowed: Vec::new(),
            excluded: Vec::new(),
            hint: Vec::new(),
            root_best: None,
            report: None,
            iteration: 0,
            noise: 0,
            keys_floor: 0,
            root_keys: keys.len(),
            keys,
            path_floor: 0,
            root_path: path.len(),
            path,
            steps: Vec::with_capacity(MAX_HEIGHT * 48),
            pv: PvTable::new(),
            history: History::new(),
            killers: vec![[None; 2]; MAX_HEIGHT + 4].into_boxed_slice(),
            evals: vec![0; MAX_PLY + 8].into_boxed_slice(),
            reductions,
            policy: PhantomData,
        }
    }

    /// The number of this thread.
    pub const fn id(&self) -> usize {
        self.id
    }

    /// The best line of the last search of the root.
    pub fn root_line(&self) -> &[G::Step] {
        self.pv.line(0)
    }

    /// Searches the root to a depth with a window. [`ILLEGAL`] if no turn is left to search.
    pub fn search_root(&mut self, position: &G, depth: i32, alpha: i32, beta: i32) -> i32 {
        let root = Place {
            ply: 0,
            height: 0,
            reduced: false,
            after_pass: false,
        };
        self.node::<true>(position, depth, alpha, beta, root)
    }

    /// Whether the search has to end now, asked before each step.
    #[inline(always)]
    fn out_of_nodes_or_time(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        self.publish();
        let shared = self.shared;
        let total = if shared.counts.len() == 1 {
            self.nodes
        } else {
            shared.nodes()
        };
        self.stopped = shared.stop.load(Relaxed)
            || shared.control.is_stopped()
            || total >= self.node_limit
            || self.id == 0 && self.time_is_up();
        self.next_poll = (self.nodes + POLL).min(self.node_limit);
    }

    /// Tells the node count to the other threads.
    pub fn publish(&self) {
        self.shared.counts[self.id].0.store(self.nodes, Relaxed);
    }

    fn time_is_up(&mut self) -> bool {
        if self.clock_start.is_none() && self.shared.control.is_ponder_hit() {
            self.clock_start = Some(Instant::now());
        }
        match (self.clock_start, self.time_limit) {
            (Some(start), Some(limit)) => start.elapsed() >= limit,
            _ => false,
        }
    }

    /// Whether a root turn may go on with this step.
    fn permits(&self, step: G::Step, next: &G) -> bool {
        let made = &self.path[self.root_path..];
        let begins = |turn: &Turn<G::Step>| {
            let mut turn = turn.iter();
            made.iter()
                .chain(std::iter::once(&step))
                .all(|made| turn.next().is_none_or(|wanted| wanted == made))
        };
        (self.allowed.is_empty() || self.allowed.iter().any(begins))
            && (self.excluded.is_empty()
                || next.is_mid_turn()
                || !self.excluded.contains(&next.key()))
    }

    /// Makes a step: the position after it, with the path and the keys brought up to date.
    #[inline(always)]
    fn enter(&mut self, next: &G, step: G::Step) {
        self.nodes += 1;
        self.path.push(step);
        if !next.is_mid_turn() {
            self.keys.push(next.key());
        }
    }

    #[inline(always)]
    fn leave(&mut self, next: &G) {
        self.path.pop();
        if !next.is_mid_turn() {
            self.keys.pop();
        }
    }

    /// The value of a position in which the game is over by itself (not for want of a turn) or counts as drawn.
    #[inline(always)]
    fn terminal(&self, position: &G, ply: usize) -> Option<i32> {
        if let Some(winner) = position.decided() {
            let value = MATE - ply as i32;
            return Some(if winner == position.side_to_move() {
                value
            } else {
                -value
            });
        }
        if position.is_dead(&self.options) {
            return Some(0);
        }
        if position.clock_draw(&self.options).is_some() {
            return Some(drawn_unless_mated(position, ply));
        }
        if self.is_repetition(position) || G::pattern_draw(&self.path[self.path_floor..]) {
            return Some(0);
        }
        None
    }

    /// Whether the position, whose key is the last on the stack, stood before: once after the root, or twice.
    #[inline(always)]
    fn is_repetition(&self, position: &G) -> bool {
        let reach = position
            .reversible_turns(&self.options)
            .min(self.keys.len() - 1 - self.keys_floor);
        if reach < 4 {
            return false;
        }
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let mut seen = false;
        for back in (4..=reach).step_by(2) {
            if self.keys[last - back] == key {
                if seen || last - back >= self.root_keys {
                    return true;
                }
                seen = true;
            }
        }
        false
    }

    #[inline(always)]
    fn evaluate(&self, position: &G) -> i32 {
        let value = position.evaluate();
        if self.noise == 0 {
            value.clamp(-EVAL_LIMIT, EVAL_LIMIT)
        } else {
            self.noisy_value(position, value)
        }
    }

    /// The evaluation with an error that depends on the position alone, so that it is the same each time: the sum
    /// of four uniform errors.
    #[cold]
    fn noisy_value(&self, position: &G, value: i32) -> i32 {
        let random = splitmix(position.key(), 4);
        let error: i32 = (0..4)
            .map(|i| (random >> (16 * i)) as u16 as i32 - 32_768)
            .sum();
        (value + (i64::from(error) * i64::from(self.noise) / 65_536) as i32)
            .clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The value of a child from the point of view of the parent's side.
    #[inline(always)]
    fn child<const PV: bool>(
        &mut self,
        next: &G,
        same_side: bool,
        depth: i32,
        alpha: i32,
        beta: i32,
        place: Place,
    ) -> i32 {
        if same_side {
            self.node::<PV>(next, depth, alpha, beta, place)
        } else {
            -self.node::<PV>(next, depth, -beta, -alpha, place)
        }
    }

    /// The value of a position for the side to move, searched to `depth` turns, the turn in progress being the first.
    /// Exact inside the window, otherwise a bound of the truth. [`ILLEGAL`] mid-turn without a step.
    fn node<const PV: bool>(
        &mut self,
        position: &G,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        place: Place,
    ) -> i32 {
        let Place { ply, height, .. } = place;
        let side = position.side_to_move();
        let mid_turn = G::MAX_STEPS > 1 && position.is_mid_turn();
        let mut in_check = false;
        if PV {
            self.pv.clear(height);
            self.seldepth = self.seldepth.max(ply);
        }
        if !mid_turn {
            if ply > 0 {
                if let Some(value) = self.terminal(position, ply) {
                    return value;
                }
                // Not even mate at once would raise a window beyond a mate that is nearer to the root.
                alpha = alpha.max(ply as i32 - MATE);
                beta = beta.min(MATE - ply as i32 - 1);
                if alpha >= beta {
                    return alpha;
                }
            }
            if P::QUIESCENCE || P::CHECK_EXTENSION {
                in_check = position.in_check();
            }
            if P::CHECK_EXTENSION && in_check && ply > 0 && ply < 2 * self.iteration as usize {
                depth += 1;
            }
            if depth <= 0 {
                return if P::QUIESCENCE {
                    self.quiescence::<PV>(position, alpha, beta, place, in_check)
                } else {
                    self.evaluate(position)
                };
            }
            if ply >= MAX_PLY || height + 2 * G::MAX_STEPS >= MAX_HEIGHT {
                return self.evaluate(position);
            }
        }

        let restricted = ply == 0 && !(self.allowed.is_empty() && self.excluded.is_empty());
        let key = position.key();
        let entry = self.shared.table.probe(key);
        let tag = entry.map_or(0, |entry| entry.tag);
        if let Some(entry) = entry
            && !PV
            && !restricted
            && (if P::EXACT_DEPTH {
                i32::from(entry.depth) == depth
            } else {
                i32::from(entry.depth) >= depth
            })
            && position.reversible_turns(&self.options) < CLOCK_NEAR
        {
            let value = from_table(entry.value, ply);
            if match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            } {
                return value;
            }
        }

        let mut eval = -INFINITE;
        let mut stored_eval = Entry::NO_EVAL;
        let mut improving = false;
        if P::QUIESCENCE && !mid_turn && !in_check {
            let raw = match entry {
                Some(entry) if entry.eval != Entry::NO_EVAL => i32::from(entry.eval),
                _ => self.evaluate(position),
            };
            stored_eval = raw as i16;
            self.evals[ply] = raw;
            improving = ply >= 2 && raw > self.evals[ply - 2];
            eval = raw;
            if let Some(entry) = entry {
                let value = from_table(entry.value, ply);
                if !is_mate(value)
                    && match entry.bound {
                        Bound::Exact => true,
                        Bound::Lower => value > eval,
                        Bound::Upper => value < eval,
                    }
                {
                    eval = value;
                }
            }
            if !PV && !is_mate(beta) {
                if P::REVERSE_FUTILITY
                    && depth <= 7
                    && eval - 80 * (depth - i32::from(improving)) >= beta
                {
                    return eval;
                }
                if P::NULL_MOVE
                    && G::NULL_MOVE
                    && depth >= 3
                    && eval >= beta
                    && !place.after_pass
                    && let Some(passed) = position.pass()
                {
                    let reduction = 3 + depth / 4 + ((eval - beta) / 200).min(3);
                    let value = self.after_pass(&passed, depth - reduction, beta, place);
                    if self.stopped {
                        return 0;
                    }
                    if value >= beta {
                        return if is_mate(value) { beta } else { value };
                    }
                }
            }
        } else if ply >= 2 {
            // In check: a value that makes grandchildren neither improving nor not.
            self.evals[ply] = self.evals[ply - 2];
        } else {
            self.evals[ply] = 0;
        }

        if P::INTERNAL_REDUCTION && !mid_turn && tag == 0 && depth >= 4 && ply > 0 {
            depth -= 1;
        }

        let base = self.steps.len();
        let mut known_best = self.list_steps(position, tag, ply, height);
        let mut end = self.steps.len();
        let mut rated = false;
        self.killers[height + 2] = [None; 2];

        let mut window = Window::new(alpha, beta, -INFINITE);
        let mut legal = 0usize;
        let mut tried: ArrayVec<u32, 64> = ArrayVec::new();
        let mut at = base;
        while at < end {
            let (score, step) = if known_best {
                (KNOWN_BEST, self.steps[at].1)
            } else {
                if !rated {
                    self.rate_steps(position, at, height);
                    rated = true;
                }
                pick(&mut self.steps[at..end])
            };
            let quiet = !position.is_noisy(step);
            if P::EXCHANGE && !quiet && !known_best && score > 0 && !position.wins_exchange(step, 0)
            {
                // Its turn comes after the quiet steps.
                self.steps[at].0 = score - 2 * GOOD_NOISY;
                continue;
            }
            known_best = false;
            at += 1;
            if ply > 0 && !PV && !mid_turn && !in_check && window.best > -MATE_BOUND && quiet {
                let late = P::LATE_PRUNING
                    && depth <= 4
                    && legal >= ((3 + depth * depth) >> i32::from(!improving)) as usize;
                let futile = P::FUTILITY
                    && depth <= 5
                    && eval + 100 + 90 * depth <= window.alpha
                    && !is_mate(window.alpha);
                if late || futile {
                    // The same holds for all quiet steps that are left: go on with the others.
                    end = self.keep_noisy(position, at, end);
                    continue;
                }
            }
            // A losing capture has been seen to lose something already: its score is below 0.
            if P::EXCHANGE_PRUNING
                && ply > 0
                && !PV
                && !mid_turn
                && depth <= EXCHANGE_DEPTH
                && window.best > -MATE_BOUND
                && (quiet || score < 0)
            {
                let loss = if quiet {
                    QUIET_LOSS * depth * depth
                } else {
                    NOISY_LOSS * depth
                };
                if !position.wins_exchange(step, -loss) {
                    continue;
                }
            }
            let mut next = *position;
            next.play(step);
            let next_mid = G::MAX_STEPS > 1 && next.is_mid_turn();
            if restricted && !self.permits(step, &next) {
                continue;
            }
            if self.out_of_nodes_or_time() {
                break;
            }
            if PV {
                self.pv.clear(height + 1);
            }
            if height == 0 {
                self.tell_current(step, legal + 1);
            }
            self.enter(&next, step);
            let same_side = next.side_to_move() == side;
            let full = if next_mid { depth } else { depth - 1 };
            let mut below = Place {
                ply: ply + usize::from(!next_mid),
                height: height + 1,
                reduced: place.reduced && next_mid,
                after_pass: false,
            };

            let value = if PV && legal == 0 {
                self.child::<true>(&next, same_side, full, window.alpha, window.beta, below)
            } else {
                let mut reduction = 0;
                if P::LATE_REDUCTION && depth >= 3 && legal >= 2 && !place.reduced && quiet {
                    reduction = i32::from(self.reductions[(depth as usize).min(63)][legal.min(63)])
                        - i32::from(PV)
                        - i32::from(in_check)
                        + i32::from(!improving && !mid_turn)
                        - score.clamp(-16_384, 16_384) / 8_192;
                    reduction = reduction.clamp(0, (full - 1).max(0));
                }
                let mut value = 0;
                let mut again = true;
                if reduction > 0 {
                    let unreduced = below.reduced;
                    below.reduced = next_mid;
                    value = self.child::<false>(
                        &next,
                        same_side,
                        full - reduction,
                        window.alpha,
                        window.alpha + 1,
                        below,
                    );
                    below.reduced = unreduced;
                    again = value > window.alpha;
                }
                if again {
                    value = self.child::<false>(
                        &next,
                        same_side,
                        full,
                        window.alpha,
                        window.alpha + 1,
                        below,
                    );
                }
                if PV && value > window.alpha && (value < window.beta || ply == 0 && next_mid) {
                    value = self.child::<true>(
                        &next,
                        same_side,
                        full,
                        window.alpha,
                        window.beta,
                        below,
                    );
                }
                value
            };
            self.leave(&next);
            if self.stopped {
                break;
            }
            if G::MAX_STEPS > 1 && value == ILLEGAL {
                continue;
            }
            legal += 1;
            if window.raise(value, step) {
                if PV {
                    self.pv.update(height, step);
                    if height == 0 && !window.is_cut() {
                        self.root_best = Some((value, self.pv.line(0).to_vec()));
                    }
                }
                if window.is_cut() {
                    if quiet {
                        self.reward(position, step, depth, height, &tried);
                    }
                    break;
                }
            }
            if quiet && !tried.is_full() {
                tried.push(position.shape(step) as u32);
            }
        }
        self.steps.truncate(base);
        if self.stopped {
            return 0;
        }
        if legal == 0 {
            return if mid_turn || restricted {
                ILLEGAL
            } else if position.lost_without_turn() {
                ply as i32 - MATE
            } else {
                0
            };
        }
        if !restricted {
            self.remember::<PV>(key, &window, ply, depth, stored_eval);
        }
        window.best
    }

    /// Stores what a node has found.
    #[inline(always)]
    fn remember<const PV: bool>(
        &self,
        key: u64,
        window: &Window<G::Step>,
        ply: usize,
        depth: i32,
        eval: i16,
    ) {
        self.shared.table.store(
            key,
            Entry {
                value: to_table(window.best, ply),
                eval,
                tag: window.step.as_ref().map_or(0, step_tag),
                depth: depth as u8,
                bound: window.bound(PV),
            },
        );
    }

    /// The value of a position after its side to move passed, for that side.
    fn after_pass(&mut self, passed: &G, depth: i32, beta: i32, place: Place) -> i32 {
        let floors = (self.keys_floor, self.path_floor);
        self.keys_floor = self.keys.len();
        self.path_floor = self.path.len();
        self.keys.push(passed.key());
        let below = Place {
            ply: place.ply + 1,
            height: place.height + 1,
            reduced: false,
            after_pass: true,
        };
        let value = -self.node::<false>(passed, depth, -beta, 1 - beta, below);
        self.keys.pop();
        (self.keys_floor, self.path_floor) = floors;
        value
    }

    /// Generates the steps of a position onto the stack, the one that an earlier search liked best first; whether
    /// there is such a one.
    fn list_steps(&mut self, position: &G, tag: u16, ply: usize, height: usize) -> bool {
        let mut list = StepList::new();
        position.generate(&mut list);
        let base = self.steps.len();
        self.steps.extend(list.iter().map(|&step| (0, step)));
        let hint = self
            .hint
            .get(height)
            .filter(|_| ply == 0 && self.path[self.root_path..] == self.hint[..height]);
        let first = match hint {
            Some(hint) => list.iter().position(|step| step == hint),
            None if tag != 0 => list.iter().position(|step| step_tag(step) == tag),
            None => None,
        };
        if let Some(first) = first {
            self.steps.swap(base, base + first);
        }
        first.is_some()
    }

    /// Gives each step on the stack from `base` on its place in the order.
    fn rate_steps(&mut self, position: &G, base: usize, height: usize) {
        let side = position.side_to_move();
        let killers = self.killers[height];
        for (score, step) in &mut self.steps[base..] {
            *score = if position.is_noisy(*step) {
                GOOD_NOISY + position.gain(*step)
            } else if killers[0] == Some(*step) {
                KILLER + 1
            } else if killers[1] == Some(*step) {
                KILLER
            } else {
                self.history.get(side, position.shape(*step))
            };
        }
    }

    /// Moves the noisy steps of a part of the stack to its front; where they end.
    fn keep_noisy(&mut self, position: &G, from: usize, to: usize) -> usize {
        let mut end = from;
        for i in from..to {
            if position.is_noisy(self.steps[i].1) {
                self.steps.swap(i, end);
                end += 1;
            }
        }
        end
    }

    /// Learns that a quiet step refuted the turn before it, and the quiet steps tried earlier did not.
    fn reward(&mut self, position: &G, step: G::Step, depth: i32, height: usize, tried: &[u32]) {
        let killers = &mut self.killers[height];
        if killers[0] != Some(step) {
            *killers = [Some(step), killers[0]];
        }
        let side = position.side_to_move();
        let bonus = (depth * depth * 16).min(1600);
        self.history.add(side, position.shape(step), bonus);
        for &shape in tried {
            self.history.add(side, shape as usize, -bonus);
        }
    }

    /// The value of a position at the start of a turn when only captures, promotions and answers to check are
    /// played out.
    fn quiescence<const PV: bool>(
        &mut self,
        position: &G,
        alpha: i32,
        beta: i32,
        place: Place,
        in_check: bool,
    ) -> i32 {
        let Place { ply, height, .. } = place;
        if PV {
            self.pv.clear(height);
            self.seldepth = self.seldepth.max(ply);
        }
        if ply >= MAX_PLY || height + 2 * G::MAX_STEPS >= MAX_HEIGHT {
            return self.evaluate(position);
        }
        let key = position.key();
        let entry = self.shared.table.probe(key);
        if let Some(entry) = entry
            && !PV
            && position.reversible_turns(&self.options) < CLOCK_NEAR
        {
            let value = from_table(entry.value, ply);
            if match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            } {
                return value;
            }
        }
        let evade = G::EVADE_IN_QUIESCENCE && in_check;
        let mut stand_pat = -INFINITE;
        let mut stored_eval = Entry::NO_EVAL;
        if !evade {
            stand_pat = match entry {
                Some(entry) if entry.eval != Entry::NO_EVAL => i32::from(entry.eval),
                _ => self.evaluate(position),
            };
            stored_eval = stand_pat as i16;
            if stand_pat >= beta {
                return stand_pat;
            }
        }
        let mut window = Window::new(alpha, beta, stand_pat);
        let base = self.steps.len();
        self.score_noisy(position, evade, entry.map_or(0, |entry| entry.tag));
        let end = self.steps.len();
        let mut legal = 0usize;
        for i in base..end {
            let (_, step) = pick(&mut self.steps[i..end]);
            if !evade
                && P::EXCHANGE
                && (stand_pat + position.gain(step) + 200 <= window.alpha
                    || !position.wins_exchange(step, 0))
            {
                continue;
            }
            if self.out_of_nodes_or_time() {
                break;
            }
            let mut next = *position;
            next.play(step);
            self.enter(&next, step);
            let value = self.quiescence_child::<PV>(position, &next, window.alpha, beta, place);
            self.leave(&next);
            if self.stopped {
                break;
            }
            if G::MAX_STEPS > 1 && value == ILLEGAL {
                continue;
            }
            legal += 1;
            if window.raise(value, step) {
                if PV {
                    self.pv.update(height, step);
                }
                if window.is_cut() {
                    break;
                }
            }
        }
        self.steps.truncate(base);
        if self.stopped {
            return 0;
        }
        if evade && legal == 0 {
            return if position.lost_without_turn() {
                ply as i32 - MATE
            } else {
                0
            };
        }
        self.remember::<PV>(key, &window, ply, 0, stored_eval);
        window.best
    }

    /// The value of a child of quiescence from the point of view of the parent's side.
    fn quiescence_child<const PV: bool>(
        &mut self,
        position: &G,
        next: &G,
        alpha: i32,
        beta: i32,
        place: Place,
    ) -> i32 {
        let same_side = next.side_to_move() == position.side_to_move();
        let next_mid = G::MAX_STEPS > 1 && next.is_mid_turn();
        let below = Place {
            ply: place.ply + usize::from(!next_mid),
            height: place.height + 1,
            ..place
        };
        if next_mid {
            return self.finish_turn::<PV>(next, alpha, beta, below);
        }
        let (low, high) = if same_side {
            (alpha, beta)
        } else {
            (-beta, -alpha)
        };
        if PV {
            self.pv.clear(below.height);
        }
        let value = match self.terminal(next, below.ply) {
            Some(value) => value,
            None => self.quiescence::<PV>(next, low, high, below, next.in_check()),
        };
        if same_side { value } else { -value }
    }

    /// The value, for the side to move, of a position of quiescence with a turn half made: the noisy steps are
    /// searched; a quiet one, if there is a legal one, is taken to keep the static value. [`ILLEGAL`] without a step.
    fn finish_turn<const PV: bool>(
        &mut self,
        position: &G,
        alpha: i32,
        beta: i32,
        place: Place,
    ) -> i32 {
        if PV {
            self.pv.clear(place.height);
        }
        let mut list = StepList::new();
        position.generate(&mut list);
        if list.is_empty() {
            return ILLEGAL;
        }
        let mut stand_pat = -INFINITE;
        if list.iter().any(|&step| !position.is_noisy(step)) {
            stand_pat = self.evaluate(position);
            if stand_pat >= beta {
                return stand_pat;
            }
        }
        let mut window = Window::new(alpha, beta, stand_pat);
        let base = self.steps.len();
        for step in list {
            if position.is_noisy(step) {
                self.steps.push((position.gain(step), step));
            }
        }
        let end = self.steps.len();
        for i in base..end {
            let (_, step) = pick(&mut self.steps[i..end]);
            if self.out_of_nodes_or_time() {
                break;
            }
            let mut next = *position;
            next.play(step);
            self.enter(&next, step);
            let value = self.quiescence_child::<PV>(position, &next, window.alpha, beta, place);
            self.leave(&next);
            if self.stopped {
                break;
            }
            if G::MAX_STEPS > 1 && value == ILLEGAL {
                continue;
            }
            if window.raise(value, step) {
                if PV {
                    self.pv.update(place.height, step);
                }
                if window.is_cut() {
                    break;
                }
            }
        }
        self.steps.truncate(base);
        if window.best == -INFINITE {
            ILLEGAL
        } else {
            window.best
        }
    }

    /// Generates what quiescence looks at onto the stack: all steps when in check, else the noisy ones.
    fn score_noisy(&mut self, position: &G, evade: bool, tag: u16) {
        let mut list = StepList::new();
        if evade {
            position.generate(&mut list);
        } else {
            position.generate_noisy(&mut list);
        }
        let side = position.side_to_move();
        for step in list {
            let score = if tag != 0 && step_tag(&step) == tag {
                i32::MAX
            } else if !evade || position.is_noisy(step) {
                position.gain(step) + GOOD_NOISY
            } else {
                self.history.get(side, position.shape(step))
            };
            self.steps.push((score, step));
        }
    }

    /// Tells which root turn is under search, after three seconds.
    #[inline(always)]
    fn tell_current(&mut self, step: G::Step, number: usize) {
        if let Some(report) = &mut self.report
            && self.nodes > 50_000
            && self.shared.start.elapsed() >= Duration::from_secs(3)
        {
            report(Report::Current {
                depth: self.iteration,
                turn: Turn::from_slice(&[step]),
                number,
            });
        }
    }
}

/// The value of a position in which a counter has run out: mate goes first.
#[cold]
fn drawn_unless_mated<G: Draws>(position: &G, ply: usize) -> i32 {
    if position.lost_without_turn() && !has_turn(position) {
        ply as i32 - MATE
    } else {
        0
    }
}
