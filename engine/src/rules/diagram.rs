use crate::core::Color;

/// A board as data, for programs that draw it: what [`Notation::board_drawing`](super::Notation::board_drawing) returns as text.
///
/// ```
/// use fauve_engine::core::Color;
/// use fauve_engine::rules::{Notation, chess::Chess};
///
/// let diagram = Chess::start(&Default::default()).diagram();
/// assert_eq!((diagram.files[0].as_str(), diagram.ranks[0].as_str()), ("a", "8"));
/// let corner = &diagram.rows[0][0];
/// assert_eq!((corner.name.as_str(), corner.piece), ("a8", Some((Color::Black, 'r'))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The names of the files, from the left as White sees them.
    pub files: Vec<String>,
    /// The names of the ranks, from the top as White sees them.
    pub ranks: Vec<String>,
    /// The squares, row by row from the top, each row from the left.
    pub rows: Vec<Vec<Spot>>,
    /// The numbers of files and ranks, in the same order, in games that people count from the middle.
    pub counted: Option<[Vec<i8>; 2]>,
}

/// A square of a [`Diagram`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// Its name in tokens, `e4`.
    pub name: String,
    /// What it is made of, in games where squares differ: a height from 1, `o` a trench, `.` nothing.
    pub ground: Option<char>,
    /// The piece on it: its side, and its letter in the case of its side.
    pub piece: Option<(Color, char)>,
    /// Whether the piece has been promoted, in games where that matters.
    pub is_promoted: bool,
}

impl Diagram {
    /// Returns the board as lines of text: file names below, rank names on the left, promoted pieces with `~`, no line break at
    /// the end. For boards without heights.
    pub(super) fn drawing(&self) -> String {
        let rule = format!("  +{}\n", "---+".repeat(self.files.len()));
        let mut text = rule.clone();
        for (rank, row) in self.ranks.iter().zip(&self.rows) {
            text.push_str(rank);
            text.push(' ');
            for spot in row {
                text.push_str("| ");
                text.push(spot.piece.map_or(' ', |(_, letter)| letter));
                text.push(if spot.is_promoted { '~' } else { ' ' });
            }
            text.push_str("|\n");
            text.push_str(&rule);
        }
        text.push_str("    ");
        text.push_str(&self.files.join("   "));
        text
    }
}
