//! Scores, lines and counts in words.

use fauve_engine::core::Color;
use fauve_engine::rules::{Notation, Turn, turn_san};
use fauve_engine::search::Score;
use std::io::{IsTerminal, stdout};

/// Whether standard output is a terminal that wants colours (<https://no-color.org>).
pub fn wants_color() -> bool {
    stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A score as people read it: `+0.35`, `#3`, `-#2`.
pub fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(turns) if turns > 0 => format!("#{turns}"),
        Score::Mate(turns) => format!("-#{}", -turns),
    }
}

/// The score of the same position from the other side's point of view.
pub fn from_white(score: Score, mover: Color) -> Score {
    match (mover, score) {
        (Color::White, score) => score,
        (Color::Black, Score::Cp(cp)) => Score::Cp(-cp),
        (Color::Black, Score::Mate(turns)) => Score::Mate(-turns),
    }
}

/// A line of turns in the notation that people read.
pub fn line_san<G: Notation>(root: &G, turns: &[Turn<G::Step>]) -> String {
    let mut position = *root;
    let mut text = String::new();
    for turn in turns {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&turn_san(&position, turn));
        turn.iter().for_each(|&step| position.play(step));
    }
    text
}

/// A number of nodes in few letters: `9999`, `10k`, `12M`.
pub fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// A figure with its sign and so many digits; nothing is `+0.00`, never `-0.00`.
pub fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => format!("+{rest}"),
        _ => text,
    }
}

/// The expected points, 0 to 1, of win, draw and loss per mille.
pub fn expectation(wdl: [u16; 3]) -> f64 {
    (f64::from(wdl[0]) + f64::from(wdl[1]) / 2.0) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_read_as_chess_players_write_them() {
        assert_eq!(score_text(Score::Cp(35)), "+0.35");
        assert_eq!(score_text(Score::Mate(3)), "#3");
        assert_eq!(score_text(from_white(Score::Mate(3), Color::Black)), "-#3");
        assert!((expectation([500, 300, 200]) - 0.65).abs() < 1e-9);
    }

    #[test]
    fn counts_are_short_and_nothing_is_minus_nothing() {
        assert_eq!(
            [count(9999), count(10_000), count(12_345_678)],
            ["9999", "10k", "12M"]
        );
        assert_eq!(signed(-0.0001, 3), "+0.000");
        assert_eq!(signed(-0.25, 3), "-0.250");
    }
}
