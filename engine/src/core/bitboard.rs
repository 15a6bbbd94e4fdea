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
    ///
    /// ```
    /// use fauve_engine::core::Bitboard;
    /// let middle = Bitboard::file(3) | Bitboard::file(4);
    /// let centre = middle & (Bitboard::rank(3) | Bitboard::rank(4));
    /// assert_eq!(format!("{centre:?}"), "{d4, e4, d5, e5}");
    /// ```
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
    ///
    /// ```
    /// use fauve_engine::core::{Bitboard, Color, Kind};
    /// use fauve_engine::rules::{Notation, chess::Chess};
    ///
    /// // Cheaper than counting, and all that "has the pair of bishops" needs.
    /// let start = Chess::start(&Default::default());
    /// assert!(start.board().pieces(Color::White, Kind::Bishop).many());
    /// assert!(!start.board().pieces(Color::White, Kind::Queen).many());
    /// ```
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
    ///
    /// ```
    /// use fauve_engine::core::Bitboard;
    /// assert_eq!(Bitboard::RANK_8.try_first(), Some("a8".parse()?));
    /// assert_eq!(Bitboard::EMPTY.try_first(), None);
    /// # Ok::<(), fauve_engine::core::UnknownSquare>(())
    /// ```
    #[inline(always)]
    pub const fn try_first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(self.first())
        }
    }

    /// The set without its lowest square.
    ///
    /// ```
    /// use fauve_engine::core::Bitboard;
    ///
    /// // Walking over a set by hand; `for square in set` does the same.
    /// let (mut set, mut seen) = (Bitboard::RANK_1 & !Bitboard::FILE_A, 0);
    /// while set.any() {
    ///     seen += 1;
    ///     set = set.rest();
    /// }
    /// assert_eq!(seen, 7);
    /// ```
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
    ///
    /// ```
    /// use fauve_engine::core::Bitboard;
    ///
    /// // All double steps of White's pawns on an empty board, at once.
    /// let pawns = Bitboard::rank(1);
    /// let once = pawns.north();
    /// let twice = (once & Bitboard::rank(2)).north();
    /// assert_eq!(twice, Bitboard::rank(3));
    /// // What is moved over the edge is gone.
    /// assert!(Bitboard::RANK_8.north().is_empty());
    /// ```
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
    ///
    /// ```
    /// use fauve_engine::core::Bitboard;
    ///
    /// // Nothing wraps round from file h to file a.
    /// assert!(Bitboard::FILE_H.east().is_empty());
    /// assert_eq!(Bitboard::FILE_A.east(), Bitboard::file(1));
    /// ```
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
    ///
    /// ```
    /// use fauve_engine::core::Bitboard;
    /// let rim = Bitboard::RANK_1 | Bitboard::RANK_8 | Bitboard::FILE_A | Bitboard::FILE_H;
    /// assert_eq!((Bitboard::ALL - rim).len(), 36);
    /// ```
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Iterator for Bitboard {
    type Item = Square;
    /// Takes the lowest square out of the set.
    ///
    /// ```
    /// use fauve_engine::core::{Bitboard, Square};
    ///
    /// // A set is its own iterator, from a1 to h8, and what an iterator of squares can be collected into.
    /// let dark: Bitboard = Square::all().filter(|s| (s.file() + s.rank()) % 2 == 0).collect();
    /// let first: Vec<String> = dark.take(3).map(|s| s.to_string()).collect();
    /// assert_eq!(first, ["a1", "c1", "e1"]);
    /// ```
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
