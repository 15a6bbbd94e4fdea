//! What the game before the root means for the tree: some positions below are drawn that would not be without it.

use crate::core::zobrist::splitmix;
use crate::rules::{Chance, Draws, Game, Rules};
use crate::search::pitfalls::{after_pattern, stood_twice};

/// What a search has to know of the game's past.
pub struct Past<G: Rules> {
    /// The positions that stood twice and can come again: the third time draws.
    pub twice: Vec<G>,
    /// How many turns of both sides the nearest of them is from a mate, as far as tables of endgames know; found when it is asked for.
    pub nearest: Option<u32>,
    /// Keys of the table are combined with this, so that what was found without such positions is not believed among them, and the
    /// other way round: 0 where there are none.
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
