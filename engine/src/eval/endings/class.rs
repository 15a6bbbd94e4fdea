//! Which place in the tables a position has.
//!
//! A class is the third man's kind, or none. Seen from the side that owns it (as White, pawns going up), the other king stands, by the
//! symmetries of the board, on files a to d, and without pawns in the triangle a1, d1, d4. A class has two tables, one for each side to
//! roll; with kings alone the sides are alike, and one is enough.

use crate::core::{Bitboard, Color, Kind, Square};
use crate::eval::symmetry;
use crate::rules::dice::{DiceChess, Options};
use crate::rules::{Board, CastlingRights, Chance, Rules};

/// The third man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class(pub(super) Option<Kind>);

/// The classes in the order in which they can be solved: each after those that its turns lead to.
pub(super) const CLASSES: [Class; 6] = [
    Class(None),
    Class(Some(Kind::Knight)),
    Class(Some(Kind::Bishop)),
    Class(Some(Kind::Rook)),
    Class(Some(Kind::Queen)),
    Class(Some(Kind::Pawn)),
];

/// A position of a class, as the tables have it: squares 0..64 after the symmetries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) class: Class,
    /// Whether the owner of the third man rolls next.
    pub(super) owner_rolls: bool,
    /// The king of the owner (with kings alone: of the side that rolls).
    king: u8,
    man: u8,
    /// The other king.
    other: u8,
}

impl Class {
    fn has_pawn(self) -> bool {
        self.0 == Some(Kind::Pawn)
    }

    /// The squares that the other king can stand on after the symmetries.
    const fn others(self) -> usize {
        match self.0 {
            Some(Kind::Pawn) => 32,
            _ => 10,
        }
    }

    /// The squares that are counted for the third man.
    const fn squares(self) -> usize {
        match self.0 {
            None => 1,
            Some(Kind::Pawn) => 48,
            Some(_) => 64,
        }
    }

    /// The length of one of its tables.
    const fn len(self) -> usize {
        self.others() * 64 * self.squares()
    }

    const fn tables(self) -> usize {
        if self.0.is_none() { 1 } else { 2 }
    }

    const fn number(self) -> usize {
        match self.0 {
            None => 0,
            Some(Kind::Knight) => 1,
            Some(Kind::Bishop) => 2,
            Some(Kind::Rook) => 3,
            Some(Kind::Queen) => 4,
            Some(_) => 5,
        }
    }

    /// Where its tables begin.
    const fn offset(self) -> usize {
        let (mut offset, mut n) = (0, 0);
        while n < self.number() {
            offset += CLASSES[n].len() * CLASSES[n].tables();
            n += 1;
        }
        offset
    }

    /// Every place of one of its tables, without those where two men share a square, with the number of each; if a rank is
    /// given only those where the third man stands on it.
    pub(super) fn places(self, rank: Option<u8>, owner_rolls: bool) -> Vec<(usize, Place)> {
        let man_squares: Vec<u8> = match self.0 {
            None => vec![64],
            Some(Kind::Pawn) => (8..56).collect(),
            Some(_) => (0..64).collect(),
        };
        let on_rank = |man: u8| rank.is_none_or(|rank| man / 8 == rank);
        let mut places = Vec::new();
        for other in 0..64 {
            for king in 0..64 {
                for &man in man_squares.iter().filter(|&&man| on_rank(man)) {
                    let place = Place {
                        class: self,
                        owner_rolls,
                        king,
                        man,
                        other,
                    };
                    let canonical = symmetry::is_canonical(other, self.has_pawn());
                    if king != other && man != other && man != king && canonical {
                        places.push((place.index(), place));
                    }
                }
            }
        }
        places
    }
}

/// The length of all tables.
pub(super) const TOTAL: usize = {
    let last = CLASSES[CLASSES.len() - 1];
    last.offset() + last.len() * last.tables()
};

impl Place {
    /// The same by the symmetries of the board.
    #[inline]
    fn canonical(self) -> Self {
        let [king, man, other] =
            symmetry::canonical([self.king, self.man, self.other], self.class.has_pawn());
        Self {
            king,
            man,
            other,
            ..self
        }
    }

    /// The number of a canonical place.
    #[inline]
    fn index(self) -> usize {
        let other = symmetry::number(self.other, self.class.has_pawn());
        let man = match self.class.0 {
            Some(Kind::Pawn) => usize::from(self.man) - 8,
            Some(_) => usize::from(self.man),
            None => 0,
        };
        let table = usize::from(self.class.0.is_some() && !self.owner_rolls);
        let class = self.class;
        let within = (other * 64 + usize::from(self.king)) * class.squares() + man;
        class.offset() + table * class.len() + within
    }

    /// The position, the owner of the third man being White.
    pub(super) fn position(self) -> DiceChess {
        let mut board = Board::<6>::default();
        board.toggle(Color::White, Kind::King, Square::from_index(self.king));
        board.toggle(Color::Black, Kind::King, Square::from_index(self.other));
        if let Some(kind) = self.class.0 {
            board.toggle(Color::White, kind, Square::from_index(self.man));
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

/// Where the tables have a position; `None` if they do not.
#[inline]
pub(super) fn index(position: &DiceChess) -> Option<usize> {
    let board = position.board();
    if !position.awaits_roll() || position.castling() != CastlingRights::default() {
        return None;
    }
    let side = position.side_to_move();
    let rest = board.occupied() - board.kind(Kind::King);
    if rest.many() {
        return None;
    }
    let man = rest.try_first();
    let owner = match man {
        Some(square) if board.color(Color::White).has(square) => Color::White,
        Some(_) => Color::Black,
        None => side,
    };
    let upright = |square: Square| match owner {
        Color::White => square.index() as u8,
        Color::Black => square.index() as u8 ^ 0x38,
    };
    let place = Place {
        class: Class(man.map(|square| board.kind_of_man(square))),
        owner_rolls: owner == side,
        king: upright(board.men(owner, Kind::King).try_first()?),
        man: man.map_or(0, upright),
        other: upright(board.men(!owner, Kind::King).try_first()?),
    };
    Some(place.canonical().index())
}
