/// The kinds of pieces of Cubes 4D.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// P.
    Pawn = 1,
    /// N.
    Knight,
    /// B.
    Bishop,
    /// R.
    Rook,
    /// G.
    GrandPawn,
    /// Q.
    Queen,
    /// K.
    King,
}

impl PieceKind {
    /// All kinds, by code.
    pub const ALL: [Self; 7] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::GrandPawn,
        Self::Queen,
        Self::King,
    ];

    /// 1..=7; 0 means no piece in the planes of a position.
    #[inline(always)]
    pub const fn code(self) -> usize {
        self as usize
    }

    /// The piece of a code, if there is one.
    #[inline(always)]
    pub const fn from_code(code: usize) -> Option<Self> {
        if code >= 1 && code <= 7 {
            Some(Self::ALL[code - 1])
        } else {
            None
        }
    }

    /// Returns the value of the piece in pawns, as the rules give it; 0 for the King.
    pub const fn worth(self) -> i32 {
        match self {
            Self::Pawn => 1,
            Self::Bishop => 3,
            Self::Rook | Self::GrandPawn => 4,
            Self::Knight => 5,
            Self::Queen => 12,
            Self::King => 0,
        }
    }

    /// The upper-case letter.
    pub const fn letter(self) -> char {
        b"PNBRGQK"[self as usize - 1] as char
    }

    /// The kind of a letter in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        let upper = letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(|piece| piece.letter() == upper)
    }
}
