//! Killer turns: a turn that refuted one position is tried first in its siblings
//! (<https://www.chessprogramming.org/Killer_Heuristic>).

use crate::core::StepList;
use crate::rules::{Rules, Turn};
use arrayvec::ArrayVec;

/// Number of turns stored for each number of turns left.
const KEPT: usize = 8;

/// Refuting turns by the number of turns left, the latest first.
pub(super) struct Killers<S> {
    turns: Vec<ArrayVec<Turn<S>, KEPT>>,
}

impl<S: Clone + PartialEq> Killers<S> {
    pub(super) const fn new() -> Self {
        Self { turns: Vec::new() }
    }

    /// The latest refuting turns at this number of turns left.
    pub(super) fn of(&self, left: u32) -> &[Turn<S>] {
        self.turns.get(left as usize).map_or(&[], |turns| turns)
    }

    /// Stores a refuting turn.
    pub(super) fn keep(&mut self, left: u32, turn: &Turn<S>) {
        let left = left as usize;
        if self.turns.len() <= left {
            self.turns.resize_with(left + 1, ArrayVec::new);
        }
        let turns = &mut self.turns[left];
        if let Some(place) = turns.iter().position(|kept| kept == turn) {
            turns[..=place].rotate_right(1);
            return;
        }
        if turns.is_full() {
            turns.pop();
        }
        turns.insert(0, turn.clone());
    }

    /// Moves the items of stored turns to the front.
    pub(super) fn bring_forward<T>(
        &self,
        left: u32,
        items: &mut [T],
        turn: impl Fn(&T) -> &Turn<S>,
    ) {
        let mut front = 0;
        for killer in self.of(left) {
            let place = items[front..].iter().position(|item| turn(item) == killer);
            if let Some(place) = place {
                items.swap(front, front + place);
                front += 1;
            }
        }
    }
}

/// The position after a turn, if the turn is legal there.
pub(super) fn after_turn<G: Rules>(position: &G, turn: &Turn<G::Step>) -> Option<G> {
    let mut after = *position;
    for step in turn {
        let mut steps = StepList::new();
        after.generate(&mut steps);
        if !steps.contains(step) {
            return None;
        }
        after.play(*step);
    }
    (!after.is_mid_turn()).then_some(after)
}
