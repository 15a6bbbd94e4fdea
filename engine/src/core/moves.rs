use super::{Kind, Square};
use std::fmt;

/// One move of a piece on the 8x8 board in two bytes: from, to, and what a pawn becomes. Castling is the king's move
/// (`e1g1`). The default value, a1 to a1, is no move.
///
/// ```
/// use fauve_engine::core::{Kind, Move, Square};
///
/// let [e7, e8]: [Square; 2] = ["e7".parse()?, "e8".parse()?];
/// assert_eq!(Move::new(e7, e8).to_string(), "e7e8");
/// let promoting = Move::promoting(e7, e8, Kind::Knight);
/// assert_eq!(promoting.to_string(), "e7e8n");
/// assert_eq!((promoting.from(), promoting.to()), (e7, e8));
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

impl Move {
    /// A move without promotion.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// A pawn's move to the last rank, where it becomes `kind` (not a pawn).
    #[inline(always)]
    pub const fn promoting(from: Square, to: Square, kind: Kind) -> Self {
        Self(Self::new(from, to).0 | (kind as u16) << 12)
    }

    /// The two bytes: from in bits 0 to 5, to in 6 to 11, the index of what a pawn becomes (or 0) above.
    ///
    /// ```
    /// use fauve_engine::core::{Kind, Move, Square};
    ///
    /// // Small enough to be kept by the million.
    /// let step = Move::promoting(Square::new(0, 6), Square::new(1, 7), Kind::Queen);
    /// assert_eq!(Move::from_bits(step.bits()), step);
    /// assert_eq!(size_of::<Move>(), 2);
    /// ```
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move with these [`Move::bits`].
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Where it starts.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index((self.0 & 63) as u8)
    }

    /// Where it ends.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6 & 63) as u8)
    }

    /// What the pawn becomes, if it promotes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Kind> {
        match self.0 >> 12 {
            1 => Some(Kind::Knight),
            2 => Some(Kind::Bishop),
            3 => Some(Kind::Rook),
            4 => Some(Kind::Queen),
            5 => Some(Kind::King),
            6 => Some(Kind::Amazon),
            7 => Some(Kind::Empress),
            8 => Some(Kind::Princess),
            9 => Some(Kind::Veteran),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    /// The token, `e2e4` or `e7e8q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
