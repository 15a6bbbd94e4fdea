//! Boards on a terminal: from a player's side, the last turn marked, checkered where there are colours.

use super::text::wants_color;
use fauve_engine::core::Color;
use fauve_engine::rules::{Notation, Spot};
use std::fmt::Write;

/// How a board is looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// Whether Black sits below.
    pub is_flipped: bool,
    /// The names of the squares that the last turn has touched.
    pub marked: Vec<String>,
    /// Whether it is painted; else it is drawn with letters, dots and brackets.
    pub in_color: bool,
}

impl View {
    /// As a side sees it, painted if standard output is a terminal.
    pub fn of(side: Color, last_turn: &str) -> Self {
        Self {
            is_flipped: side == Color::Black,
            marked: squares_of(last_turn),
            in_color: wants_color(),
        }
    }
}

/// The squares that a token names: `e8@f9` has two.
fn squares_of(token: &str) -> Vec<String> {
    let letters: Vec<char> = token.chars().collect();
    let mut squares = Vec::new();
    for (place, letter) in letters.iter().enumerate() {
        let digits: String = letters[place + 1..]
            .iter()
            .take_while(|letter| letter.is_ascii_digit())
            .collect();
        if letter.is_ascii_lowercase() && !digits.is_empty() {
            squares.push(format!("{letter}{digits}"));
        }
    }
    squares
}

/// The board, a line per rank and one of files, without a line break at its end. Every square takes three columns, or four
/// where squares have heights. Numbers counted from the middle stand on the other sides, where a game has them.
pub fn draw<G: Notation>(position: &G, view: &View) -> String {
    let diagram = position.diagram();
    let (mut files, mut ranks, mut rows) = (diagram.files, diagram.ranks, diagram.rows);
    let mut counted = diagram.counted;
    if view.is_flipped {
        files.reverse();
        ranks.reverse();
        counted
            .iter_mut()
            .flatten()
            .for_each(|numbers| numbers.reverse());
        rows.reverse();
        for row in &mut rows {
            row.reverse();
        }
    }
    let has_heights = rows.iter().flatten().any(|spot| spot.ground.is_some());
    let width = if has_heights { 4 } else { 3 };
    let mut text = String::new();
    if let Some([numbers, _]) = &counted {
        text.push_str("     ");
        for file in numbers {
            let _ = write!(text, "{file:^width$}");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    for (y, (rank, row)) in ranks.iter().zip(&rows).enumerate() {
        let _ = write!(text, "{rank:>4} ");
        for (x, spot) in row.iter().enumerate() {
            let is_marked = view.marked.contains(&spot.name);
            if view.in_color {
                paint(&mut text, spot, is_marked, (x + y) % 2 == 0);
            } else {
                letters(&mut text, spot, is_marked);
            }
        }
        if let Some([_, numbers]) = &counted {
            let _ = write!(text, " {:>3}", numbers[y]);
        }
        text.push('\n');
    }
    text.push_str("     ");
    for file in &files {
        let _ = write!(text, "{file:^width$}");
    }
    text.truncate(text.trim_end().len());
    text
}

/// A square without colours: `[P]` the last turn's, `.` an empty one, `2r` a piece on a height.
fn letters(text: &mut String, spot: &Spot, is_marked: bool) {
    let (open, close) = if is_marked { ('[', ']') } else { (' ', ' ') };
    text.push(open);
    match (spot.ground, spot.piece) {
        (Some('.'), None) => text.push_str("  "),
        (Some(ground), piece) => {
            text.push(ground);
            text.push(piece.map_or(' ', |(_, letter)| letter));
        }
        (None, piece) => text.push(piece.map_or('.', |(_, letter)| letter)),
    }
    text.push(if spot.is_promoted && !is_marked {
        '~'
    } else {
        close
    });
}

/// A square in colours. Both that of the square and that of the piece are set, so that the terminal's own, light or dark, do not
/// matter: White's pieces are white, Black's are black, on squares of middle brightness (contrasts are tested in `tests/screen/look.rs`).
fn paint(text: &mut String, spot: &Spot, is_marked: bool, is_light: bool) {
    let ground = match (spot.ground, is_marked, is_light) {
        // Beside the board.
        (Some('.'), false, _) => return text.push_str("    "),
        (_, true, true) => 136,
        (_, true, false) => 94,
        // Trenches and heights: the higher the brighter.
        (Some('o'), false, _) => 241,
        (None, false, false) | (Some('1'), false, _) => 60,
        (None, false, true) | (Some('2'), false, _) => 67,
        (Some(_), false, _) => 103,
    };
    let style = match spot.piece {
        Some((Color::White, _)) => "1;38;5;231",
        Some((Color::Black, _)) => "1;38;5;16",
        None => "38;5;252",
    };
    let piece = spot.piece.map_or(' ', |(_, letter)| letter);
    let behind = if spot.is_promoted { '~' } else { ' ' };
    let _ = match spot.ground {
        Some(height) => write!(
            text,
            "\x1b[48;5;{ground};38;5;229m {height}\x1b[{style}m{piece}{behind}\x1b[0m"
        ),
        None => write!(text, "\x1b[48;5;{ground};{style}m {piece}{behind}\x1b[0m"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::rules::chess::{Chess, Options};
    use fauve_engine::rules::{Rules, parse_turn};

    #[test]
    fn tokens_name_their_squares() {
        assert_eq!(squares_of("e8@f9"), ["e8", "f9"]);
        assert_eq!(squares_of("d2d4,c1f4"), ["d2", "d4", "c1", "f4"]);
        assert_eq!(squares_of("e10f11q"), ["e10", "f11"]);
        assert_eq!(squares_of("S@d8,b8h8"), ["d8", "b8", "h8"]);
        assert!(squares_of("0000").is_empty() && squares_of("right").is_empty());
    }

    #[test]
    fn a_board_stands_as_its_player_sees_it() {
        let mut position = Chess::start(&Options::default());
        for step in parse_turn(&position, "e2e4").expect("legal") {
            position.play(step);
        }
        let view = |side| View {
            in_color: false,
            ..View::of(side, "e2e4")
        };
        let white = draw(&position, &view(Color::White));
        let lines: Vec<&str> = white.lines().collect();
        assert_eq!(lines[0], "   8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], "   4  .  .  .  . [P] .  .  . ");
        assert_eq!(lines[8], "      a  b  c  d  e  f  g  h");
        let black = draw(&position, &view(Color::Black));
        assert!(
            black.starts_with("   1  R  N  B  K  Q  B  N  R "),
            "{black}"
        );
        assert!(black.ends_with("h  g  f  e  d  c  b  a"), "{black}");
        let painted = View {
            in_color: true,
            ..view(Color::White)
        };
        let painted = draw(&position, &painted);
        assert_eq!(
            crate::terminal::width(painted.lines().next().expect("a line")),
            29
        );
    }
}
