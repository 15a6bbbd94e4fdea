//! Who meets whom, and the seed of everything that is random in a game: both depend on the settings of the tournament
//! and the number of the game alone, so that shards and resumed runs play the games that one run would have played.

use fauve_engine::core::zobrist::splitmix;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairings {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Each of this number of first players meets each of the others.
    Seeds(u32),
}

impl Pairings {
    /// The pairings of this many players, by index.
    pub fn list(self, players: usize) -> Vec<(usize, usize)> {
        match self {
            Self::Gauntlet => Self::Seeds(1).list(players),
            Self::Seeds(seeds) => {
                let seeds = players.min(seeds as usize);
                (0..seeds)
                    .flat_map(|seed| (seeds..players).map(move |other| (seed, other)))
                    .collect()
            }
            Self::RoundRobin => (0..players)
                .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
                .collect(),
        }
    }
}

/// Which player of a pairing has White. By default the first one in the first game of a pair, and the second in the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ColorOrder {
    /// The same player in all games. Each game has an opening of its own then.
    pub no_swap: bool,
    /// The second player where it would be the first.
    pub reverse: bool,
}

impl ColorOrder {
    /// Whether the first player of a pairing has White in the game of this number.
    pub const fn first_is_white(self, game: u64) -> bool {
        (self.no_swap || game % 2 == 1) != self.reverse
    }
}

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Its number, from 1.
    pub game: u64,
    /// The round, from 0.
    pub round: u64,
    /// The number of its opening and dice, from 0: those of the round, for all pairings.
    pub opening: u64,
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
    pub fn of(game: u64, pairings: &[(usize, usize)], colors: ColorOrder) -> Self {
        let pair = (game - 1) / 2;
        let (first, second) = pairings[(pair % pairings.len() as u64) as usize];
        let (white, black) = if colors.first_is_white(game) {
            (first, second)
        } else {
            (second, first)
        };
        let round = pair / pairings.len() as u64;
        Self {
            game,
            round,
            opening: if colors.no_swap {
                2 * round + (game - 1) % 2
            } else {
                round
            },
            white,
            black,
        }
    }

    /// All games of a share of a tournament. The games of a pair stay together.
    pub fn all(
        pairings: Vec<(usize, usize)>,
        colors: ColorOrder,
        rounds: u64,
        share: Share,
    ) -> impl Iterator<Item = Self> + Send + use<> {
        let count = pairings.len() as u64;
        share
            .range(rounds, count)
            .filter(move |&pair| share.has(pair, count))
            .flat_map(|pair| [2 * pair + 1, 2 * pair + 2])
            .map(move |game| Self::of(game, &pairings, colors))
    }
}

/// Which games of a tournament one run plays. Whole rounds are shared out, so that every machine plays all pairings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Which of how many shards, from 1.
    pub shard: Option<(u64, u64)>,
    /// Whether pairs are shared out, and not rounds, as records of format 1 have it.
    pub of_pairs: bool,
    /// The first and the last pair, from 1.
    pub pairs: Option<(u64, u64)>,
}

impl Share {
    /// Whether it is the whole tournament.
    pub const fn is_whole(self) -> bool {
        self.shard.is_none() && self.pairs.is_none()
    }

    /// The pairs of a tournament, numbered from 0, of which this share has some or all.
    fn range(self, rounds: u64, pairings: u64) -> Range<u64> {
        let all = rounds.saturating_mul(pairings);
        match self.pairs {
            Some((first, last)) => first.saturating_sub(1)..last.min(all),
            None => 0..all,
        }
    }

    /// The number of games that this share of a tournament has, however many rounds there are.
    pub fn games(self, rounds: u64, pairings: u64) -> u64 {
        let range = self.range(rounds, pairings);
        let Some((number, shards)) = self.shard else {
            return (range.end.saturating_sub(range.start)).saturating_mul(2);
        };
        let size = if self.of_pairs { 1 } else { pairings.max(1) };
        let shards = shards.max(1);
        // The pairs of the shard below a pair: whole rounds, and what it has of the last.
        let below = |pair: u64| {
            let (place, rest) = (pair / size, pair % size);
            let whole = (place + (shards - number)) / shards * size;
            whole
                + if place % shards + 1 == number {
                    rest
                } else {
                    0
                }
        };
        below(range.end)
            .saturating_sub(below(range.start))
            .saturating_mul(2)
    }

    /// Whether a pair, numbered from 0, belongs to the share of a tournament with this number of pairings.
    pub fn has(self, pair: u64, pairings: u64) -> bool {
        let place = if self.of_pairs {
            pair
        } else {
            pair / pairings.max(1)
        };
        let is_in_shard = self
            .shard
            .is_none_or(|(number, count)| place % count.max(1) + 1 == number);
        let is_in_pairs = self
            .pairs
            .is_none_or(|(first, last)| (first..=last).contains(&(pair + 1)));
        is_in_shard && is_in_pairs
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
        assert_eq!(Pairings::Seeds(2).list(4), [(0, 2), (0, 3), (1, 2), (1, 3)]);
        assert!(Pairings::Seeds(4).list(4).is_empty());
        let games = |share| {
            ScheduledGame::all(pairings.clone(), ColorOrder::default(), 4, share)
                .collect::<Vec<_>>()
        };
        let all = games(Share::default());
        assert_eq!(all.len(), 24);
        for pair in all.chunks(2) {
            assert_eq!(
                (pair[0].white, pair[0].black),
                (pair[1].black, pair[1].white)
            );
            assert_eq!(pair[0].round, pair[1].round);
        }
        for of_pairs in [false, true] {
            let share = |number| Share {
                shard: Some((number, 4)),
                of_pairs,
                pairs: None,
            };
            let mut shared: Vec<ScheduledGame> =
                (1..=4).flat_map(|number| games(share(number))).collect();
            shared.sort_by_key(|plan| plan.game);
            assert_eq!(shared, all);
        }
        let some = games(Share {
            pairs: Some((3, 4)),
            ..Share::default()
        });
        assert_eq!(some, all[4..8]);
    }

    #[test]
    fn colours_are_reversed_or_stay() {
        let games = |no_swap, reverse| {
            let colors = ColorOrder { no_swap, reverse };
            let games = ScheduledGame::all(vec![(0, 1)], colors, 2, Share::default());
            games
                .map(|game| (game.white, game.opening))
                .collect::<Vec<_>>()
        };
        assert_eq!(games(false, false), [(0, 0), (1, 0), (0, 1), (1, 1)]);
        assert_eq!(games(false, true), [(1, 0), (0, 0), (1, 1), (0, 1)]);
        assert_eq!(games(true, false), [(0, 0), (0, 1), (0, 2), (0, 3)]);
        assert_eq!(games(true, true), [(1, 0), (1, 1), (1, 2), (1, 3)]);
    }

    #[test]
    fn games_are_counted_without_being_listed() {
        for players in [2, 3, 5] {
            let pairings = Pairings::RoundRobin.list(players);
            let count = pairings.len() as u64;
            for (shard, of_pairs, pairs) in (0..4)
                .map(|number| (number > 0).then_some((number, 3)))
                .flat_map(|shard| [(shard, false), (shard, true)])
                .flat_map(|(shard, of_pairs)| {
                    [None, Some((1, 4)), Some((5, 1000)), Some((900, 1000))]
                        .map(|pairs| (shard, of_pairs, pairs))
                })
            {
                let share = Share {
                    shard,
                    of_pairs,
                    pairs,
                };
                for rounds in 0..9 {
                    let listed =
                        ScheduledGame::all(pairings.clone(), ColorOrder::default(), rounds, share)
                            .count();
                    assert_eq!(
                        share.games(rounds, count),
                        listed as u64,
                        "{share:?} {rounds}"
                    );
                }
            }
        }
        assert_eq!(Share::default().games(u64::MAX, 3), u64::MAX);
    }

    #[test]
    fn every_shard_plays_every_pairing() {
        let pairings = Pairings::RoundRobin.list(4);
        assert_eq!(pairings.len(), 6);
        for number in 1..=6 {
            let share = Share {
                shard: Some((number, 6)),
                ..Share::default()
            };
            let games = ScheduledGame::all(pairings.clone(), ColorOrder::default(), 12, share);
            let met: std::collections::BTreeSet<(usize, usize)> = games
                .map(|plan| (plan.white.min(plan.black), plan.white.max(plan.black)))
                .collect();
            assert_eq!(met.len(), 6, "shard {number}");
        }
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
