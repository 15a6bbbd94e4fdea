//! Sleep sets: two steps of a turn that lead to the same position in either order are searched in one order only.
//!
//! Once all turns that begin with a step `t` have been searched, `t` belongs to the sleep set of the first steps that come after it. For
//! such a first step `s`, the turn `s, t` is skipped if the two steps commute: `t, s` leads to the same position, and its value is
//! known not to exceed alpha. In this way at most one of the two orders is left out. Source: Godefroid, "Using partial orders to
//! improve automatic verification methods", 1990.

use crate::core::StepList;
use crate::search::alpha_beta::worker::{NO_SLEEP_SET, NodeContext, Searchable, Worker};
use crate::search::policy::Policy;

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// Returns the [`NodeContext::sleep_set`] after a first step: the first steps searched before it, stored from index
    /// `from`.
    #[inline(always)]
    pub fn asleep_after(&self, position: &G, step: G::Step, from: usize) -> usize {
        if P::SLEEP_SETS
            && G::COMMUTES
            && self.first_steps.len() > from
            && position.may_commute(step)
        {
            from
        } else {
            NO_SLEEP_SET
        }
    }

    /// Adds a searched first step to the sleep set.
    #[inline(always)]
    pub fn push_sleep_set(&mut self, position: &G, step: G::Step) {
        if P::SLEEP_SETS && G::COMMUTES && !position.is_mid_turn() && position.may_commute(step) {
            self.first_steps.push(step);
        }
    }

    /// Removes the turns that were searched in the other order from a list of second steps; returns whether there were any.
    #[inline(always)]
    pub fn drop_sleeping(
        &self,
        position: &G,
        context: NodeContext,
        steps: &mut StepList<G::Step>,
    ) -> bool {
        if !P::SLEEP_SETS || !G::COMMUTES || context.sleep_set == NO_SLEEP_SET {
            return false;
        }
        let before = steps.len();
        position.drop_commuting(
            self.last_step(),
            &self.first_steps[context.sleep_set..],
            steps,
        );
        steps.len() < before
    }
}
