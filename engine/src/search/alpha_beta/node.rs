//! A node of the tree: cuts before the first step, the loop over the steps, and what is made of their values.

use super::history::HISTORY_LIMIT;
use super::picker::{Picked, Picker};
use super::window::Window;
use super::worker::{Place, Searchable, Worker, value_without_turn};
use crate::rules::Turn;
use crate::search::parameters::Parameters;
use crate::search::policy::Policy;
use crate::search::report::{Bound, Report};
use crate::search::table::Entry;
use crate::search::value::{ILLEGAL, INFINITE, MATE, MATE_BOUND, from_table, is_mate};
use arrayvec::ArrayVec;
use std::time::Duration;

/// After this time the root turn under search is reported.
const REPORT_AFTER: Duration = Duration::from_secs(3);

/// What is known of a node before its first step is searched.
struct Node {
    place: Place,
    depth: i32,
    mid_turn: bool,
    in_check: bool,
    /// Some root turns must not be searched.
    restricted: bool,
    /// The static value, better informed by the table; below all values in check and mid-turn.
    eval: i32,
    /// The static value for the table.
    stored_eval: i16,
    /// The static value is better than at the last turn of the same side.
    improving: bool,
}

/// What became of the steps of a node.
struct Outcome<S> {
    window: Window<S>,
    /// How many legal steps there were (that may be searched).
    legal: usize,
}

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// The value of a position for the side to move, searched to `depth` turns, the turn in progress being the first.
    /// Exact inside the window, otherwise a bound of the truth. [`ILLEGAL`] mid-turn without a step.
    pub fn node<const PV: bool>(
        &mut self,
        position: &G,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        place: Place,
    ) -> i32 {
        let mut node = Node {
            place,
            depth,
            mid_turn: G::MAX_STEPS > 1 && position.is_mid_turn(),
            in_check: false,
            restricted: place.ply == 0 && self.restricts_root(),
            eval: -INFINITE,
            stored_eval: Entry::NO_EVAL,
            improving: false,
        };
        if PV {
            self.pv.clear(place.height);
            self.seldepth = self.seldepth.max(place.ply);
        }
        if !node.mid_turn
            && let Some(value) = self.begin_turn::<PV>(position, &mut node, &mut alpha, &mut beta)
        {
            return value;
        }
        let key = position.key();
        let entry = self.table.probe(key);
        let tag = entry.map_or(0, |entry| entry.tag);
        if let Some(entry) = entry
            && !PV
            && !node.restricted
            && let Some(value) = self.value_in_table(position, entry, &node, alpha, beta)
        {
            return value;
        }
        self.rate_node(position, entry, &mut node);
        if !PV && let Some(value) = self.cut_by_static_value(position, &node, beta) {
            return value;
        }
        if P::INTERNAL_REDUCTION
            && !node.mid_turn
            && tag == 0
            && node.depth >= self.parameters().internal_reduction_depth
            && place.ply > 0
        {
            node.depth -= 1;
        }

        let mut steps = self.list_steps(position, tag, place.ply, place.height);
        self.killers[place.height + 2] = [None; 2];
        let window = Window::new(alpha, beta, -INFINITE);
        let outcome = self.search_steps::<PV>(position, &node, &mut steps, window);
        self.drop_steps(&steps);
        if self.watch.stopped() {
            return 0;
        }
        if outcome.legal == 0 {
            return if node.mid_turn || node.restricted {
                ILLEGAL
            } else {
                value_without_turn(position, place.ply)
            };
        }
        if !node.restricted {
            let (depth, eval) = (node.depth, node.stored_eval);
            self.remember::<PV>(key, &outcome.window, place.ply, depth, eval);
        }
        outcome.window.best
    }

    /// What is looked at between two turns only: the end of the game, check, and the end of the search's depth. The
    /// node's value, if that settles it.
    #[inline(always)]
    fn begin_turn<const PV: bool>(
        &mut self,
        position: &G,
        node: &mut Node,
        alpha: &mut i32,
        beta: &mut i32,
    ) -> Option<i32> {
        let place = node.place;
        if place.ply > 0 {
            if let Some(value) = self.terminal(position, place.ply) {
                return Some(value);
            }
            // Not even mate at once would raise a window beyond a mate that is nearer to the root.
            *alpha = (*alpha).max(place.ply as i32 - MATE);
            *beta = (*beta).min(MATE - place.ply as i32 - 1);
            if *alpha >= *beta {
                return Some(*alpha);
            }
        }
        if P::QUIESCENCE || P::CHECK_EXTENSION {
            node.in_check = position.in_check();
        }
        if P::CHECK_EXTENSION
            && node.in_check
            && place.ply > 0
            && (place.ply as i32) < self.parameters().check_extension_span * self.iteration as i32
        {
            node.depth += 1;
        }
        if node.depth <= 0 {
            return Some(if P::QUIESCENCE {
                self.quiescence::<PV>(position, *alpha, *beta, place, node.in_check, true)
            } else {
                self.evaluate(position)
            });
        }
        place.is_deepest::<G>().then(|| self.evaluate(position))
    }

    /// The value that the table knows, if it was searched deep enough and lies outside the window or is exact.
    #[inline(always)]
    fn value_in_table(
        &self,
        position: &G,
        entry: Entry,
        node: &Node,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let depth = i32::from(entry.depth);
        let deep = if P::EXACT_DEPTH {
            depth == node.depth
        } else {
            depth >= node.depth
        };
        if !deep || !self.may_trust_table(position) {
            return None;
        }
        entry.value_outside(node.place.ply, alpha, beta)
    }

    /// Whether the values of the table can be believed here: they do not know the counter of quiet turns.
    #[inline(always)]
    pub fn may_trust_table(&self, position: &G) -> bool {
        position.reversible_turns(&self.options) < self.parameters().table_clock as usize
    }

    /// Fills in the static value of the node.
    #[inline(always)]
    fn rate_node(&mut self, position: &G, entry: Option<Entry>, node: &mut Node) {
        let ply = node.place.ply;
        if !P::QUIESCENCE || node.mid_turn || node.in_check {
            // In check: a value that makes grandchildren neither improving nor not.
            self.evals[ply] = if ply >= 2 { self.evals[ply - 2] } else { 0 };
            return;
        }
        let raw = match entry {
            Some(entry) if entry.eval != Entry::NO_EVAL => i32::from(entry.eval),
            _ => self.evaluate(position),
        };
        node.stored_eval = raw as i16;
        self.evals[ply] = raw;
        node.improving = ply >= 2 && raw > self.evals[ply - 2];
        node.eval = raw;
        if let Some(entry) = entry {
            let value = from_table(entry.value, ply);
            let nearer = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value > raw,
                Bound::Upper => value < raw,
            };
            if !is_mate(value) && nearer {
                node.eval = value;
            }
        }
    }

    /// The value of a node that is so good already that no step needs to be searched: by its static value alone, or by
    /// a search after a pass.
    #[inline(always)]
    fn cut_by_static_value(&mut self, position: &G, node: &Node, beta: i32) -> Option<i32> {
        if !P::QUIESCENCE || node.mid_turn || node.in_check || is_mate(beta) {
            return None;
        }
        let Node { eval, depth, .. } = *node;
        let parameters = self.parameters();
        if P::REVERSE_FUTILITY
            && depth <= parameters.reverse_futility_depth
            && eval - parameters.reverse_futility_margin * (depth - i32::from(node.improving))
                >= beta
        {
            return Some(eval);
        }
        if P::NULL_MOVE
            && G::NULL_MOVE
            && depth >= parameters.null_depth
            && eval >= beta
            && !node.place.after_pass
            && let Some(passed) = position.pass()
        {
            let reduction = parameters.null_base
                + depth / parameters.null_divisor
                + ((eval - beta) / parameters.null_eval_divisor).min(parameters.null_eval_most);
            let below = Place {
                ply: node.place.ply + 1,
                height: node.place.height + 1,
                reduced: false,
                after_pass: true,
            };
            let value = self.with_pass(&passed, |worker| {
                -worker.node::<false>(&passed, depth - reduction, -beta, 1 - beta, below)
            });
            if self.watch.stopped() {
                return Some(0);
            }
            if value >= beta {
                return Some(if is_mate(value) { beta } else { value });
            }
        }
        None
    }

    /// Searches the steps of a node, until one is too good.
    #[inline(always)]
    fn search_steps<const PV: bool>(
        &mut self,
        position: &G,
        node: &Node,
        steps: &mut Picker,
        mut window: Window<G::Step>,
    ) -> Outcome<G::Step> {
        let Node { place, depth, .. } = *node;
        let mut legal = 0;
        let mut tried: ArrayVec<u32, 64> = ArrayVec::new();
        let checks = position.checks();
        while let Some(picked) = self.next_step(steps, position, &checks, place.height) {
            let Picked { step, quiet, .. } = picked;
            let unremarkable = quiet && !picked.quiet_check;
            if !PV && place.ply > 0 && !node.mid_turn && window.best > -MATE_BOUND {
                if unremarkable
                    && is_late_or_futile::<P>(self.parameters(), node, window.alpha, legal)
                {
                    // The same holds for all quiet steps that are left: go on with the others.
                    self.skip_quiet(steps, position, &checks);
                    continue;
                }
                if loses_too_much::<G, P>(self.parameters(), position, depth, &picked) {
                    continue;
                }
            }
            let mut next = *position;
            next.play(step);
            if node.restricted && !self.permits(step, &next) {
                continue;
            }
            if self.watch.check() {
                break;
            }
            if PV {
                self.pv.clear(place.height + 1);
            }
            if place.height == 0 {
                self.report_current(step, legal + 1);
            }
            self.enter(position, &next, step);
            let value = self.search_step::<PV>(position, node, &next, &picked, &window, legal);
            self.leave(&next);
            if self.watch.stopped() {
                break;
            }
            if G::MAX_STEPS > 1 && value == ILLEGAL {
                continue;
            }
            legal += 1;
            if self.raise::<PV>(&mut window, value, step, place.height) {
                if PV && place.height == 0 {
                    // Also if it is above the window: it is better than what was thought best.
                    self.root_best = Some((value, self.pv.line(0).to_vec()));
                }
                if window.is_cut() {
                    if quiet {
                        self.reward(position, step, depth, place.height, &tried);
                    }
                    break;
                }
            }
            if quiet && !tried.is_full() {
                tried.push(position.shape(step) as u32);
            }
        }
        Outcome { window, legal }
    }

    /// Takes the value of a step into the window, and into the principal variation where it is better than all before.
    #[inline(always)]
    pub fn raise<const PV: bool>(
        &mut self,
        window: &mut Window<G::Step>,
        value: i32,
        step: G::Step,
        height: usize,
    ) -> bool {
        let raised = window.raise(value, step);
        if PV && raised {
            self.pv.update(height, step);
        }
        raised
    }

    /// The value of a step, for the side that makes it: the first with the whole window, the others with an empty one
    /// and late ones less deep, until they prove to be better (principal variation search).
    #[inline(always)]
    fn search_step<const PV: bool>(
        &mut self,
        position: &G,
        node: &Node,
        next: &G,
        picked: &Picked<G::Step>,
        window: &Window<G::Step>,
        legal: usize,
    ) -> i32 {
        let place = node.place;
        let next_mid = G::MAX_STEPS > 1 && next.is_mid_turn();
        let same_side = next.side_to_move() == position.side_to_move();
        let full = if next_mid { node.depth } else { node.depth - 1 };
        let below = Place {
            ply: place.ply + usize::from(!next_mid),
            height: place.height + 1,
            reduced: place.reduced && next_mid,
            after_pass: false,
        };
        let (alpha, beta) = (window.alpha, window.beta);
        if PV && legal == 0 {
            return self.child::<true>(next, same_side, full, alpha, beta, below);
        }
        let reduction = self.reduction::<PV>(node, picked, full, legal);
        let mut value = 0;
        let mut again = true;
        if reduction > 0 {
            let place = Place {
                reduced: next_mid,
                ..below
            };
            let depth = full - reduction;
            value = self.child::<false>(next, same_side, depth, alpha, alpha + 1, place);
            again = value > alpha;
        }
        if again {
            value = self.child::<false>(next, same_side, full, alpha, alpha + 1, below);
        }
        if PV && value > alpha && (value < beta || place.ply == 0 && next_mid) {
            value = self.child::<true>(next, same_side, full, alpha, beta, below);
        }
        value
    }

    /// By how many turns a late quiet step is searched less deep at first; once in a turn.
    #[inline(always)]
    fn reduction<const PV: bool>(
        &self,
        node: &Node,
        picked: &Picked<G::Step>,
        full: i32,
        legal: usize,
    ) -> i32 {
        let Node {
            depth, improving, ..
        } = *node;
        let parameters = self.parameters();
        let late =
            depth >= parameters.reduction_depth && legal as i32 >= parameters.reduction_first;
        if !P::LATE_REDUCTION || !late || node.place.reduced || !picked.quiet {
            return 0;
        }
        let reduction =
            self.reductions.get(depth, legal) - i32::from(PV) - i32::from(node.in_check)
                + i32::from(!improving && !node.mid_turn)
                - i32::from(picked.quiet_check)
                - picked.score.clamp(-HISTORY_LIMIT, HISTORY_LIMIT) / parameters.reduction_history;
        reduction.clamp(0, (full - 1).max(0))
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

    /// Reports which root turn is under search, once the search has taken some time.
    #[inline(always)]
    fn report_current(&mut self, step: G::Step, number: usize) {
        if let Some(report) = &mut self.report
            && self.watch.nodes() > 50_000
            && self.watch.common().start().elapsed() >= REPORT_AFTER
        {
            report(Report::Current {
                depth: self.iteration,
                turn: Turn::from_slice(&[step]),
                number,
            });
        }
    }
}

/// Whether a quiet step near the leaves comes too late in the order, or the static value is too far below alpha,
/// for it to matter.
#[inline(always)]
fn is_late_or_futile<P: Policy>(
    parameters: &Parameters,
    node: &Node,
    alpha: i32,
    legal: usize,
) -> bool {
    let Node {
        depth,
        eval,
        improving,
        ..
    } = *node;
    if node.in_check {
        return false;
    }
    let late = P::LATE_PRUNING
        && depth <= parameters.late_depth
        && legal >= ((parameters.late_base + depth * depth) >> i32::from(!improving)) as usize;
    let futile = P::FUTILITY
        && depth <= parameters.futility_depth
        && eval + parameters.futility_base + parameters.futility_slope * depth <= alpha
        && !is_mate(alpha);
    late || futile
}

/// Whether the exchange that a step near the leaves begins loses more than the rest of the turn may bring back.
#[inline(always)]
fn loses_too_much<G: Searchable, P: Policy>(
    parameters: &Parameters,
    position: &G,
    depth: i32,
    picked: &Picked<G::Step>,
) -> bool {
    // A losing capture has been seen to lose something already: its score is below 0.
    if !P::EXCHANGE_PRUNING
        || depth > parameters.exchange_depth
        || !(picked.quiet || picked.score < 0)
    {
        return false;
    }
    let loss = if picked.quiet {
        parameters.exchange_quiet * depth * depth
    } else {
        parameters.exchange_noisy * depth
    };
    !position.wins_exchange(picked.step, -loss)
}
