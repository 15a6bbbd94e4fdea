//! A king and a piece each: where the tables have a position, and what it is worth.
//!
//! A class is a pair of kinds; its positions are those in which White has the first. Black's king stands, by the symmetries of the board, in the
//! triangle a1, d1, d4. A class of unlike pieces has two tables, one for each side to move; of two alike the one for White is enough.

use super::solve::{Leaving, Places};
use super::steps::{Pair, each_turn};
use super::three;
use crate::core::{Color, Kind, Square};
use crate::eval::symmetry;
use crate::rules::Rules;
use crate::rules::twomove::TwoMove;

/// The pieces, and the order of the first and the second of a class.
pub const PIECES: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
/// The classes.
pub const CLASSES: usize = PIECES.len() * (PIECES.len() + 1) / 2;
/// The length of the table of one side to move: Black's king, White's king, White's piece, Black's piece.
const LEN: usize = 10 << 18;

/// The kinds of White's piece and of Black's.
pub const fn kinds(class: usize) -> [Kind; 2] {
    let (mut first, mut left) = (0, class);
    while left >= PIECES.len() - first {
        left -= PIECES.len() - first;
        first += 1;
    }
    [PIECES[first], PIECES[first + left]]
}

/// Whether one table, White's to move, is enough for both sides.
const fn is_even(class: usize) -> bool {
    let [first, second] = kinds(class);
    first as usize == second as usize
}

/// The length of the tables of a class.
pub const fn len(class: usize) -> usize {
    if is_even(class) { LEN } else { 2 * LEN }
}

/// By two kinds the number of their class and 1 more, or 0.
static CLASS_OF: [[u8; 7]; 7] = {
    let (mut table, mut class) = ([[0; 7]; 7], 0);
    while class < CLASSES {
        let [first, second] = kinds(class);
        table[first as usize][second as usize] = class as u8 + 1;
        class += 1;
    }
    table
};

/// The number of a class, and whether its kinds are in this order.
fn class_of(first: Kind, second: Kind) -> Option<(usize, bool)> {
    let number = |one: Kind, two: Kind| usize::from(CLASS_OF[one.index()][two.index()]);
    let in_order = number(first, second);
    let class = in_order.max(number(second, first)).checked_sub(1)?;
    Some((class, in_order > 0))
}

/// Two pairs by the symmetries of a board with pawns or without: the number of Black's king, and the squares of White's king, White's piece
/// and Black's.
#[inline]
pub fn canonical(white: Pair, black: Pair, pawn: bool) -> [usize; 4] {
    let squares =
        [white.king, white.piece, black.piece, black.king].map(|square| square.index() as u8);
    let [king, piece, other_piece, other] = symmetry::canonical(squares, pawn);
    let [king, piece, other_piece] = [king, piece, other_piece].map(usize::from);
    [symmetry::number(other, pawn), king, piece, other_piece]
}

/// Where a table has two pairs, White's first.
#[inline]
fn index(white: Pair, black: Pair) -> usize {
    let [other, king, piece, other_piece] = canonical(white, black, false);
    other << 18 | king << 12 | piece << 6 | other_piece
}

/// The black king's squares by their numbers.
static OTHERS: [Square; 10] = {
    let mut squares = [Square::from_index(0); 10];
    let mut file = 0;
    while file < 4 {
        let mut rank = 0;
        while rank <= file {
            let square = Square::new(file, rank);
            squares[symmetry::number(square.index() as u8, false)] = square;
            rank += 1;
        }
        file += 1;
    }
    squares
};

/// A class, with the tables of three pieces.
pub struct Class<'a> {
    pub number: usize,
    pub three: &'a [u8],
}

impl Places for Class<'_> {
    const LEN: usize = LEN;

    fn kinds(&self) -> [Kind; 2] {
        kinds(self.number)
    }

    #[inline(always)]
    fn index(&self, white: Pair, black: Pair) -> usize {
        index(white, black)
    }

    #[inline(always)]
    fn decode(&self, place: usize) -> [Pair; 2] {
        let square = |shift: u32| Square::from_index((place >> shift & 63) as u8);
        let white = Pair {
            king: square(12),
            piece: square(6),
        };
        let black = Pair {
            king: OTHERS[place >> 18],
            piece: square(0),
        };
        [white, black]
    }

    /// By the long diagonal, if Black's king stands on it.
    #[inline(always)]
    fn twin(&self, place: usize) -> usize {
        let black = OTHERS[place >> 18];
        if black.file() != black.rank() {
            return place;
        }
        // Files and ranks exchanged.
        let turned = |shift: u32| (place >> shift & 7) << 3 | place >> (shift + 3) & 7;
        place >> 18 << 18 | turned(12) << 12 | turned(6) << 6 | turned(0)
    }

    fn leaving(&self, side: usize, pairs: [Pair; 2]) -> Leaving {
        taking(self.three, self.kinds()[side], pairs[side], pairs[1 - side])
    }
}

/// Computes the results of the turns by which a king and its piece capture the other piece, of kind `kind` (not a pawn).
pub fn taking(three: &[u8], kind: Kind, own: Pair, other: Pair) -> Leaving {
    let mut leaving = Leaving::default();
    each_turn(kind, own, other, &mut |after, took| {
        // The king alone takes the other king from two squares away.
        if took && after.king.distance(other.king) > 2 {
            let turns = three::turns_of_lone_king(three, kind, after, other.king);
            leaving.add(turns.map_or(0, |turns| turns + 1));
        }
    });
    leaving
}

/// Two pieces beside the kings, one of each side: White's pair and its kind, then Black's.
pub fn pairs_of(position: &TwoMove) -> Option<[(Pair, Kind); 2]> {
    let board = position.board();
    let kings = board.kind(Kind::King);
    let pair = |color| {
        let piece = (board.color(color) - kings).try_first()?;
        let king = board.king(color);
        Some((Pair { king, piece }, board.kind_of_piece(piece)))
    };
    Some([pair(Color::White)?, pair(Color::Black)?])
}

/// Where the tables have a position between two turns in which no pair, White's first, has a pawn: the class, and the place in its tables.
pub fn place_of(
    position: &TwoMove,
    [mut first, mut second]: [(Pair, Kind); 2],
) -> Option<(usize, usize)> {
    let (class, in_order) = class_of(first.1, second.1)?;
    let mut white_moves = position.side_to_move() == Color::White;
    // Without pawns colours are only names.
    if !in_order || is_even(class) && !white_moves {
        (first, second, white_moves) = (second, first, !white_moves);
    }
    let [(white, _), (black, _)] = [first, second];
    let table = if white_moves { 0 } else { LEN };
    Some((class, table + index(white, black)))
}
