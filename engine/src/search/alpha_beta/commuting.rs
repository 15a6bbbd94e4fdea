//! Steps of one turn that can be made in either order lead to the same position: the second order is not searched.
//!
//! Once a first step `t` has been searched, and with it all turns that begin with it, it sleeps in the turns of the steps after it: `s, t`
//! is left out if it commutes with `t, s`, whose value is known to be no better than the window. So the order of the search
//! decides which of the two is searched, and pruning never loses both. Source: Godefroid, "Using partial orders to improve
//! automatic verification methods", 1990 (sleep sets).

use super::worker::{NO_SLEEP_SET, NodeContext, Searchable, Worker};
use crate::core::StepList;
use crate::search::policy::Policy;

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// What [`NodeContext::sleep_set`] is below a first step: those that were searched from `from` on.
    #[inline(always)]
    pub fn asleep_after(&self, position: &G, step: G::Step, from: usize) -> usize {
        if P::COMMUTING
            && G::COMMUTES
            && self.first_steps.len() > from
            && position.may_commute(step)
        {
            from
        } else {
            NO_SLEEP_SET
        }
    }

    /// A first step has been searched.
    #[inline(always)]
    pub fn push_sleep_set(&mut self, position: &G, step: G::Step) {
        if P::COMMUTING && G::COMMUTES && !position.is_mid_turn() && position.may_commute(step) {
            self.first_steps.push(step);
        }
    }

    /// Takes the turns that were searched in the other order off a list of second steps; whether there were any.
    #[inline(always)]
    pub fn drop_sleeping(
        &self,
        position: &G,
        context: NodeContext,
        steps: &mut StepList<G::Step>,
    ) -> bool {
        if !P::COMMUTING || !G::COMMUTES || context.sleep_set == NO_SLEEP_SET {
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
