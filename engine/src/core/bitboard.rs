use super::Square;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

/// A set of squares of the 8x8 board, bit 0 = a1.
///
/// ```
/// use fauve_engine::core::{Bitboard, Square};
/// let corners = Bitboard::FILE_A & (Bitboard::RANK_1 | Bitboard::RANK_8);
/// assert_eq!(corners.len(), 2);
/// assert!(corners.has(Square::new(0, 7)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// File a.
    pub const FILE_A: Self = Self(0x0101010101010101);
    /// File h.
    pub const FILE_H: Self = Self(0x8080808080808080);
    /// Rank 1.
    pub const RANK_1: Self = Self(0xff);
    /// Rank 8.
    pub const RANK_8: Self = Self(0xff << 56);

    /// The eight squares of rank 0..8.
    #[inline(always)]
    pub const fn rank(rank: u8) -> Self {
        Self(0xff << (rank * 8))
    }

    /// The eight squares of file 0..8.
    #[inline(always)]
    pub const fn file(file: u8) -> Self {
        Self(Self::FILE_A.0 << file)
    }

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the set has no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline(always)]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square of a set that is not empty (of the empty set: a1).
    #[inline(always)]
    pub const fn first(self) -> Square {
        Square::from_index(self.0.trailing_zeros() as u8)
    }

    /// The lowest square, if any.
    #[inline(always)]
    pub const fn try_first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(self.first())
        }
    }

    /// The set without its lowest square.
    #[inline(always)]
    pub const fn rest(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// The squares with their ranks counted from the other end.
    #[inline(always)]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// Every square one rank up (towards rank 8).
    #[inline(always)]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// Every square one rank down.
    #[inline(always)]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// Every square one file towards h.
    #[inline(always)]
    pub const fn east(self) -> Self {
        Self(self.0 << 1 & !Self::FILE_A.0)
    }

    /// Every square one file towards a.
    #[inline(always)]
    pub const fn west(self) -> Self {
        Self(self.0 >> 1 & !Self::FILE_H.0)
    }
}

macro_rules! operators {
    ($($op:ident $f:ident $opa:ident $fa:ident $e:tt;)*) => {$(
        impl $op for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $f(self, other: Self) -> Self { Self(self.0 $e other.0) }
        }
        impl $opa for Bitboard {
            #[inline(always)]
            fn $fa(&mut self, other: Self) { self.0 = self.0 $e other.0; }
        }
    )*};
}
operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Sub for Bitboard {
    type Output = Self;
    /// The difference of two sets.
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Iterator for Bitboard {
    type Item = Square;
    /// Takes the lowest square out of the set.
    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.try_first()?;
        *self = self.rest();
        Some(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
