//! Quiescence search (<https://www.chessprogramming.org/Quiescence_Search>): below the last turn, only captures, promotions and check
//! evasions are searched. Delta pruning (<https://www.chessprogramming.org/Delta_Pruning>) leaves out captures that cannot reach alpha.

use super::picker::Picker;
use super::tt_move::hashed_tt_move;
use super::window::Window;
use super::worker::{NodeContext, Searchable, Worker};
use crate::core::StepList;
use crate::eval::LazyEval;
use crate::search::policy::Policy;
use crate::search::table::Entry;
use crate::search::value::{ILLEGAL, INFINITE};

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// Quiescence value of a position at the start of a turn: captures, promotions and check evasions are searched, and at
    /// the `first` level also quiet checks.
    pub fn quiescence<const PV: bool>(
        &mut self,
        position: &G,
        alpha: i32,
        beta: i32,
        context: NodeContext,
        in_check: bool,
        first: bool,
    ) -> i32 {
        let NodeContext { ply, height, .. } = context;
        if PV {
            self.pv.clear(height);
            self.seldepth = self.seldepth.max(ply);
        }
        if context.is_deepest::<G>() {
            return self.evaluate(position);
        }
        let key = self.table_key(position);
        let asks = first || G::QUIESCENCE.table;
        let entry = if asks { self.table.probe(key) } else { None };
        let tt_move = entry.map_or(0, |entry| entry.tt_move);
        if first && tt_move == 0 && self.in_check_without_turn(position, in_check, ply) {
            return self.value_of_end(position, ply);
        }
        if let Some(entry) = entry
            && !PV
            && self.may_trust_table(position, entry)
            && let Some(value) = entry.value_outside(ply, alpha, beta)
        {
            return value;
        }
        let evade = G::QUIESCENCE.evasions && in_check;
        let mut stand_pat = -INFINITE;
        let mut stored_eval = Entry::NO_EVAL;
        if !evade {
            let known = entry.filter(|entry| entry.eval != Entry::NO_EVAL);
            let bound = if PV || known.is_some() {
                None
            } else {
                self.lazy_bound(position, alpha, beta)
            };
            stand_pat = if let Some(bound) = bound {
                bound
            } else {
                let valued = match known {
                    Some(entry) => LazyEval::Exact(i32::from(entry.eval)),
                    None if PV => LazyEval::Exact(self.evaluate(position)),
                    None => self.evaluate_within(position, (alpha, beta)),
                };
                match valued {
                    LazyEval::Exact(value) => {
                        stored_eval = value as i16;
                        self.corrected(position, position.correction_keys(), value)
                    }
                    LazyEval::Bound(bound) => bound,
                }
            };
            if stand_pat >= beta {
                return stand_pat;
            }
        }
        let mut window = Window::new(alpha, beta, stand_pat);
        let steps = self.list_noisy(position, evade, tt_move);
        let delta = self.parameters().quiescence_delta;
        let spares_checks = self.parameters().quiescence_check > 0;
        let keeps_bounds = self.parameters().pruned_bounds > 0;
        // Most nodes need not know which steps give check.
        let mut checks = None;
        let overlooks = self.strength_limit.filter(|_| !evade && ply > 2);
        let skip = |step, window: &mut Window<G::Step>| {
            if overlooks.is_some_and(|strength_limit| {
                strength_limit.overlooks(position.key(), u64::from(hashed_tt_move(&step)))
            }) {
                return true;
            }
            if evade {
                return false;
            }
            let at_most = stand_pat + position.gain(step) + delta;
            if at_most <= window.alpha
                && !(spares_checks && {
                    let checks = checks.get_or_insert_with(|| position.checks());
                    position.gives_check(checks, step)
                })
            {
                if keeps_bounds {
                    window.best = window.best.max(at_most);
                }
                return true;
            }
            !position.wins_exchange(step, 0)
        };
        let legal = self.quiescence_steps::<PV>(position, steps, &mut window, context, skip);
        if G::QUIESCENCE.checks && first && !evade && !window.is_cut() && !self.clock.stopped() {
            let checks = checks.unwrap_or_else(|| position.checks());
            let steps = self.list_quiet_checks(position, &checks);
            self.quiescence_steps::<PV>(position, steps, &mut window, context, |_, _| false);
        }
        if self.clock.stopped() {
            return 0;
        }
        if evade && legal == 0 {
            return self.value_of_end(position, ply);
        }
        if asks {
            self.remember::<PV>(key, &window, ply, 0, stored_eval);
        }
        window.best
    }

    /// Returns a bound of the static value outside the window, if the cheap estimate and its error bound give one.
    #[inline(always)]
    fn lazy_bound(&self, position: &G, alpha: i32, beta: i32) -> Option<i32> {
        if self.strength_limit.is_some() {
            return None;
        }
        let (value, margin) = position.lazy_eval()?;
        if value - margin >= beta {
            Some(value - margin)
        } else {
            Some(value + margin).filter(|&bound| bound <= alpha)
        }
    }

    /// Quiescence value, for the side to move, of a mid-turn position: noisy steps are searched; a legal quiet step counts
    /// as keeping the static value. [`ILLEGAL`] without a legal step.
    fn finish_turn<const PV: bool>(
        &mut self,
        position: &G,
        alpha: i32,
        beta: i32,
        context: NodeContext,
    ) -> i32 {
        if PV {
            self.pv.clear(context.height);
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
        self.drop_sleeping(position, context, &mut list);
        let steps = self.list_noisy_of(position, list);
        self.quiescence_steps::<PV>(position, steps, &mut window, context, |_, _| false);
        if window.best == -INFINITE {
            ILLEGAL
        } else {
            window.best
        }
    }

    /// Searches the steps of a quiescence node, except those that `skip` rejects for the current window, until one fails
    /// high. Returns the number of legal steps.
    #[inline(always)]
    fn quiescence_steps<const PV: bool>(
        &mut self,
        position: &G,
        mut steps: Picker,
        window: &mut Window<G::Step>,
        context: NodeContext,
        mut skip: impl FnMut(G::Step, &mut Window<G::Step>) -> bool,
    ) -> usize {
        let mut legal = 0;
        let mut judge = G::LegalityCheck::default();
        let first_steps = self.first_steps.len();
        while let Some(step) = self.next_noisy(&mut steps) {
            if G::QUIESCENCE.table {
                self.prefetch(position, step);
            }
            if skip(step, window) || G::PSEUDO_LEGAL && !position.is_legal(&mut judge, step) {
                continue;
            }
            if self.clock.check() {
                break;
            }
            let mut next = *position;
            next.play(step);
            if G::QUIESCENCE.table {
                self.enter(position, &next, step);
            } else {
                self.follow(position, &next, step);
            }
            let context = NodeContext {
                sleep_set: self.asleep_after(position, step, first_steps),
                ..context
            };
            let value =
                self.quiescence_child::<PV>(position, &next, window.alpha, window.beta, context);
            self.leave(&next);
            if self.clock.stopped() {
                break;
            }
            self.push_sleep_set(position, step);
            if G::MAX_STEPS > 1 && value == ILLEGAL {
                continue;
            }
            legal += 1;
            if self.raise::<PV>(window, value, step, context.height) && window.is_cut() {
                break;
            }
        }
        self.drop_steps(&steps);
        self.first_steps.truncate(first_steps);
        legal
    }

    /// The quiescence value of a child node from the point of view of the parent's side to move.
    pub fn quiescence_child<const PV: bool>(
        &mut self,
        position: &G,
        next: &G,
        alpha: i32,
        beta: i32,
        context: NodeContext,
    ) -> i32 {
        let same_side = next.side_to_move() == position.side_to_move();
        let next_mid = G::MAX_STEPS > 1 && next.is_mid_turn();
        let below = NodeContext {
            ply: context.ply + usize::from(!next_mid),
            height: context.height + 1,
            ..context
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
        // In games whose quiescence does not search evasions, the check test is not needed.
        let in_check = || G::QUIESCENCE.evasions && next.in_check();
        let value = match self.terminal(next, below.ply) {
            Some(value) => value,
            None => self.quiescence::<PV>(next, low, high, below, in_check(), false),
        };
        if same_side { value } else { -value }
    }
}
