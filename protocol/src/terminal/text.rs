//! Boards in colour, scores in words.

use fauve_engine::core::Color;
use fauve_engine::rules::Notation;
use fauve_engine::search::Score;
use std::fmt::Write;
use std::io::{IsTerminal, stdout};

/// Whether standard output is a terminal that wants colours (<https://no-color.org>).
pub fn wants_color() -> bool {
    stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The board of a position and what there is to say beneath it, in colour if wanted.
pub fn board<G: Notation>(position: &G) -> String {
    if wants_color() {
        paint_board(&position.board_drawing()) + &position.board_notes()
    } else {
        position.board_text()
    }
}

/// Paints the men of a board drawing: White's letters bold and bright, Black's in red, cubes and labels dim. Lines
/// of labels (no man, no digit beside a letter) stay as they are, dimmed.
fn paint_board(text: &str) -> String {
    const WHITE: &str = "\x1b[1;97m";
    const BLACK: &str = "\x1b[1;31m";
    const DIM: &str = "\x1b[2m";
    const RESET: &str = "\x1b[0m";
    let mut painted = String::with_capacity(text.len() * 4);
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            painted.push('\n');
        }
        let is_label = line
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_whitespace());
        for letter in line.chars() {
            let style = match letter {
                _ if is_label => DIM,
                'A'..='Z' => WHITE,
                'a'..='z' => BLACK,
                '0'..='9' | '+' | '-' | '|' => DIM,
                _ => "",
            };
            if style.is_empty() {
                painted.push(letter);
            } else {
                write!(painted, "{style}{letter}{RESET}")
                    .expect("writing to a string does not fail");
            }
        }
    }
    painted
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
    fn paint_adds_nothing_but_paint() {
        let text = "  a b\n8 r .\n1 R .";
        let painted = paint_board(text);
        let mut bare = String::new();
        let mut escape = false;
        for letter in painted.chars() {
            match letter {
                '\x1b' => escape = true,
                'm' if escape => escape = false,
                letter if !escape => bare.push(letter),
                _ => {}
            }
        }
        assert_eq!(bare, text);
        assert!(painted.contains("\x1b[1;31mr"));
    }
}
