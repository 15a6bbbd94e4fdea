//! The sequential test over pairs in the order of their numbers. Quick games finish first, and their results are not like
//! those of the others: a test that counts them as they come is wrong more often than it says, and many machines decide
//! otherwise than one.

use crate::record::{GameRecord, Header};
use crate::report::tally::{Counted, Tally};
use crate::stats::{Sprt, Verdict};
use std::collections::BTreeMap;

/// The pairs of a tournament as a sequential test counts them.
#[derive(Clone, PartialEq, Debug)]
pub struct Sequence {
    test: Option<Sprt>,
    tally: Tally,
    /// The pair that is counted next, from 0.
    next: u64,
    /// Finished games of later pairs, and of this one.
    waiting: BTreeMap<u64, Counted>,
    verdict: Option<Verdict>,
}

impl Sequence {
    /// No games yet. Without a test of two players nothing is counted.
    pub fn new(header: &Header) -> Self {
        Self {
            test: header.sprt.filter(|_| header.engines.len() == 2),
            tally: Tally::new(header),
            next: 0,
            waiting: BTreeMap::new(),
            verdict: None,
        }
    }

    /// Takes a game, in any order; a game that was taken before changes nothing. When the test is decided, no further pair
    /// counts.
    pub fn add(&mut self, game: &GameRecord) {
        if self.test.is_some() {
            self.count(Counted::of(game));
        }
    }

    fn count(&mut self, game: Counted) {
        if self.test.is_none() || game.game <= 2 * self.next {
            return;
        }
        self.waiting.insert(game.game, game);
        while self.verdict.is_none() {
            let numbers = [2 * self.next + 1, 2 * self.next + 2];
            if !numbers.iter().all(|game| self.waiting.contains_key(game)) {
                return;
            }
            for number in numbers {
                if let Some(game) = self.waiting.remove(&number) {
                    self.tally.count(&game);
                }
            }
            self.next += 1;
            let test = self.test.as_ref();
            self.verdict = test.and_then(|test| test.verdict(&self.tally.only()?.distinct));
        }
    }

    /// How the test is decided.
    pub const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The pairs that were counted.
    pub const fn pairs(&self) -> u64 {
        self.next
    }

    /// The games that wait for those of an earlier pair.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The logarithm of the likelihood ratio of these pairs, and its bounds.
    pub fn llr(&self) -> Option<(f64, (f64, f64))> {
        let test = self.test.as_ref()?;
        Some((test.llr(&self.tally.only()?.distinct), test.bounds()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::record::samples::{game, header};
    use crate::stats::Model;

    /// A tournament whose first player wins every game, in games that differ.
    fn won() -> (Header, Vec<GameRecord>) {
        let header = Header {
            rounds: 300,
            sprt: Some(Sprt {
                elo0: 0.0,
                elo1: 100.0,
                alpha: 0.05,
                beta: 0.05,
                model: Model::default(),
            }),
            ..header()
        };
        let games = (1..=600).map(|number| {
            let mut game = game(number);
            game.turns[0].token = number.to_string();
            // Now and then the second player wins, so that the variance is not nothing.
            let first_wins = number % 9 != 0;
            game.result = match (number % 2 == 1, first_wins) {
                (true, true) | (false, false) => GameResult::White,
                _ => GameResult::Black,
            };
            game
        });
        (header, games.collect())
    }

    #[test]
    fn the_decision_does_not_depend_on_the_order_in_which_games_finish() {
        let (header, mut games) = won();
        let decided = |games: &[GameRecord]| {
            let mut sequence = Sequence::new(&header);
            for game in games {
                sequence.add(game);
                sequence.add(game);
            }
            (sequence.verdict(), sequence.pairs(), sequence.llr())
        };
        let in_order = decided(&games);
        assert_eq!(in_order.0, Some(Verdict::H1));
        assert!(in_order.1 > 2 && in_order.1 < 300, "{in_order:?}");
        games.reverse();
        assert_eq!(decided(&games), in_order);
        games.rotate_left(100);
        assert_eq!(decided(&games), in_order);
    }

    #[test]
    fn a_pair_that_is_missing_holds_the_decision_up() {
        let (header, mut games) = won();
        games.remove(2);
        let mut sequence = Sequence::new(&header);
        for game in &games {
            sequence.add(game);
        }
        assert_eq!((sequence.verdict(), sequence.pairs()), (None, 1));
    }
}
