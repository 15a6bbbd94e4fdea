use std::ops::Not;

/// The two sides. White is 0 and makes the first move of every game (in Cubes 4D after Black's choice of an array).
///
/// ```
/// use fauve_engine::core::Color;
///
/// let mut side = Color::White;
/// side = !side;
/// assert_eq!(side, Color::Black);
/// // Arrays that are kept per side are indexed by colour.
/// let kings = ["e1", "e8"];
/// assert_eq!(kings[side.index()], "e8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Color {
    /// The first player.
    #[default]
    White = 0,
    /// The second player.
    Black = 1,
}

impl Color {
    /// Both colours, White first: the order of every array indexed by colour.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side; `const` twin of `!color`.
    #[inline(always)]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The letter of a piece as position strings write it for a side, upper case for White; `letter` in upper case.
    ///
    /// ```
    /// use fauve_engine::core::Color;
    ///
    /// assert_eq!(Color::White.fen_char('N'), 'N');
    /// assert_eq!(Color::Black.fen_char('N'), 'n');
    /// ```
    #[inline]
    pub const fn fen_char(self, letter: char) -> char {
        match self {
            Self::White => letter,
            Self::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The side whose pieces have letters of this case: upper for White.
    #[inline]
    pub const fn of_case(letter: char) -> Self {
        if letter.is_ascii_uppercase() {
            Self::White
        } else {
            Self::Black
        }
    }

    /// The letter of FEN's second field, `w` or `b`.
    ///
    /// ```
    /// use fauve_engine::core::Color;
    /// assert_eq!(Color::ALL.map(Color::letter), ['w', 'b']);
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// `White` or `Black`, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

impl Not for Color {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.other()
    }
}
