//! Who meets whom, and the seed of everything that is random in a game: both depend on the settings of the tournament
//! and the number of the game alone, so that shards and resumed runs play the games that one run would have played.

use fauve_engine::core::zobrist::splitmix;
use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairings {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

impl Pairings {
    /// The pairings of so many players, by index.
    pub fn list(self, players: usize) -> Vec<(usize, usize)> {
        match self {
            Self::Gauntlet => (1..players).map(|other| (0, other)).collect(),
            Self::RoundRobin => (0..players)
                .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
                .collect(),
        }
    }
}

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Its number, from 1.
    pub game: u64,
    /// The round, from 0. All pairings of a round have the same opening and dice.
    pub round: u64,
    /// White's index among the players.
    pub white: usize,
    /// Black's.
    pub black: usize,
}

impl ScheduledGame {
    /// The game of a number.
    ///
    /// # Panics
    /// If there are no pairings, or for game 0.
    pub fn of(game: u64, pairings: &[(usize, usize)]) -> Self {
        let pair = (game - 1) / 2;
        let (first, second) = pairings[(pair % pairings.len() as u64) as usize];
        let (white, black) = if game % 2 == 1 {
            (first, second)
        } else {
            (second, first)
        };
        Self {
            game,
            round: pair / pairings.len() as u64,
            white,
            black,
        }
    }

    /// All games of a tournament, or of one shard (number and count, from 1) of it. Pairs stay together.
    pub fn all(
        pairings: &[(usize, usize)],
        rounds: u64,
        shard: Option<(u64, u64)>,
    ) -> impl Iterator<Item = Self> + '_ {
        let (number, count) = shard.unwrap_or((1, 1));
        (0..rounds * pairings.len() as u64)
            .filter(move |pair| pair % count == number - 1)
            .flat_map(|pair| [2 * pair + 1, 2 * pair + 2])
            .map(|game| Self::of(game, pairings))
    }
}

/// What a random number is for; numbers for different purposes have nothing to do with each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RngStream {
    /// The dice of a round.
    Dice,
    /// The opening of a round.
    Opening,
    /// The order of a list of openings.
    Order,
    /// The random player's turns in a game.
    Player,
    /// The directions in which a tuner looks.
    Direction,
}

/// A number that looks random, of a tournament's seed, a purpose and an index.
pub fn derive(seed: u64, purpose: RngStream, index: u64) -> u64 {
    splitmix(splitmix(seed, purpose as u64), index)
}

/// A sequence of numbers that look random.
#[derive(Clone, Debug)]
pub struct Random {
    seed: u64,
    next: u64,
}

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed, next: 0 }
    }

    /// A number below `bound`, which is above 0. The bias is below `bound` / 2⁶⁴.
    pub fn below(&mut self, bound: usize) -> usize {
        let number = splitmix(self.seed, self.next);
        self.next += 1;
        ((u128::from(number) * bound as u128) >> 64) as usize
    }

    /// The numbers below `count` in random order (Fisher and Yates).
    pub fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut list: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            list.swap(i, self.below(i + 1));
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_swap_colours_and_shards_share_them_out() {
        let pairings = Pairings::RoundRobin.list(3);
        assert_eq!(pairings, [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(Pairings::Gauntlet.list(3), [(0, 1), (0, 2)]);
        let all: Vec<ScheduledGame> = ScheduledGame::all(&pairings, 4, None).collect();
        assert_eq!(all.len(), 24);
        for pair in all.chunks(2) {
            assert_eq!(
                (pair[0].white, pair[0].black),
                (pair[1].black, pair[1].white)
            );
            assert_eq!(pair[0].round, pair[1].round);
        }
        let mut shared: Vec<ScheduledGame> = (1..=4)
            .flat_map(|number| {
                ScheduledGame::all(&pairings, 4, Some((number, 4))).collect::<Vec<_>>()
            })
            .collect();
        shared.sort_by_key(|plan| plan.game);
        assert_eq!(shared, all);
    }

    #[test]
    fn shuffles_are_permutations() {
        let mut list = Random::new(7).shuffled(432);
        assert_ne!(list, (0..432).collect::<Vec<_>>());
        list.sort_unstable();
        assert_eq!(list, (0..432).collect::<Vec<_>>());
        assert!(Random::new(7).shuffled(0).is_empty());
    }
}
