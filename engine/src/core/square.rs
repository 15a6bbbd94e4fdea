use super::Color;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A square of the 8x8 board, 0 (a1) to 63 (h8), rank by rank.
///
/// ```
/// use fauve_engine::core::Square;
///
/// let e4: Square = "e4".parse()?;
/// assert_eq!(e4, Square::new(4, 3));
/// assert_eq!((e4.file(), e4.rank(), e4.index()), (4, 3, 28));
/// assert_eq!(e4.to_string(), "e4");
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Square(u8);

impl Square {
    /// The square on file 0..8 (a..h) and rank 0..8 (1..8).
    #[inline(always)]
    pub const fn new(file: u8, rank: u8) -> Self {
        debug_assert!(file < 8 && rank < 8);
        Self((rank & 7) * 8 + (file & 7))
    }

    /// The square with index 0..64; higher bits are dropped.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// 0..64, always; the mask lets the compiler drop bounds checks of 64-entry tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 (file a) to 7 (file h).
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 (rank 1) to 7 (rank 8).
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        (self.0 >> 3) & 7
    }

    /// The square on the same file with the rank mirrored (a1 to a8).
    #[inline(always)]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 0x38)
    }

    /// The square as a side sees it: rank 1 nearest.
    ///
    /// ```
    /// use fauve_engine::core::{Color, Square};
    ///
    /// // One table of values, drawn from White's side, serves both.
    /// let seventh = |color, square: Square| square.seen_by(color).rank() == 6;
    /// assert!(seventh(Color::White, "c7".parse()?));
    /// assert!(seventh(Color::Black, "c2".parse()?));
    /// # Ok::<(), fauve_engine::core::UnknownSquare>(())
    /// ```
    #[inline(always)]
    pub const fn seen_by(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// The number of steps of a king to another square, 0 to 7.
    ///
    /// ```
    /// use fauve_engine::core::Square;
    /// let [a1, c8]: [Square; 2] = ["a1".parse()?, "c8".parse()?];
    /// assert_eq!(a1.distance(c8), 7);
    /// # Ok::<(), fauve_engine::core::UnknownSquare>(())
    /// ```
    #[inline(always)]
    pub fn distance(self, other: Self) -> u8 {
        let files = self.file().abs_diff(other.file());
        files.max(self.rank().abs_diff(other.rank()))
    }

    /// All squares, a1 first, h8 last.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = UnknownSquare;

    /// Reads `a1` to `h8`, lower case only, nothing else around it.
    fn from_str(text: &str) -> Result<Self, UnknownSquare> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::new(file - b'a', rank - b'1')),
            _ => Err(UnknownSquare),
        }
    }
}

/// The error of reading a square: the text is not one of `a1` to `h8`.
///
/// ```
/// use fauve_engine::core::{Square, UnknownSquare};
/// assert_eq!("i9".parse::<Square>(), Err(UnknownSquare));
/// assert_eq!(UnknownSquare.to_string(), "not a square from a1 to h8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownSquare;

impl fmt::Display for UnknownSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square from a1 to h8")
    }
}

impl Error for UnknownSquare {}
