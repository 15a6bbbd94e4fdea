//! The draws by history and by counters that a mate must not run into.

use crate::core::zobrist::splitmix;
use crate::rules::{Chance, Draws, Game, Rules, legal_steps};

/// Which positions below a root are drawn though there are turns to play, beside those in which a counter that is part of the key
/// has run out.
///
/// A position that stands once in the game's history, or comes up in the tree, is not among them: a mate that passes it twice is a
/// shorter mate from where it stood first. For the same reason a pattern that draws (made, unmade, remade) matters only where half of
/// it was played before the root.
pub(super) struct Pitfalls<G: Rules> {
    /// The rules of the counters; nothing where these do not count.
    options: Option<G::Options>,
    /// Positions that end the game: those that stood twice, and that in which the latest steps become a pattern.
    keys: Vec<u64>,
}

impl<G: Draws + Chance> Pitfalls<G> {
    /// Those of a problem: none.
    pub const fn none() -> Self {
        Self {
            options: None,
            keys: Vec::new(),
        }
    }

    /// Positions with these keys.
    pub fn of_keys(keys: &[u64]) -> Self {
        Self {
            options: None,
            keys: keys.to_vec(),
        }
    }

    /// Those below the position of a game.
    pub fn of_game(game: &Game<G>) -> Self {
        let mut keys: Vec<u64> = stood_twice(game).iter().map(Rules::key).collect();
        keys.extend(after_pattern(game));
        Self {
            options: Some(*game.options()),
            keys,
        }
    }

    /// Whether the game is drawn in a position, unless the side to move is mated.
    pub fn draws(&self, position: &G) -> bool {
        position.count_draw().is_some()
            || self.keys.contains(&position.key())
            || (self.options.as_ref()).is_some_and(|options| position.clock_draw(options).is_some())
    }

    /// The key under which it is remembered whether there is a mate in this number of turns: with the counter of quiet turns, where that may run out
    /// before.
    pub fn key(&self, position: &G, turns: u32) -> u64 {
        let counted = (self.options.as_ref()).map_or(0, |options| position.clock_turns(options));
        if counted.saturating_add(2 * turns as usize) < G::CLOCK_LIMIT {
            position.key()
        } else {
            position.key() ^ splitmix(0x636c_6f63_6b00, counted as u64)
        }
    }
}

/// The positions that stood twice in a game and can come again: a third time draws.
pub(super) fn stood_twice<G: Draws + Chance>(game: &Game<G>) -> Vec<G> {
    let reach = game.position().reversible_turns(game.options());
    if reach < 4 {
        return Vec::new();
    }
    let mut positions: Vec<G> = game.turn_positions().copied().collect();
    positions.drain(..positions.len().saturating_sub(reach + 1));
    positions.sort_unstable_by_key(Rules::key);
    let pairs = positions.windows(2);
    let again = pairs.filter(|pair| pair[0].key() == pair[1].key());
    let mut twice: Vec<G> = again.map(|pair| pair[0]).collect();
    twice.dedup_by_key(|position| position.key());
    twice
}

/// The key of the position in which the latest steps of a game become a pattern that draws, if half of it was played.
pub(super) fn after_pattern<G: Draws + Chance>(game: &Game<G>) -> Option<u64> {
    let steps: Vec<_> = game.steps().collect();
    let rest = G::pattern_rest(&steps);
    let mut position = *game.position();
    for &step in &rest {
        if !legal_steps(&position).contains(&step) {
            return None;
        }
        position.play(step);
    }
    (!rest.is_empty()).then(|| position.key())
}
