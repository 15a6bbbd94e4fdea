//! A king and a piece each: where the tables have a position, and what it is worth.
//!
//! A class is a pair of kinds; its positions are those in which White has the first. Black's king stands, by the symmetries of the board, in the
//! triangle a1, d1, d4. A class of unlike pieces has two tables, one for each side to move; of two alike the one for White is enough.

use super::steps::Pair;
use crate::core::{Color, Kind, Square};
use crate::eval::symmetry;
use crate::rules::Rules;
use crate::rules::twomove::TwoMove;

/// The pieces, and the order of the first and the second of a class.
const PIECES: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
/// The classes.
pub const CLASSES: usize = PIECES.len() * (PIECES.len() + 1) / 2;
/// The length of the table of one side to move: Black's king, White's king, White's piece, Black's piece.
pub const LEN: usize = 10 << 18;

/// The kinds of White's piece and of Black's.
pub const fn kinds(class: usize) -> [Kind; 2] {
    let (mut first, mut left) = (0, class);
    while left >= PIECES.len() - first {
        left -= PIECES.len() - first;
        first += 1;
    }
    [PIECES[first], PIECES[first + left]]
}

/// How many tables a class has.
pub const fn tables(class: usize) -> usize {
    let [first, second] = kinds(class);
    if first as usize == second as usize {
        1
    } else {
        2
    }
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

/// Where a table has two pairs, White's first.
#[inline]
pub fn index(white: Pair, black: Pair) -> usize {
    let number = |square: Square| square.index() as u8;
    let squares = [white.king, white.man, black.man, black.king].map(number);
    let [king, man, other_man, other] = symmetry::canonical(squares, false);
    symmetry::number(other, false) << 18
        | usize::from(king) << 12
        | usize::from(man) << 6
        | usize::from(other_man)
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

/// The pairs of a place, White's first.
pub fn decode(index: usize) -> [Pair; 2] {
    let square = |shift: u32| Square::from_index((index >> shift & 63) as u8);
    let white = Pair {
        king: square(12),
        man: square(6),
    };
    let black = Pair {
        king: OTHERS[index >> 18],
        man: square(0),
    };
    [white, black]
}

/// The other place of the same position by the long diagonal, if Black's king stands on it; otherwise the place itself.
pub fn twin(index: usize) -> usize {
    let black = OTHERS[index >> 18];
    if black.file() != black.rank() {
        return index;
    }
    // Files and ranks exchanged.
    let turned = |shift: u32| (index >> shift & 7) << 3 | index >> (shift + 3) & 7;
    index >> 18 << 18 | turned(12) << 12 | turned(6) << 6 | turned(0)
}

/// Where the tables have a position between two turns with four men: the class, and the place in its tables.
pub fn place_of(position: &TwoMove) -> Option<(usize, usize)> {
    let board = position.board();
    let kings = board.kind(Kind::King);
    let pair = |color| {
        let man = (board.color(color) - kings).try_first()?;
        Some((board.king(color), man, board.kind_of_man(man)))
    };
    let (mut first, mut second) = (pair(Color::White)?, pair(Color::Black)?);
    let (class, in_order) = class_of(first.2, second.2)?;
    let mut white_moves = position.side_to_move() == Color::White;
    // Without pawns colours are only names.
    if !in_order || first.2 == second.2 && !white_moves {
        (first, second, white_moves) = (second, first, !white_moves);
    }
    let [white, black] = [first, second].map(|(king, man, _)| Pair { king, man });
    let table = if white_moves { 0 } else { LEN };
    Some((class, table + index(white, black)))
}
