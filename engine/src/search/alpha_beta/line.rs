//! Principal variations.

use super::worker::MAX_HEIGHT;
use crate::rules::{Chance, Draws, Game, Turn, legal_steps};
use crate::search::report::Bound;

/// A principal variation and its value.
#[derive(Clone)]
pub struct Line<S> {
    pub value: i32,
    /// Which side of the true value of a search of this depth `value` is on.
    pub bound: Bound,
    /// The iteration that found the value; 0: it is a static one.
    pub depth: u32,
    pub steps: Vec<S>,
    /// The value is a mate that was proven apart from the iterations.
    pub proven: bool,
}

impl<S> Line<S> {
    /// The line of an iteration that was finished.
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

/// The best line so far from every height. A line grows where it is needed, so that a short search does not pay for deep ones.
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

    /// The step, then the line of the next height.
    pub fn update(&mut self, height: usize, step: S) {
        let (upper, lower) = self.0.split_at_mut(height + 1);
        let line = &mut upper[height];
        line.clear();
        line.push(step);
        line.extend_from_slice(&lower[0]);
    }
}

/// The whole turns of a line from the game's position, each step checked, up to the end of the game.
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
