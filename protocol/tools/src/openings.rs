//! Random openings, the same for the same seed.

use fauve_engine::core::zobrist::splitmix;
use fauve_engine::rules::{Chance, Draws, Game, legal_steps};

/// A game after this number of random steps and those that complete the turn; `None` if it is over by then.
pub fn random_opening<G: Draws + Chance>(
    start: G,
    options: G::Options,
    steps: u64,
    seed: u64,
) -> Option<Game<G>> {
    let mut game = Game::new(start, options);
    let mut n = 0;
    while n < steps || game.position().is_mid_turn() {
        let legal = legal_steps(game.position());
        game.play(*legal.get(splitmix(seed, n) as usize % legal.len().max(1))?);
        n += 1;
    }
    game.outcome().is_none().then_some(game)
}
