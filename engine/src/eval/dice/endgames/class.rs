//! Index of a position in the tables.
//!
//! A class is what stands beside the kings: nothing, a piece of one side (the owner), a piece of each (the owner has the stronger one), or
//! two pieces of one. Seen from the owner (as White, pawns going up), the other king stands, by the symmetries of the board, on files a to
//! d, and without pawns in the triangle a1, d1, d4. A class has two tables, one for each side to roll; where the sides are alike one is
//! enough.

use crate::core::{Bitboard, Color, Kind, Square};
use crate::eval::symmetry;
use crate::rules::dice::{DiceChess, Options};
use crate::rules::{Board, CastlingRights, Chance, Rules};
use std::fmt;

/// The pieces beside the kings: the owner's, and a second one. The first is no weaker than the second, and a pawn is alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class {
    pub(super) pieces: [Option<Kind>; 2],
    /// Whether the second piece is the owner's, too.
    pub(super) together: bool,
}

/// The classes in the order of the tables, in which they can be solved: each after those that its turns lead to.
pub(super) const CLASSES: [Class; COUNT] = {
    const KINDS: [Kind; 5] = [
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Queen,
        Kind::Pawn,
    ];
    let mut classes = [Class {
        pieces: [None; 2],
        together: false,
    }; COUNT];
    let mut first = 0;
    while first < KINDS.len() {
        let piece = Some(KINDS[first]);
        classes[1 + first].pieces = [piece, None];
        let mut second = 0;
        while second <= first && first < 4 {
            let mut pair = Class {
                pieces: [piece, Some(KINDS[second])],
                together: false,
            };
            classes[pair.number()] = pair;
            pair.together = true;
            classes[pair.number()] = pair;
            second += 1;
        }
        first += 1;
    }
    classes
};
/// The classes of at most three pieces; then come those of four.
pub(super) const OF_THREE: usize = 6;
/// The pairs of pieces.
const PAIRS: usize = 10;
const COUNT: usize = OF_THREE + 2 * PAIRS;

impl fmt::Display for Class {
    /// `KQRk`: the owner's pieces in capitals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.pieces.map(|piece| piece.map(Kind::letter));
        let letter = |piece: Option<char>| piece.map_or_else(String::new, String::from);
        let (first, second) = (letter(first), letter(second));
        if self.together {
            write!(f, "K{first}{second}k")
        } else {
            write!(f, "K{first}k{}", second.to_lowercase())
        }
    }
}

/// The number of a kind in the order of the classes: pieces by strength, then the pawn.
const fn order(kind: Kind) -> usize {
    match kind {
        Kind::Knight => 0,
        Kind::Bishop => 1,
        Kind::Rook => 2,
        Kind::Queen => 3,
        // The pawn: other pieces are not asked about.
        _ => 4,
    }
}

/// A position of a class, as the tables have it: squares 0..64 after the symmetries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) class: Class,
    /// Whether the owner rolls next.
    pub(super) owner_rolls: bool,
    /// The king of the owner (where the sides are alike: of the side that rolls), the two pieces, the other king; unspecified for an
    /// absent piece. Twins of one side stand in the order of their squares.
    squares: [u8; 4],
}

impl Class {
    const fn has_pawn(self) -> bool {
        matches!(self.pieces[0], Some(Kind::Pawn))
    }

    /// Whether both sides have the same.
    const fn is_even(self) -> bool {
        match self.pieces {
            [None, None] => true,
            _ => self.has_twins() && !self.together,
        }
    }

    /// Whether the two pieces are alike.
    const fn has_twins(self) -> bool {
        match self.pieces {
            [Some(first), Some(second)] => order(first) == order(second),
            _ => false,
        }
    }

    /// Its number in the order of the classes.
    const fn number(self) -> usize {
        match self.pieces {
            [None, _] => 0,
            [Some(piece), None] => 1 + order(piece),
            [Some(first), Some(second)] => {
                let first = order(first);
                let pair = first * (first + 1) / 2 + order(second);
                OF_THREE + pair + if self.together { PAIRS } else { 0 }
            }
        }
    }

    /// The pieces of its positions, kings included.
    pub(super) fn pieces_count(self) -> u32 {
        2 + self.pieces.iter().flatten().count() as u32
    }

    /// The squares that the other king can stand on after the symmetries.
    const fn others(self) -> usize {
        if self.has_pawn() { 32 } else { 10 }
    }

    /// The squares that are counted for the first or the second piece.
    const fn squares(self, piece: usize) -> usize {
        match self.pieces[piece] {
            None => 1,
            Some(Kind::Pawn) => 48,
            Some(_) => 64,
        }
    }

    /// The length of one of its tables.
    const fn len(self) -> usize {
        self.others() * 64 * self.squares(0) * self.squares(1)
    }

    const fn tables(self) -> usize {
        if self.is_even() { 1 } else { 2 }
    }

    /// The sides that its tables are for: whether the owner rolls.
    pub(super) fn sides(self) -> &'static [bool] {
        &[true, false][..self.tables()]
    }

    /// Where its tables begin.
    const fn offset(self) -> usize {
        OFFSETS[self.number()]
    }

    /// Every place of one of its tables, without those where two pieces share a square, with the number of each; if a rank is
    /// given only those where the first piece stands on it.
    pub(super) fn places(self, rank: Option<u8>, owner_rolls: bool) -> Vec<(usize, Place)> {
        let squares = |piece: usize| match self.pieces[piece] {
            None => NOWHERE..NOWHERE + 1,
            Some(Kind::Pawn) => 8..56,
            Some(_) => 0..64,
        };
        let on_rank = |piece: &u8| rank.is_none_or(|rank| piece / 8 == rank);
        let ordered = self.together && self.has_twins();
        let mut places = Vec::new();
        for other in (0..64).filter(|&other| symmetry::is_canonical(other, self.has_pawn())) {
            for king in (0..64).filter(|&king| king != other) {
                let is_free = |square: &u8| ![king, other].contains(square);
                for first in squares(0).filter(on_rank).filter(is_free) {
                    let differs = |&second: &u8| second != first || second == NOWHERE;
                    for second in squares(1).filter(is_free).filter(differs) {
                        if ordered && second < first {
                            continue;
                        }
                        let place = Place {
                            class: self,
                            owner_rolls,
                            squares: [king, first & 63, second & 63, other],
                        };
                        places.push((place.index(), place));
                    }
                }
            }
        }
        places
    }
}

/// The square of a piece that there is not.
const NOWHERE: u8 = 64;

/// Where the tables of each class begin, and the length of all.
pub(super) const OFFSETS: [usize; COUNT + 1] = {
    let mut offsets = [0; COUNT + 1];
    let mut n = 0;
    while n < COUNT {
        offsets[n + 1] = offsets[n] + CLASSES[n].len() * CLASSES[n].tables();
        n += 1;
    }
    offsets
};

/// The length of all tables.
pub(super) const TOTAL: usize = OFFSETS[COUNT];

impl Place {
    /// The same by the symmetries of the board.
    #[inline]
    fn canonical(self) -> Self {
        let mut squares = symmetry::canonical(self.squares, self.class.has_pawn());
        if self.class.together && self.class.has_twins() && squares[2] < squares[1] {
            squares.swap(1, 2);
        }
        Self { squares, ..self }
    }

    /// The number of a canonical place.
    #[inline]
    fn index(self) -> usize {
        let class = self.class;
        let [king, first, second, other] = self.squares.map(usize::from);
        let [first, second] = match class.pieces {
            [Some(Kind::Pawn), _] => [first - 8, 0],
            [Some(_), Some(_)] => [first, second],
            [Some(_), None] => [first, 0],
            [None, _] => [0, 0],
        };
        let kings = symmetry::number(other as u8, class.has_pawn()) * 64 + king;
        let within = (kings * class.squares(0) + first) * class.squares(1) + second;
        let table = usize::from(!self.owner_rolls && !class.is_even());
        class.offset() + table * class.len() + within
    }

    /// The position, the owner being White.
    pub(super) fn position(self) -> DiceChess {
        let [king, first, second, other] = self.squares.map(Square::from_index);
        let mut board = Board::<6>::default();
        board.toggle(Color::White, Kind::King, king);
        board.toggle(Color::Black, Kind::King, other);
        let owner = if self.class.together {
            Color::White
        } else {
            Color::Black
        };
        let pieces = [(Color::White, first), (owner, second)];
        for (kind, (color, square)) in self.class.pieces.into_iter().zip(pieces) {
            if let Some(kind) = kind {
                board.toggle(color, kind, square);
            }
        }
        let side = if self.owner_rolls {
            Color::White
        } else {
            Color::Black
        };
        DiceChess::from_parts(
            board,
            side,
            CastlingRights::default(),
            Bitboard::EMPTY,
            Options::default(),
        )
    }
}

/// The first two of some pieces; `None` if there are more.
#[inline]
fn two(pieces: Bitboard) -> Option<[Option<Square>; 2]> {
    let rest = pieces.rest();
    (!rest.many()).then(|| [pieces.try_first(), rest.try_first()])
}

/// Where the tables have a position; `None` if they do not.
#[inline]
pub(super) fn index(position: &DiceChess) -> Option<usize> {
    let board = position.board();
    if !position.awaits_roll() || position.castling() != CastlingRights::default() {
        return None;
    }
    let side = position.side_to_move();
    let kings = board.kind(Kind::King);
    let order_of = |square: Square| order(board.kind_of_piece(square));
    let mine = two(board.color(side) - kings)?;
    let theirs = two(board.color(!side) - kings)?;
    let (owner_rolls, pieces, together) = match (mine, theirs) {
        ([first, None], [None, _]) => (true, [first, None], false),
        ([None, _], [first, None]) => (false, [first, None], false),
        ([Some(my), None], [Some(their), None]) => {
            let owner_rolls = order_of(my) >= order_of(their);
            let pieces = if owner_rolls {
                [my, their]
            } else {
                [their, my]
            };
            (owner_rolls, pieces.map(Some), false)
        }
        ([Some(one), Some(more)], [None, _]) | ([None, _], [Some(one), Some(more)]) => {
            let in_order = order_of(one) >= order_of(more);
            let pieces = if in_order { [one, more] } else { [more, one] };
            (mine[0].is_some(), pieces.map(Some), true)
        }
        _ => return None,
    };
    let class = Class {
        pieces: pieces.map(|piece| piece.map(|square| board.kind_of_piece(square))),
        together,
    };
    if class.has_pawn() && class.pieces[1].is_some() {
        return None;
    }
    let owner = if owner_rolls { side } else { !side };
    let upright = |square: Square| match owner {
        Color::White => square.index() as u8,
        Color::Black => square.index() as u8 ^ 0x38,
    };
    let king = |color| board.pieces(color, Kind::King).try_first().map(upright);
    let [first, second] = pieces.map(|piece| piece.map_or(0, upright));
    let place = Place {
        class,
        owner_rolls,
        squares: [king(owner)?, first, second, king(!owner)?],
    };
    Some(place.canonical().index())
}
