use super::*;
use crate::rules::dice::Walker;
use crate::rules::dice::random::{Random, playable};
use crate::rules::{Chance, Notation};

impl Random {
    /// A board with a few to many pieces anywhere, kings near each other as often as not.
    fn position(&mut self) -> DiceChess {
        loop {
            let pieces = [2, 4, 7, 12, 20][self.below(5)];
            let letters = ["PNBRQpnbrq", "PPPppp", "NBRQPP", "BBRRQQppN", "NNNPPP"][self.below(5)];
            let letters = letters.as_bytes();
            let mut placed: Vec<char> = (0..pieces)
                .map(|_| char::from(letters[self.below(letters.len())]))
                .collect();
            placed.extend(['K', 'k']);
            let board = self.board(placed);
            let (side, rank) = [("w", 6), ("b", 3)][self.below(2)];
            let target = match self.below(3) {
                0 => format!("{}{rank}", (b'a' + self.below(8) as u8) as char),
                _ => "-".to_owned(),
            };
            let castling = ["-", "KQkq"][self.below(2)];
            if let Some(position) = playable(&format!("{board} {side} {castling} {target} 0 1")) {
                return position;
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
        let takes = |result| walker.position(result).winner().is_some();
        rolls |= u64::from(found.iter().any(takes)) << n;
    }
    rolls
}

fn compare(positions: usize, seed: u64) {
    let mut random = Random(seed);
    let mut walker = Walker::new();
    for _ in 0..positions {
        let position = random.position();
        let by = position.side_to_move();
        let expected = by_results(&position, &mut walker);
        let context = position.fen();
        assert_eq!(position.king_capturing_rolls(by), expected, "{context}");
        // A caller that needs only this number of throws gets a correct answer.
        let all = weight_of(expected);
        for enough in [1, all.max(1), all + 1, random.below(216) as u32] {
            let Some(mut hunt) = KingHunt::new(&position, by) else {
                continue;
            };
            assert!(hunt.throws() <= all, "{context}");
            hunt.count_up_to(enough);
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
