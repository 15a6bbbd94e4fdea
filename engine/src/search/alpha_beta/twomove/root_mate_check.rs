//! Mates in one that pruning overlooks.
//!
//! Where a turn is two steps, a position has a thousand turns, and near the leaves all but a few quiet ones are pruned,
//! among them mates by quiet steps. Therefore each root turn that is about to become the best is tested once against all
//! replies.

use crate::core::StepList;
use crate::search::alpha_beta::tt_move::tt_move_of;
use crate::search::alpha_beta::worker::{NodeContext, Searchable, Worker};
use crate::search::mate::is_lost;
use crate::search::policy::Policy;
use crate::search::report::Bound;
use crate::search::table::Entry;
use crate::search::value::{MATE, to_table};

/// Table depth of a mate in one: it holds at any depth.
const DEEPEST: u8 = u8::MAX;

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// Returns the value of a position after a root turn, at the start of the opponent's turn, if the opponent mates at
    /// once; the mating turn becomes the principal variation.
    pub fn find_reply_mate(&mut self, position: &G, context: NodeContext) -> Option<i32> {
        let key = position.key();
        if self.strength_limit.is_some() || self.mate_in_one_refuted.contains(&key) {
            return None;
        }
        let searched = self.first_steps.len();
        let mate = self.mating_turn(position, searched);
        self.first_steps.truncate(searched);
        let Some([first, second]) = mate else {
            if !self.clock.stopped() {
                self.mate_in_one_refuted.push(key);
            }
            return None;
        };
        let NodeContext { ply, height, .. } = context;
        self.pv.clear(height + 2);
        self.pv.update(height + 1, second);
        self.pv.update(height, first);
        let value = MATE - (ply as i32 + 1);
        self.table.store(
            self.table_key(position),
            Entry {
                value: to_table(value, ply),
                eval: Entry::NO_EVAL,
                tt_move: tt_move_of::<G>(first),
                depth: DEEPEST,
                bound: Bound::Exact,
            },
        );
        Some(value)
    }

    /// Returns a turn of two steps that mates. Of two steps that commute only one order is tried: [`Worker::first_steps`]
    /// has the previous first steps from index `searched` on.
    fn mating_turn(&mut self, position: &G, searched: usize) -> Option<[G::Step; 2]> {
        let mut first_steps = StepList::new();
        position.generate(&mut first_steps);
        for first in first_steps {
            if self.clock.check() {
                return None;
            }
            self.clock.count();
            let mut half = *position;
            half.play(first);
            if !half.is_mid_turn() {
                continue;
            }
            let mut second_steps = StepList::new();
            half.generate(&mut second_steps);
            if G::COMMUTES && position.may_commute(first) {
                half.drop_commuting(first, &self.first_steps[searched..], &mut second_steps);
                self.first_steps.push(first);
            }
            for second in second_steps {
                let mut after = half;
                after.play(second);
                if is_lost(&after) {
                    return Some([first, second]);
                }
            }
        }
        None
    }
}
