//! A king and a pawn against a king and a piece: where the tables have a position, and what it is worth.
//!
//! The pawn's owner is seen as White. A class is the kind of Black's piece; its positions are solved by ranks of the pawn from the seventh
//! down, each after what the pawn's steps lead to. Black's king stands on files a to d by the symmetry of the board.

use super::Place;
use super::four::{PIECES, canonical, taking};
use super::solve::{self, Counts, Leaving, Places, position};
use super::steps::Pair;
use crate::core::{Color, Kind, Square};
use crate::rules::twomove::TwoMove;
use crate::rules::{Rules, for_each_turn};

/// The classes.
pub const CLASSES: usize = PIECES.len();
/// Ranks that a pawn stands on.
pub const RANKS: usize = 6;
/// Places of one rank of the pawn with one side to move: Black's king, White's king, the pawn's file, Black's piece.
const RANK: usize = 32 << 15;
/// The length of the tables of a class and a rank: White to move, then Black.
pub const LEN: usize = 2 * RANK;

/// The kinds of White's piece, the pawn, and of Black's.
pub const fn kinds(class: usize) -> [Kind; 2] {
    [Kind::Pawn, PIECES[class]]
}

/// The place among those with the pawn on its rank.
#[inline]
fn index(white: Pair, black: Pair) -> usize {
    let [other, king, pawn, piece] = canonical(white, black, true);
    other << 15 | king << 9 | (pawn % 8) << 6 | piece
}

/// The square of Black's king by its number on files a to d.
pub fn on_left_half(number: usize) -> Square {
    Square::new((number % 4) as u8, (number / 4) as u8)
}

/// Where the tables have a position between two turns in which one of these pairs has a pawn: the number of class and rank, in the order in which they are solved, and
/// the place in their tables.
pub fn place_of(position: &TwoMove, mut pairs: [(Pair, Kind); 2]) -> Option<(usize, usize)> {
    let mut owner = Color::White;
    if pairs[1].1 == Kind::Pawn {
        pairs.swap(0, 1);
        owner = Color::Black;
    }
    let [(white, _), (black, kind)] = pairs;
    let class = PIECES.iter().position(|&piece| piece == kind)?;
    let [white, black] = [white, black].map(|pair| Pair {
        king: pair.king.seen_by(owner),
        piece: pair.piece.seen_by(owner),
    });
    let side = usize::from(position.side_to_move() != owner);
    let number = class * RANKS + RANKS - usize::from(white.piece.rank());
    Some((number, side * RANK + index(white, black)))
}

/// The positions of a class with the pawn on a rank, and all that was solved before.
struct OnRank<'a> {
    class: usize,
    /// 1 to 6.
    rank: u8,
    solved: &'a [Vec<u8>],
}

impl Places for OnRank<'_> {
    const LEN: usize = RANK;

    fn kinds(&self) -> [Kind; 2] {
        kinds(self.class)
    }

    #[inline(always)]
    fn index(&self, white: Pair, black: Pair) -> usize {
        index(white, black)
    }

    #[inline(always)]
    fn decode(&self, place: usize) -> [Pair; 2] {
        let square = |shift: u32| Square::from_index((place >> shift & 63) as u8);
        let white = Pair {
            king: square(9),
            piece: Square::new((place >> 6 & 7) as u8, self.rank),
        };
        let black = Pair {
            king: on_left_half(place >> 15),
            piece: square(0),
        };
        [white, black]
    }

    fn leaving(&self, side: usize, pairs: [Pair; 2]) -> Leaving {
        let [white, black] = pairs;
        if side == 1 {
            return taking(&self.solved[0], PIECES[self.class], black, white);
        }
        leaving_pawns(self.kinds(), pairs, side, |after| {
            let found = super::place_of(after);
            // What no table has is a bishop against a king.
            found.map_or(0, |Place { section, index }| self.solved[section][index])
        })
    }
}

/// What the turns of a side lead to by which a pawn steps or something is taken, as the rules make them; `value` knows of the position
/// after one: 0 drawn, otherwise the turns of both sides to the mate and 1 more.
pub fn leaving_pawns(
    kinds: [Kind; 2],
    pairs: [Pair; 2],
    side: usize,
    value: impl Fn(&TwoMove) -> u8,
) -> Leaving {
    let mut leaving = Leaving::default();
    if let Some(position) = position(kinds, pairs, side) {
        let pawns = position.board().kind(Kind::Pawn);
        for_each_turn(&position, &mut |_, after| {
            let board = after.board();
            if board.kind(Kind::Pawn) != pawns || board.occupied().len() < 4 {
                leaving.add(value(after));
            }
        });
    }
    leaving
}

/// The tables of a class and a rank by its number, 0 the seventh; `solved` are all sections before.
pub fn solve(class: usize, number: usize, solved: &[Vec<u8>]) -> (Vec<u8>, [Counts; 2]) {
    let rank = (RANKS - number) as u8;
    let ([mut both, black], counts) = solve::solve(&OnRank {
        class,
        rank,
        solved,
    });
    both.extend(black);
    (both, counts)
}
