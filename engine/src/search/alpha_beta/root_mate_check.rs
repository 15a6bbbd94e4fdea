//! Mates at once that lurk among the turns that a search leaves out.
//!
//! Where a turn is two steps there are a thousand of them, and near the leaves all but a few quiet ones are left out: a mate by quiet
//! steps among them. So a turn of the root that is about to be thought best is held against all answers, once.

use super::tt_move::tag_of;
use super::worker::{NodeContext, Searchable, Worker};
use crate::core::StepList;
use crate::search::mate::is_lost;
use crate::search::policy::Policy;
use crate::search::report::Bound;
use crate::search::table::Entry;
use crate::search::value::{MATE, to_table};

/// In the table a mate at once is as deep as anything.
const DEEPEST: u8 = u8::MAX;

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// The value of a position after a turn of the root, at the start of the opponent's turn, if he mates with it; that turn
    /// becomes the principal variation.
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
                tt_move: tag_of::<G>(first),
                depth: DEEPEST,
                bound: Bound::Exact,
            },
        );
        Some(value)
    }

    /// A turn of two steps that mates. Of two steps that commute one order is tried: from `tried` on [`Worker::first_steps`] has the
    /// first steps so far.
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
