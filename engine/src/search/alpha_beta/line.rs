//! Principal variations.

use super::worker::MAX_HEIGHT;
use crate::rules::{Chance, Draws, Game, Turn, legal_steps};
use crate::search::report::Bound;

/// A principal variation and its value.
#[derive(Clone)]
pub struct Line<S> {
    pub value: i32,
    /// Whether `value` is exact for a search of this depth, or a bound.
    pub bound: Bound,
    /// Iteration that found the value; 0: a static value.
    pub depth: u32,
    pub steps: Vec<S>,
    /// The value is a mate proven by the mate search.
    pub proven: bool,
}

impl<S> Line<S> {
    /// Creates the line of a finished iteration.
    pub const fn exact(value: i32, depth: u32, steps: Vec<S>) -> Self {
        Self {
            value,
            bound: Bound::Exact,
            depth,
            steps,
            proven: false,
        }
    }
}

/// Triangular PV table: the best line from each height. Lines grow on demand, so that short searches do not pay for deep
/// ones.
pub struct PvTable<S>(Vec<Vec<S>>);

impl<S: Copy> PvTable<S> {
    pub fn new() -> Self {
        Self(vec![Vec::new(); MAX_HEIGHT + 1])
    }

    pub fn clear(&mut self, height: usize) {
        self.0[height].clear();
    }

    pub fn line(&self, height: usize) -> &[S] {
        &self.0[height]
    }

    /// Sets the line of a height to `step` followed by the line of the next height.
    pub fn update(&mut self, height: usize, step: S) {
        let (upper, lower) = self.0.split_at_mut(height + 1);
        let line = &mut upper[height];
        line.clear();
        line.push(step);
        line.extend_from_slice(&lower[0]);
    }
}

/// Splits a line from the game's position into whole turns, checking each step, up to the end of the game.
pub fn turns_of<G: Draws + Chance>(game: &Game<G>, steps: &[G::Step]) -> Vec<Turn<G::Step>> {
    let mut game = game.clone();
    let mut turns = Vec::new();
    let mut turn = Turn::new();
    for &step in steps {
        if !legal_steps(game.position()).contains(&step) {
            break;
        }
        game.play(step);
        turn.push(step);
        if !game.position().is_mid_turn() {
            turns.push(std::mem::take(&mut turn));
            if game.outcome().is_some() {
                break;
            }
        }
    }
    turns
}
