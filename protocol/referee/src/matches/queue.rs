//! The games that are still to be played.

use crate::plan::schedule::ScheduledGame;
use std::collections::{HashSet, VecDeque};

/// The games of a tournament that are to be played, in order. Only the next ones are held.
pub(super) struct Queue {
    plans: Box<dyn Iterator<Item = ScheduledGame> + Send>,
    done: HashSet<u64>,
    next: VecDeque<ScheduledGame>,
    /// How many games ahead are known.
    ahead: usize,
    withdrawn: HashSet<usize>,
    left_out: u64,
}

impl Queue {
    /// The games of a tournament that are not done.
    pub(super) fn new(
        plans: impl Iterator<Item = ScheduledGame> + Send + 'static,
        done: HashSet<u64>,
        ahead: usize,
    ) -> Self {
        Self {
            plans: Box::new(plans),
            done,
            next: VecDeque::new(),
            ahead: ahead.max(1),
            withdrawn: HashSet::new(),
            left_out: 0,
        }
    }

    /// Takes the next game.
    pub(super) fn take(&mut self) -> Option<ScheduledGame> {
        self.fill();
        let plan = self.next.pop_front();
        self.fill();
        plan
    }

    /// The games after it.
    pub(super) fn next(&self) -> impl Iterator<Item = &ScheduledGame> {
        self.next.iter()
    }

    fn fill(&mut self) {
        while self.next.len() < self.ahead {
            let Some(plan) = self.plans.next() else {
                return;
            };
            // Each game comes once: what is done need not be remembered longer.
            if self.done.remove(&plan.game) {
                continue;
            }
            if self.is_withdrawn(&plan) {
                self.left_out += 1;
            } else {
                self.next.push_back(plan);
            }
        }
    }

    fn is_withdrawn(&self, plan: &ScheduledGame) -> bool {
        [plan.white, plan.black]
            .iter()
            .any(|player| self.withdrawn.contains(player))
    }

    /// Leaves out all games of a player from now on, with one that was taken and not played.
    pub(super) fn withdraw(&mut self, player: usize) {
        self.withdrawn.insert(player);
        let before = self.next.len();
        let next = std::mem::take(&mut self.next);
        self.next = next
            .into_iter()
            .filter(|plan| !self.is_withdrawn(plan))
            .collect();
        self.left_out += (before - self.next.len()) as u64 + 1;
    }

    /// Leaves out a game that was taken and not played.
    pub(super) const fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// The games that were left out, once the queue is at its end.
    pub(super) const fn left_out(&self) -> u64 {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::schedule::{ColorOrder, Pairings, Share};

    #[test]
    fn the_games_of_a_withdrawn_player_are_left_out_and_counted() {
        let plans = ScheduledGame::all(
            Pairings::RoundRobin.list(3),
            ColorOrder::default(),
            2,
            Share::default(),
        );
        let mut queue = Queue::new(plans, HashSet::from([1, 5]), 2);
        assert_eq!(queue.take().map(|plan| plan.game), Some(2));
        let ahead: Vec<u64> = queue.next().map(|plan| plan.game).collect();
        assert_eq!(ahead, [3, 4]);
        // Player 0 does not start any more: games 3 and 4 of round 1 and four of round 2 go.
        queue.withdraw(0);
        let mut rest = Vec::new();
        while let Some(plan) = queue.take() {
            rest.push(plan.game);
        }
        assert_eq!(rest, [6, 11, 12]);
        assert_eq!(queue.left_out(), 7);
    }
}
