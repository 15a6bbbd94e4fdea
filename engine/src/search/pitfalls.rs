//! Draws by history and by counters that a proven mate must avoid.

use crate::core::zobrist::splitmix;
use crate::rules::{Chance, Draws, Game, Rules, legal_steps};

/// The positions below a root in which the game is drawn by its history, and the rules of the counters that draw it.
///
/// Positions that occurred only once, in the game or in the tree, are not among them: a mate on whose way such a position occurs again can be
/// shortened by playing from its first occurrence. For the same reason a pattern that draws (a move made, unmade and made again) matters only
/// where half of it was played before the root.
pub(super) struct Pitfalls<G: Rules> {
    /// Rules of the counters; `None` where counters do not draw.
    options: Option<G::Options>,
    /// Keys of positions that end the game: those that occurred twice, and the one in which the latest steps complete a
    /// pattern.
    keys: Vec<u64>,
}

impl<G: Draws + Chance> Pitfalls<G> {
    /// No drawn positions, as in mate problems.
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

    /// Drawn positions below the position of a game.
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

    /// Memory key for a mate in this number of turns. It includes the counter of quiet turns where that may run out before
    /// the mate.
    pub fn key(&self, position: &G, turns: u32) -> u64 {
        let counted = (self.options.as_ref()).map_or(0, |options| position.clock_turns(options));
        if counted.saturating_add(2 * turns as usize) < G::CLOCK_LIMIT {
            position.key()
        } else {
            position.key() ^ splitmix(0x636c_6f63_6b00, counted as u64)
        }
    }
}

/// The positions that occurred twice in a game and can recur; the third occurrence draws.
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

/// Key of the position in which the latest steps of a game complete a pattern that draws, if half of it was played.
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
