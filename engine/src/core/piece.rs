/// A kind of piece of the 8x8 games. Chess, two-move chess and DiceChess use the first six, Superchess all ten, so
/// that a board of `N` kinds is indexed by [`Kind::index`] with `N` 6 or 10.
///
/// ```
/// use fauve_engine::core::Kind;
///
/// let letters: String = Kind::ALL.iter().map(|kind| kind.letter()).collect();
/// assert_eq!(letters, "PNBRQKAESV");
/// assert!(Kind::CHESS.contains(&Kind::Queen) && !Kind::CHESS.contains(&Kind::Amazon));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// P.
    Pawn = 0,
    /// N.
    Knight,
    /// B.
    Bishop,
    /// R.
    Rook,
    /// Q.
    Queen,
    /// K, the royal piece.
    King,
    /// A, queen or knight.
    Amazon,
    /// E, rook or knight.
    Empress,
    /// S, bishop or knight.
    Princess,
    /// V, king or knight, not royal.
    Veteran,
}

impl Kind {
    /// The six kinds of chess, by index.
    pub const CHESS: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];
    /// The ten kinds of Superchess, by index.
    pub const ALL: [Self; 10] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
        Self::Amazon,
        Self::Empress,
        Self::Princess,
        Self::Veteran,
    ];
    const LETTERS: &'static [u8; 10] = b"PNBRQKAESV";

    /// 0..10 in the order of [`Kind::ALL`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter, `P`.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize] as char
    }

    /// The kind of a letter in either case, if any.
    ///
    /// ```
    /// use fauve_engine::core::Kind;
    /// assert_eq!(Kind::from_letter('e'), Some(Kind::Empress));
    /// assert_eq!(Kind::from_letter('X'), None);
    /// ```
    pub fn from_letter(letter: char) -> Option<Self> {
        let upper = letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(|kind| kind.letter() == upper)
    }

    /// Whether the piece moves as a bishop (B, Q, A, S).
    #[inline(always)]
    pub const fn slides_diagonally(self) -> bool {
        matches!(
            self,
            Self::Bishop | Self::Queen | Self::Amazon | Self::Princess
        )
    }

    /// Whether the piece moves as a rook (R, Q, A, E).
    #[inline(always)]
    pub const fn slides_orthogonally(self) -> bool {
        matches!(
            self,
            Self::Rook | Self::Queen | Self::Amazon | Self::Empress
        )
    }

    /// Whether the piece leaps as a knight (N, A, E, S, V).
    ///
    /// ```
    /// use fauve_engine::core::Kind;
    ///
    /// // The superpieces are orthodox pieces that can leap as well.
    /// let leaping_riders: Vec<Kind> = Kind::ALL
    ///     .into_iter()
    ///     .filter(|kind| kind.leaps_as_knight() && kind.slides_orthogonally())
    ///     .collect();
    /// assert_eq!(leaping_riders, [Kind::Amazon, Kind::Empress]);
    /// ```
    #[inline(always)]
    pub const fn leaps_as_knight(self) -> bool {
        matches!(
            self,
            Self::Knight | Self::Amazon | Self::Empress | Self::Princess | Self::Veteran
        )
    }

    /// Whether the piece steps as a king (K, V).
    #[inline(always)]
    pub const fn steps_as_king(self) -> bool {
        matches!(self, Self::King | Self::Veteran)
    }
}

/// A set of kinds, such as what a pawn may become.
///
/// ```
/// use fauve_engine::core::{Kind, Kinds};
///
/// let pool = Kinds::EMPTY.with(Kind::Rook).with(Kind::Empress);
/// assert!(pool.has(Kind::Rook) && !pool.has(Kind::Queen));
/// assert_eq!(pool.collect::<Vec<_>>(), [Kind::Rook, Kind::Empress]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Kinds(u16);

impl Kinds {
    /// No kind.
    pub const EMPTY: Self = Self(0);
    /// What a pawn becomes in chess: knight, bishop, rook or queen.
    ///
    /// ```
    /// use fauve_engine::core::{Kind, Kinds};
    /// let without_queen: Kinds = Kinds::CHESS_PROMOTIONS.filter(|&kind| kind != Kind::Queen).collect();
    /// assert_eq!(without_queen.len(), 3);
    /// ```
    pub const CHESS_PROMOTIONS: Self = Self(0b11110);

    /// The set with one kind more.
    #[inline(always)]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u16)
    }

    /// Whether a kind is in the set.
    #[inline(always)]
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u16 & 1 != 0
    }

    /// Whether the set has no kind.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of kinds.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
}

impl Iterator for Kinds {
    type Item = Kind;
    /// Takes the kind of lowest index out of the set.
    #[inline(always)]
    fn next(&mut self) -> Option<Kind> {
        let kind = *Kind::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(kind)
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<T: IntoIterator<Item = Kind>>(kinds: T) -> Self {
        kinds.into_iter().fold(Self::EMPTY, Self::with)
    }
}
