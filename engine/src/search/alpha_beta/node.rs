//! A node of the tree: table and early cuts, the loop over its steps, and the storing of its value.

use super::picker::{KNOWN_BEST, Picked, Picker, Searched};
use super::selective::{
    futile_bound, has_low_history, is_futile_second, is_late_or_futile, is_late_second,
    loses_too_much,
};
use super::unfinished::{RootBest, SearchedTurn};
use super::window::Window;
use super::worker::{NO_SLEEP_SET, NodeContext, Searchable, Worker};
use crate::eval::{CORRECTION_KEYS, LazyEval};
use crate::rules::Turn;
use crate::search::policy::Policy;
use crate::search::report::{Bound, Report};
use crate::search::table::Entry;
use crate::search::value::{ILLEGAL, INFINITE, MATE, MATE_BOUND, from_table, is_mate};
use std::time::Duration;

/// Search time after which the root turn under search is reported.
const REPORT_AFTER: Duration = Duration::from_secs(3);

/// State of a node before its first step is searched.
pub struct Node<S> {
    pub context: NodeContext,
    pub depth: i32,
    pub mid_turn: bool,
    pub in_check: bool,
    /// Some root turns must not be searched.
    pub restricted: bool,
    /// Step left out of this search, to measure how much better it is than the others (singular extension).
    pub excluded_move: Option<S>,
    /// Extension of the table's step, in turns (negative: reduction).
    pub extension: i32,
    /// Static value, corrected and improved by the table; `-INFINITE` where there is none: mid-turn, and in check unless
    /// `check_static` says otherwise.
    pub eval: i32,
    /// Static value to store in the table; [`Entry::NO_EVAL`] where there is none, and where a bound was sufficient.
    pub stored_eval: i16,
    /// Indices of the correction histories; zero in check and mid-turn.
    correction_keys: [u64; CORRECTION_KEYS],
    /// The static value is higher than at the last turn of the same side.
    pub improving: bool,
    /// Index in [`Worker::first_steps`] of the searched first steps of this turn.
    first_steps: usize,
}

/// Result of the loop over a node's steps.
struct Outcome<S> {
    window: Window<S>,
    /// Number of legal steps that may be searched.
    legal: usize,
    /// Whether the best step is quiet.
    quiet: bool,
}

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// Returns the value of a position for the side to move, searched to `depth` turns including the turn in progress.
    /// Exact inside the window, a bound outside of it (fail-soft). [`ILLEGAL`] mid-turn without a legal step.
    pub fn node<const PV: bool>(
        &mut self,
        position: &G,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        context: NodeContext,
    ) -> i32 {
        let mut node = Node {
            context,
            depth,
            mid_turn: G::MAX_STEPS > 1 && position.is_mid_turn(),
            in_check: false,
            restricted: context.ply == 0 && self.restricts_root(),
            excluded_move: self.excluded_move.take(),
            extension: 0,
            eval: -INFINITE,
            stored_eval: Entry::NO_EVAL,
            correction_keys: [0; CORRECTION_KEYS],
            improving: false,
            first_steps: self.first_steps.len(),
        };
        let whole = node.excluded_move.is_none();
        if PV {
            self.pv.clear(context.height);
            self.seldepth = self.seldepth.max(context.ply);
        }
        if !whole {
            // The same position was already examined by the node that called this one (singular extension).
            node.in_check = position.in_check();
        } else if !node.mid_turn
            && let Some(value) = self.begin_turn::<PV>(position, &mut node, &mut alpha, &mut beta)
        {
            return value;
        }
        let key = self.table_key(position);
        let entry = self.table.probe(key);
        let tt_move = entry.filter(|_| whole).map_or(0, |entry| entry.tt_move);
        if whole && tt_move == 0 && self.in_check_without_turn(position, node.in_check, context.ply)
        {
            return self.value_of_end(position, context.ply);
        }
        if let Some(entry) = entry
            && !PV
            && whole
            && !node.restricted
            && let Some(value) = self.value_in_table(position, entry, &node, alpha, beta)
        {
            return value;
        }
        let eval_window = if PV || !whole {
            (-INFINITE, INFINITE)
        } else {
            (alpha, self.rfp_threshold(node.depth, beta))
        };
        if let Some(value) = self.evaluate_node(position, entry, &mut node, eval_window) {
            return value;
        }
        if !PV && whole && self.is_easily_refuted(&node) {
            node.depth -= 1;
        }
        if !PV
            && whole
            && let Some(value) = self.cut_early(position, &node, entry, alpha, beta)
        {
            return value;
        }
        if !P::EXACT
            && whole
            && !node.mid_turn
            && tt_move == 0
            && node.depth >= self.parameters().internal_reduction_depth
            && context.ply > 0
        {
            node.depth -= 1;
        }

        // In check nearly every step is needed, and the root shows which of them is being searched.
        let may_wait = (G::PSEUDO_LEGAL || G::QUIET_APART) && context.ply > 0 && !node.in_check;
        let mut steps = self.list_steps(position, tt_move, context, may_wait);
        self.killers[context.height + 2] = [None; 2];
        if let Some(entry) = entry
            && let Some(step) = self.known_best(&steps)
        {
            match self.singularity::<PV>(position, &node, entry, step, beta) {
                Ok(extension) => node.extension = extension,
                Err(value) => {
                    self.drop_steps(&steps);
                    return value;
                }
            }
        }
        let window = Window::new(alpha, beta, -INFINITE);
        let outcome = self.search_steps::<PV>(position, &node, &mut steps, window);
        self.drop_steps(&steps);
        if self.clock.stopped() {
            return 0;
        }
        if !whole {
            // No other step is legal: the excluded step is singular.
            return outcome.window.best.max(-INFINITE + 1);
        }
        if outcome.legal == 0 {
            return if node.mid_turn || node.restricted {
                ILLEGAL
            } else {
                self.value_of_end(position, context.ply)
            };
        }
        // Steps that were left out because another node searched them make the value a lower bound.
        let known = !steps.incomplete || outcome.window.is_cut();
        if !node.restricted && known {
            let (depth, eval) = (node.depth, node.stored_eval);
            self.remember::<PV>(key, &outcome.window, context.ply, depth, eval);
            self.learn_error::<PV>(position, &node, &outcome);
        }
        outcome.window.best
    }

    /// Updates the correction histories with the error of the static value, where the best step is quiet and the search
    /// value is exact or a bound beyond the static value.
    #[inline(always)]
    fn learn_error<const PV: bool>(
        &mut self,
        position: &G,
        node: &Node<G::Step>,
        outcome: &Outcome<G::Step>,
    ) {
        if P::EXACT || !G::HAS_CORRECTION_KEYS || node.in_check || node.mid_turn {
            return;
        }
        let (best, eval) = (outcome.window.best, self.evals[node.context.ply]);
        let informative = match outcome.window.bound(PV) {
            Bound::Exact => true,
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
        };
        if informative && !is_mate(best) && (outcome.window.step.is_none() || outcome.quiet) {
            let side = position.side_to_move();
            self.history
                .correct(side, node.correction_keys, best - eval, node.depth);
        }
    }

    /// Checks made only between turns: end of the game, check, end of the search depth. Returns the node's value if that
    /// decides it.
    #[inline(always)]
    fn begin_turn<const PV: bool>(
        &mut self,
        position: &G,
        node: &mut Node<G::Step>,
        alpha: &mut i32,
        beta: &mut i32,
    ) -> Option<i32> {
        let context = node.context;
        if context.ply > 0 {
            if let Some(value) = self.terminal(position, context.ply) {
                return Some(value);
            }
            // Mate distance pruning: even mate in one cannot improve on a mate nearer to the root
            // (<https://www.chessprogramming.org/Mate_Distance_Pruning>).
            *alpha = (*alpha).max(context.ply as i32 - MATE);
            *beta = (*beta).min(MATE - context.ply as i32 - 1);
            // Upcoming repetition: the step that repeats a position is worth a draw. Not in the principal variation, which would
            // end before that step.
            if !P::EXACT && !PV && *alpha < 0 && self.can_repeat(position) {
                *alpha = 0;
            }
            if *alpha >= *beta {
                return Some(*alpha);
            }
        }
        if !P::EXACT
            && PV
            && G::ROOT_MATE_CHECK
            && context.ply == 1
            && let Some(value) = self.find_reply_mate(position, context)
        {
            return Some(value);
        }
        if !P::EXACT {
            node.in_check = position.in_check();
        }
        if node.in_check
            && context.ply > 0
            && (context.ply as i32) < self.parameters().check_extension_span * self.iteration as i32
        {
            node.depth += 1;
        }
        if node.depth <= 0 {
            return Some(if P::EXACT {
                self.evaluate(position)
            } else {
                self.quiescence::<PV>(position, *alpha, *beta, context, node.in_check, true)
            });
        }
        context.is_deepest::<G>().then(|| self.evaluate(position))
    }

    /// Whether the side to move is in check and has no legal turn. Always `false` at the root and in games in which a position in
    /// check has no static value (`Parameters::check_static`); there, the loop over the steps finds it out. A static value would
    /// often cut the position before. A caller that knows a step from the table need not ask.
    #[inline(always)]
    pub fn in_check_without_turn(&self, position: &G, in_check: bool, ply: usize) -> bool {
        in_check && self.parameters().check_static > 0 && ply > 0 && !position.has_turn()
    }

    /// Returns the table's value if its depth is sufficient and it is exact or a bound outside the window.
    #[inline(always)]
    fn value_in_table(
        &self,
        position: &G,
        entry: Entry,
        node: &Node<G::Step>,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let depth = i32::from(entry.depth);
        let deep = if P::EXACT {
            depth == node.depth
        } else {
            depth >= node.depth
        };
        if !deep || !self.may_trust_table(position, entry) {
            return None;
        }
        entry.value_outside(node.context.ply, alpha, beta)
    }

    /// Whether a table value is reliable here. The table key leaves out the counter of quiet turns, which may draw the game
    /// before a distant mate.
    #[inline(always)]
    pub fn may_trust_table(&self, position: &G, entry: Entry) -> bool {
        let turns = position.clock_turns(&self.options) + entry.turns_to_mate();
        turns < self.parameters().table_clock as usize
    }

    /// Sets the static value of the node, or an upper bound of it where it is below `eval_window`. Returns a lower bound as
    /// the node's value where the static value is above that window.
    #[inline(always)]
    fn evaluate_node(
        &mut self,
        position: &G,
        entry: Option<Entry>,
        node: &mut Node<G::Step>,
        eval_window: (i32, i32),
    ) -> Option<i32> {
        let ply = node.context.ply;
        if node.mid_turn {
            // Mid-turn, the static value from the start of the turn is used.
            return None;
        }
        if P::EXACT || node.in_check && self.parameters().check_static == 0 {
            // No static value; with this one, the node two turns later is compared with the last one not in check.
            self.evals[ply] = if ply >= 2 { self.evals[ply - 2] } else { 0 };
            return None;
        }
        let raw = match entry {
            Some(entry) if entry.eval != Entry::NO_EVAL => {
                node.stored_eval = entry.eval;
                i32::from(entry.eval)
            }
            _ => match self.evaluate_within(position, eval_window) {
                LazyEval::Exact(value) => {
                    node.stored_eval = value as i16;
                    value
                }
                LazyEval::Bound(bound) if bound >= eval_window.1 => return Some(bound),
                LazyEval::Bound(bound) => bound,
            },
        };
        node.correction_keys = position.correction_keys();
        let eval = self.corrected(position, node.correction_keys, raw);
        self.evals[ply] = eval;
        node.improving = ply >= 2 && eval > self.evals[ply - 2];
        node.eval = eval;
        if let Some(entry) = entry {
            let value = from_table(entry.value, ply);
            let nearer = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value > eval,
                Bound::Upper => value < eval,
            };
            if !is_mate(value) && nearer {
                node.eval = value;
            }
        }
        None
    }

    /// Hindsight reduction: whether the last turn, already reduced by two turns or more, lost more than a margin by static value, so that
    /// this node may be searched one turn less deep.
    #[inline(always)]
    fn is_easily_refuted(&self, node: &Node<G::Step>) -> bool {
        let (ply, margin) = (node.context.ply, self.parameters().reduction_hindsight);
        if P::EXACT
            || margin == 0
            || node.mid_turn
            || node.in_check
            || node.depth < 2
            || node.context.reduction < 2
        {
            return false;
        }
        // Each value is that of the side to move in its position.
        self.evals[ply] + self.evals[ply - 1] > margin
    }

    /// Searches the steps of a node until one of them fails high.
    #[inline(always)]
    fn search_steps<const PV: bool>(
        &mut self,
        position: &G,
        node: &Node<G::Step>,
        steps: &mut Picker,
        mut window: Window<G::Step>,
    ) -> Outcome<G::Step> {
        let Node { context, depth, .. } = *node;
        let (mut legal, mut quiet_best) = (0, false);
        let mut searched = Searched::default();
        let checks = position.checks();
        let mut judge = G::LegalityCheck::default();
        // With `searchmoves` only one order of a turn's steps is permitted, so that commuting orders must not be skipped.
        let commuting = context.ply > 0 || self.allowed.is_empty();
        loop {
            let prunes = !P::EXACT
                && (!PV || self.parameters().pruning_pv > 0)
                && context.ply > 0
                && !node.mid_turn
                && window.best > -MATE_BOUND;
            let near = self.depth_left(node, legal);
            let skips_quiet = |worker: &Self| {
                prunes && is_late_or_futile(worker.parameters(), node, window.alpha, legal, near)
            };
            let picked = self.next_step(steps, position, &checks, context.height, skips_quiet);
            let Some(picked) = picked else {
                break;
            };
            let Picked { step, quiet, .. } = picked;
            if node.excluded_move == Some(step) {
                continue;
            }
            let unremarkable = quiet && !picked.quiet_check;
            if quiet && self.overlooks(position, node, step, legal) {
                continue;
            }
            if unremarkable && skips_quiet(self) {
                // The same holds for all remaining quiet steps.
                self.skip_quiet(steps, position, &checks);
                continue;
            }
            if prunes
                && (unremarkable && has_low_history(self.parameters(), node, near, &picked)
                    || !(quiet && steps.is_safe(position, step))
                        && loses_too_much(
                            self.parameters(),
                            position,
                            &checks,
                            depth,
                            near,
                            &picked,
                        ))
            {
                continue;
            }
            if G::PSEUDO_LEGAL && !position.is_legal(&mut judge, step) {
                continue;
            }
            if !P::EXACT
                && !PV
                && node.mid_turn
                && context.ply > 0
                && unremarkable
                && window.best > -MATE_BOUND
                && (is_late_second(self.parameters(), node, legal)
                    || is_futile_second(
                        self.parameters(),
                        node,
                        self.evals[context.ply],
                        window.alpha,
                    ))
            {
                self.skip_quiet(steps, position, &checks);
                continue;
            }
            let mut next = *position;
            next.play(step);
            if node.restricted && !self.permits(step, &next) {
                continue;
            }
            if self.clock.check() {
                break;
            }
            if PV {
                self.pv.clear(context.height + 1);
            }
            if context.height == 0 {
                self.report_current(step, legal + 1);
            }
            let nodes = self.clock.nodes();
            self.enter(position, &next, step);
            let value = self.search_step::<PV>(position, node, &next, &picked, &window, legal);
            self.leave(&next);
            if context.height == 0 {
                self.root_node_counts.note(step, self.clock.nodes() - nodes);
            }
            if self.clock.stopped() {
                break;
            }
            if commuting {
                self.push_sleep_set(position, step);
            }
            if G::MAX_STEPS > 1 && value == ILLEGAL {
                continue;
            }
            legal += 1;
            if (PV || G::MAX_STEPS > 1)
                && context.ply == 0
                && value < window.beta
                && !next.is_mid_turn()
            {
                let (key, at_most) = (next.key(), value);
                self.searched_turns.push(SearchedTurn { key, at_most });
            }
            if self.raise::<PV>(&mut window, value, step, context.height) {
                quiet_best = quiet;
                if PV && context.height == 0 {
                    // A value above the window counts too: this turn is better than the previous best.
                    self.root_best = Some(RootBest {
                        value,
                        beta: window.beta,
                        steps: self.pv.line(0).to_vec(),
                    });
                }
                if window.is_cut() {
                    let threats = steps.threats;
                    self.update_histories(
                        position,
                        &picked,
                        depth,
                        context.height,
                        &searched,
                        threats,
                    );
                    break;
                }
            }
            searched.push(position, &picked);
        }
        self.first_steps.truncate(node.first_steps);
        if self.parameters().pruned_bounds > 0
            && steps.skipped_quiet
            && !window.is_cut()
            && !node.mid_turn
        {
            let near = self.depth_left(node, legal);
            if let Some(bound) = futile_bound(self.parameters(), node, window.alpha, near) {
                window.best = window.best.max(bound);
            }
        }
        Outcome {
            window,
            legal,
            quiet: quiet_best,
        }
    }

    /// Updates the window with the value of a step, and the principal variation where it raises alpha. Returns whether it
    /// did.
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

    /// Principal variation search of a step; returns its value for the side that makes it. The first step gets the whole
    /// window, later ones a null window and a reduced depth until they prove to be better.
    #[inline(always)]
    fn search_step<const PV: bool>(
        &mut self,
        position: &G,
        node: &Node<G::Step>,
        next: &G,
        picked: &Picked<G::Step>,
        window: &Window<G::Step>,
        legal: usize,
    ) -> i32 {
        let context = node.context;
        let next_mid = G::MAX_STEPS > 1 && next.is_mid_turn();
        let same_side = next.side_to_move() == position.side_to_move();
        let mut full = if next_mid { node.depth } else { node.depth - 1 };
        if picked.score == KNOWN_BEST {
            full += node.extension;
        }
        let below = NodeContext {
            ply: context.ply + usize::from(!next_mid),
            height: context.height + 1,
            reduction: if next_mid && node.mid_turn {
                context.reduction
            } else {
                0
            },
            after_quiet: next_mid && picked.quiet,
            after_null_move: false,
            cut: if same_side {
                context.cut
            } else {
                PV || !context.cut
            },
            sleep_set: if next_mid {
                self.asleep_after(position, picked.step, node.first_steps)
            } else {
                NO_SLEEP_SET
            },
        };
        let (alpha, beta) = (window.alpha, window.beta);
        if PV && legal == 0 {
            let below = NodeContext {
                cut: false,
                ..below
            };
            return self.child::<true>(next, same_side, full, alpha, beta, below);
        }
        let reduction = self.reduction::<PV>(position, node, picked, full, legal);
        let mut value = 0;
        let mut again = true;
        if reduction > 0 {
            let context = NodeContext {
                reduction,
                cut: !same_side,
                ..below
            };
            let depth = full - reduction;
            value = self.child::<false>(next, same_side, depth, alpha, alpha + 1, context);
            again = value > alpha;
            if again && !next_mid {
                let deeper = self.parameters().reduction_deeper;
                full += i32::from(value > window.best + deeper && reduction > 1);
            }
        }
        if again {
            value = self.child::<false>(next, same_side, full, alpha, alpha + 1, below);
        }
        if PV && value > alpha && (value < beta || context.ply == 0 && next_mid) {
            let below = NodeContext {
                cut: false,
                ..below
            };
            value = self.child::<true>(next, same_side, full, alpha, beta, below);
        }
        value
    }

    /// The value of a child node from the point of view of the parent's side to move.
    #[inline(always)]
    pub fn child<const PV: bool>(
        &mut self,
        next: &G,
        same_side: bool,
        depth: i32,
        alpha: i32,
        beta: i32,
        context: NodeContext,
    ) -> i32 {
        if same_side {
            self.node::<PV>(next, depth, alpha, beta, context)
        } else {
            -self.node::<PV>(next, depth, -beta, -alpha, context)
        }
    }

    /// Remaining depth of a quiet step after the reduction for its move number, as used in pruning decisions.
    #[inline(always)]
    fn depth_left(&self, node: &Node<G::Step>, legal: usize) -> i32 {
        let share = self.parameters().pruning_reduced;
        if share == 0 {
            return node.depth;
        }
        let reduction = self.reductions.get(node.depth, legal) * share / 10_000;
        (node.depth - reduction).max(0)
    }

    /// Reports the root turn under search, once the search has taken [`REPORT_AFTER`].
    #[inline(always)]
    fn report_current(&mut self, step: G::Step, number: usize) {
        if let Some(report) = &mut self.report
            && self.clock.nodes() > 50_000
            && self.clock.common().start().elapsed() >= REPORT_AFTER
        {
            report(Report::Current {
                depth: self.iteration,
                turn: Turn::from_slice(&[step]),
                number,
            });
        }
    }
}
