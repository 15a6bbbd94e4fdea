//! Extensions, reductions and pruning of single steps.

use super::history::HISTORY_LIMIT;
use super::node::Node;
use super::picker::Picked;
use super::worker::{Searchable, Worker};
use crate::search::parameters::Parameters;
use crate::search::policy::Policy;
use crate::search::report::Bound;
use crate::search::table::Entry;
use crate::search::value::{from_table, is_mate};

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// Singular extension: returns the extension of the table's step in turns, positive if a search of half the depth
    /// without it finds all other steps much worse, negative if it is one of several sufficient steps. Returns the node's
    /// value as an error where another step already fails high (multi-cut). Source: Anantharaman, Campbell and Hsu,
    /// "Singular extensions", 1990, in the form of <https://www.chessprogramming.org/Singular_Extensions>.
    #[inline(always)]
    pub fn singularity<const PV: bool>(
        &mut self,
        position: &G,
        node: &Node<G::Step>,
        entry: Entry,
        step: G::Step,
        beta: i32,
    ) -> Result<i32, i32> {
        let Node { context, depth, .. } = *node;
        let parameters = self.parameters();
        let value = from_table(entry.value, context.ply);
        if P::EXACT
            || G::MAX_STEPS > 1
            || context.ply == 0
            || context.ply >= 2 * self.iteration as usize
            || node.excluded_move.is_some()
            || depth < parameters.singular_depth
            || i32::from(entry.depth) < depth - 3
            || entry.bound == Bound::Upper
            || is_mate(value)
        {
            return Ok(0);
        }
        let limit = value - parameters.singular_margin * depth / 16;
        let double = parameters.singular_double;
        self.excluded_move = Some(step);
        let best = self.node::<false>(position, (depth - 1) / 2, limit - 1, limit, context);
        if self.clock.stopped() {
            return Err(0);
        }
        if best < limit {
            return Ok(1 + i32::from(!PV && best < limit - double));
        }
        if !PV && limit >= beta && !is_mate(best) {
            return Err(limit);
        }
        let suffices = value >= beta;
        Ok(if suffices {
            i32::from(PV) - 2
        } else {
            -i32::from(context.cut)
        })
    }

    /// Late move reduction of a step, in turns (<https://www.chessprogramming.org/Late_Move_Reductions>). At most one step of a turn is
    /// reduced.
    #[inline(always)]
    pub fn reduction<const PV: bool>(
        &self,
        position: &G,
        node: &Node<G::Step>,
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
        if P::EXACT || !late || node.mid_turn && node.context.reduction > 0 {
            return 0;
        }
        let table = self.reductions.get(depth, legal);
        let node_type =
            parameters.reduction_cut * i32::from(node.context.cut) - 100 * i32::from(PV);
        let hundredths = if picked.quiet {
            table + node_type - 100 * i32::from(node.in_check)
                + 100 * i32::from(!improving && !node.mid_turn)
                - 100 * i32::from(picked.quiet_check)
                - 100 * picked.score.clamp(-HISTORY_LIMIT, HISTORY_LIMIT)
                    / parameters.reduction_history
        } else if PV || parameters.reduction_noisy == 0 {
            return 0;
        } else {
            let (side, step) = (position.side_to_move(), picked.step);
            let rate =
                self.history
                    .capture(side, position.history_index(step), position.captured(step));
            (table + node_type) * parameters.reduction_noisy / 100
                - 100 * rate / parameters.reduction_history
        };
        (hundredths / 100).clamp(0, (full - 1).max(0))
    }
}

/// Late move pruning and futility pruning: whether a quiet step near the leaves comes too late in the order, or the static value is
/// too far below alpha, for it to matter (<https://www.chessprogramming.org/Futility_Pruning>, which has late move pruning as move count
/// based pruning).
#[inline(always)]
pub fn is_late_or_futile<S>(
    parameters: &Parameters,
    node: &Node<S>,
    alpha: i32,
    legal: usize,
    near: i32,
) -> bool {
    let Node {
        depth, improving, ..
    } = *node;
    if node.in_check {
        return false;
    }
    let late = depth <= parameters.late_depth
        && legal >= ((parameters.late_base + depth * depth) >> i32::from(!improving)) as usize;
    late || futile_bound(parameters, node, alpha, near).is_some()
}

/// The value, at most alpha, that futility pruning holds quiet steps not to exceed; `None` where it does not prune them.
#[inline(always)]
pub fn futile_bound<S>(
    parameters: &Parameters,
    node: &Node<S>,
    alpha: i32,
    near: i32,
) -> Option<i32> {
    let bound = node.eval + parameters.futility_base + parameters.futility_slope * near;
    let futile =
        !node.in_check && near <= parameters.futility_depth && bound <= alpha && !is_mate(alpha);
    futile.then_some(bound)
}

/// Late move pruning of the second step of a turn: whether it comes too late in the order to matter.
#[inline(always)]
pub const fn is_late_second<S>(parameters: &Parameters, node: &Node<S>, legal: usize) -> bool {
    let depth = node.depth;
    depth <= parameters.late_depth
        && legal as i32 >= parameters.late_second + parameters.late_second_slope * depth * depth
}

/// Futility pruning of the second step of a turn whose first step was quiet: whether the static value before the turn, `eval`, is
/// too far below alpha for a quiet turn to matter.
#[inline(always)]
pub const fn is_futile_second<S>(
    parameters: &Parameters,
    node: &Node<S>,
    eval: i32,
    alpha: i32,
) -> bool {
    let Node { context, depth, .. } = node;
    let margin = parameters.futility_second + parameters.futility_slope * *depth;
    parameters.futility_second > 0
        && context.after_quiet
        && *depth <= parameters.futility_depth
        && eval + margin <= alpha
        && !is_mate(alpha)
}

/// Exchange pruning: whether a step near the leaves loses more by exchange than the rest of the turn may regain. Checks may
/// lose more: sacrifices that force the king give check.
#[inline(always)]
pub fn loses_too_much<G: Searchable>(
    parameters: &Parameters,
    position: &G,
    checks: &G::Checks,
    depth: i32,
    near: i32,
    picked: &Picked<G::Step>,
) -> bool {
    let left = if picked.quiet { near } else { depth };
    // A step with a score of 0 or more is no losing capture.
    if left > parameters.exchange_depth || !(picked.quiet || picked.score < 0) {
        return false;
    }
    let loss = if picked.quiet {
        let loss = parameters.exchange_quiet * left * left;
        if picked.quiet_check {
            loss.max(parameters.exchange_check * depth)
        } else {
            loss
        }
    } else {
        let more = parameters.exchange_noisy_check;
        let spared = more > 0 && position.gives_check(checks, picked.step);
        parameters.exchange_noisy * left + if spared { more } else { 0 }
    };
    !position.wins_exchange(picked.step, -loss)
}

/// History pruning: whether a quiet step near the leaves has a low history score
/// (<https://www.chessprogramming.org/History_Leaf_Pruning>).
#[inline(always)]
pub fn has_low_history<S>(
    parameters: &Parameters,
    node: &Node<S>,
    near: i32,
    picked: &Picked<S>,
) -> bool {
    !node.in_check
        && near <= parameters.history_depth
        && picked.score < -parameters.history_prune * node.depth
}
