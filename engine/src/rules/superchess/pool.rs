use crate::core::{Color, Kind, Kinds};
use crate::rules::Board;
use std::fmt::Write;

/// The pieces that pawns of each side can become: of each kind at most as many as the set has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pool([u16; 2]);

impl Pool {
    /// The kinds that a pool can hold, in the order of FEN's brackets.
    pub const KINDS: [Kind; 7] = [
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Queen,
        Kind::Empress,
        Kind::Princess,
        Kind::Veteran,
    ];

    /// How many pieces of a kind a side's set has. As long as a side has pieces of the kind in its pool, these and the unpromoted
    /// ones on the board are no more than that together.
    #[inline(always)]
    pub const fn set(kind: Kind) -> u32 {
        match kind {
            Kind::Knight | Kind::Bishop | Kind::Rook => 2,
            Kind::Queen | Kind::Empress | Kind::Princess | Kind::Veteran => 1,
            Kind::Pawn | Kind::King | Kind::Amazon => 0,
        }
    }

    /// The pieces available if only the board is given: the set less the side's pieces on it, none where more are
    /// on the board than the set has.
    pub fn of_board(board: &Board<10>) -> Self {
        let mut pool = Self::default();
        for color in Color::ALL {
            for kind in Self::KINDS {
                let on_board = board.pieces(color, kind).len();
                pool.change(color, kind, Self::set(kind).saturating_sub(on_board) as i32);
            }
        }
        pool
    }

    /// The pool with the colours exchanged.
    pub(super) const fn flipped(self) -> Self {
        let [white, black] = self.0;
        Self([black, white])
    }

    /// How many pieces of a kind a side can still promote to.
    #[inline(always)]
    pub const fn count(self, color: Color, kind: Kind) -> u32 {
        (self.0[color.index()] >> shift(kind) & 3) as u32
    }

    /// The counts of a side, two bits for each of [`Pool::KINDS`], those of the first kind lowest.
    #[inline(always)]
    pub const fn counts(self, color: Color) -> u16 {
        self.0[color.index()]
    }

    /// Whether a side has nothing to promote to.
    #[inline(always)]
    pub const fn is_empty(self, color: Color) -> bool {
        self.0[color.index()] == 0
    }

    /// The kinds that a side can promote to.
    #[inline]
    pub fn kinds(self, color: Color) -> Kinds {
        Self::KINDS
            .into_iter()
            .filter(|&kind| self.count(color, kind) > 0)
            .collect()
    }

    /// Adds pieces of a kind, or takes them away. The result must be 0..=3.
    #[inline(always)]
    pub(super) const fn change(&mut self, color: Color, kind: Kind, by: i32) {
        let counts = self.0[color.index()] as i32 + (by << shift(kind));
        self.0[color.index()] = counts as u16;
    }

    /// The text of the brackets, `NNRRnnrr`.
    pub(super) fn letters(self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for kind in Self::KINDS {
                let letter = color.fen_char(kind.letter());
                for _ in 0..self.count(color, kind) {
                    text.write_char(letter)
                        .expect("writing to a string does not fail");
                }
            }
        }
        text
    }
}

/// Where the two bits of a kind's count lie. Kinds that no pool holds share two bits that stay 0.
#[inline(always)]
const fn shift(kind: Kind) -> u8 {
    const SHIFTS: [u8; 10] = [14, 0, 2, 4, 6, 14, 14, 8, 10, 12];
    SHIFTS[kind.index()]
}
