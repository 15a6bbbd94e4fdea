use super::*;
use crate::rules::dice::{Options, Walker};
use crate::rules::{Chance, Notation};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    /// A board with a few to many men anywhere, kings near each other as often as not.
    fn board(&mut self) -> DiceChess {
        loop {
            let mut squares = [' '; 64];
            let men = [2, 4, 7, 12, 20][self.below(5)];
            let letters = ["PNBRQpnbrq", "PPPppp", "NBRQPP", "BBRRQQppN", "NNNPPPk"][self.below(5)];
            let letters: Vec<char> = letters.chars().filter(|&letter| letter != 'k').collect();
            for _ in 0..men {
                squares[self.below(64)] = letters[self.below(letters.len())];
            }
            squares[self.below(64)] = 'K';
            squares[self.below(64)] = 'k';
            let ranks: Vec<String> = squares
                .chunks(8)
                .map(|rank| rank.iter().collect())
                .collect();
            let mut board = ranks.join("/");
            for run in (1..=8).rev() {
                board = board.replace(&" ".repeat(run), &run.to_string());
            }
            let (side, rank) = [("w", 6), ("b", 3)][self.below(2)];
            let target = match self.below(3) {
                0 => format!("{}{rank}", (b'a' + self.below(8) as u8) as char),
                _ => "-".to_owned(),
            };
            let castling = ["-", "KQkq"][self.below(2)];
            let fen = format!("{board} {side} {castling} {target} 0 1");
            if let Ok(parsed) = DiceChess::from_fen(&fen, &Options::default())
                && parsed.position.decided().is_none()
            {
                return parsed.position;
            }
        }
    }
}

/// The rolls among whose results is one without the enemy king.
fn by_results(position: &DiceChess, walker: &mut Walker) -> u64 {
    let mut rolls = 0;
    let mut found = Vec::new();
    walker.start(position);
    for n in 0..DiceChess::rolls().len() {
        walker.results_of_roll(n, &mut found);
        let takes = |result| walker.position(result).decided().is_some();
        rolls |= u64::from(found.iter().any(takes)) << n;
    }
    rolls
}

fn compare(positions: usize, seed: u64) {
    let mut random = Random(seed);
    let mut walker = Walker::new();
    for _ in 0..positions {
        let position = random.board();
        let by = position.side_to_move();
        let expected = by_results(&position, &mut walker);
        let context = position.fen();
        assert_eq!(position.king_capturing_rolls(by), expected, "{context}");
        // Who needs no more than so many throws is told the truth about that.
        let all = weight_of(expected);
        for enough in [1, all.max(1), all + 1, random.below(216) as u32] {
            let Some(mut hunt) = KingHunt::new(&position, by) else {
                continue;
            };
            assert!(hunt.throws() <= all, "{context}");
            hunt.look_on(enough);
            if all < enough {
                assert_eq!(hunt.throws(), all, "{context}");
            } else {
                assert!((enough..=all).contains(&hunt.throws()), "{context}");
            }
        }
    }
}

#[test]
fn lines_of_all_lengths_equal_the_results_of_the_rolls() {
    compare(4_000, 1);
}

#[test]
#[ignore = "some minutes: cargo test --release -p fauve-engine king_capture -- --ignored"]
fn lines_of_all_lengths_equal_the_results_of_the_rolls_of_many_boards() {
    compare(400_000, 2);
}
