//! Random rolls and boards for tests.

use super::DiceChess;
use crate::rules::dice::Options;
use crate::rules::{Notation, Roll, Rules};

/// A linear congruential generator: the same positions in every run.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    /// Three dice.
    pub fn roll(&mut self) -> Roll {
        let mut face = || self.below(6) as u8 + 1;
        Roll::new([face(), face(), face()]).unwrap()
    }

    /// The board field of a position string with these pieces anywhere; a later one may take the place of an earlier one.
    pub fn board(&mut self, pieces: impl IntoIterator<Item = char>) -> String {
        let mut squares = [' '; 64];
        for letter in pieces {
            squares[self.below(64)] = letter;
        }
        let ranks: Vec<String> = squares
            .chunks(8)
            .map(|rank| rank.iter().collect())
            .collect();
        (1..=8).rev().fold(ranks.join("/"), |board, run| {
            board.replace(&" ".repeat(run), &run.to_string())
        })
    }
}

/// The position of a string, if it is one that play goes on from.
pub fn playable(fen: &str) -> Option<DiceChess> {
    let parsed = DiceChess::from_fen(fen, &Options::default()).ok()?;
    (parsed.position.winner().is_none()).then_some(parsed.position)
}
