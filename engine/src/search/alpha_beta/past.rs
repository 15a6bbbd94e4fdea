//! Effect of the game before the root on the tree: some positions are drawn by repetition only because of it.

use crate::core::zobrist::splitmix;
use crate::rules::{Chance, Draws, Game, Rules};
use crate::search::pitfalls::{after_pattern, stood_twice};

/// Positions before the root that affect draws.
pub struct Past<G: Rules> {
    /// Positions that have occurred twice and can recur; the third occurrence draws.
    pub twice: Vec<G>,
    /// Least distance of one of them from a mate, in turns of both sides, by the endgame tables; computed on first use.
    pub nearest: Option<u32>,
    /// Combined with table keys to separate entries found with such positions from those found without; 0 where there are
    /// none.
    pub salt: u64,
}

impl<G: Draws + Chance> Past<G> {
    pub fn new(game: &Game<G>) -> Self {
        let twice = stood_twice(game);
        let keys = twice.iter().map(Rules::key).chain(after_pattern(game));
        let salt = keys.fold(0, |salt, key| splitmix(key, salt));
        Self {
            twice,
            nearest: None,
            salt,
        }
    }
}
