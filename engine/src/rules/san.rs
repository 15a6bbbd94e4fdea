//! Standard algebraic notation of a move on the 8×8 board, as the PGN standard has it.

use super::{Board, CastlingSide};
use crate::core::{Bitboard, Kind, Move, Square};
use std::fmt;

/// A move that does not castle; formatted without its sign of check or mate.
///
/// ```
/// use fauve_engine::core::{Bitboard, Kind, Square};
/// use fauve_engine::rules::San;
///
/// let square = |name: &str| name.parse::<Square>().expect("a square");
/// let mut san = San {
///     kind: Kind::Knight,
///     from: square("g1"),
///     to: square("f3"),
///     rivals: Bitboard::of(square("d2")),
///     is_capture: true,
///     promotion: None,
/// };
/// assert_eq!(san.to_string(), "Ngxf3");
/// san.rivals = Bitboard::of(square("g5"));
/// assert_eq!(san.to_string(), "N1xf3");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct San {
    /// The piece that moves.
    pub kind: Kind,
    /// From here.
    pub from: Square,
    /// To here.
    pub to: Square,
    /// Where other pieces of this kind stand that could make a legal move to the same square.
    pub rivals: Bitboard,
    /// Whether it captures, en passant included.
    pub is_capture: bool,
    /// The piece that a pawn becomes.
    pub promotion: Option<Kind>,
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = (b'a' + self.from.file()) as char;
        let rank = (b'1' + self.from.rank()) as char;
        if self.kind == Kind::Pawn {
            if self.is_capture {
                write!(f, "{file}")?;
            }
        } else {
            write!(f, "{}", self.kind.letter())?;
            let is_file_shared = (self.rivals & Bitboard::file(self.from.file())).any();
            let is_rank_shared = (self.rivals & Bitboard::rank(self.from.rank())).any();
            if self.rivals.any() && (!is_file_shared || is_rank_shared) {
                write!(f, "{file}")?;
            }
            if is_file_shared {
                write!(f, "{rank}")?;
            }
        }
        if self.is_capture {
            f.write_str("x")?;
        }
        write!(f, "{}", self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "={}", kind.letter()),
            None => Ok(()),
        }
    }
}

/// A move in SAN without its sign of check or mate; castling is a king's move of two files. `legal` gives all legal moves, which
/// decide how a piece is disambiguated: pawns need none, and do not ask for them.
pub(super) fn move_san<const N: usize, L: AsRef<[Move]>>(
    board: &Board<N>,
    step: Move,
    legal: impl FnOnce() -> L,
) -> String {
    let (from, to) = (step.from(), step.to());
    let kind = board.kind_of_piece(from);
    if kind == Kind::King && from.file().abs_diff(to.file()) == 2 {
        return CastlingSide::towards(to.file()).san().to_owned();
    }
    let rivals = if kind == Kind::Pawn {
        Bitboard::EMPTY
    } else {
        let is_rival = |other: &&Move| {
            other.to() == to && other.from() != from && board.kind(kind).has(other.from())
        };
        let legal = legal();
        let rivals = legal.as_ref().iter().filter(is_rival);
        rivals.map(|other| other.from()).collect()
    };
    let san = San {
        kind,
        from,
        to,
        rivals,
        is_capture: board.occupied().has(to) || kind == Kind::Pawn && from.file() != to.file(),
        promotion: step.promotion(),
    };
    san.to_string()
}

impl CastlingSide {
    /// Castling in SAN.
    pub const fn san(self) -> &'static str {
        match self {
            Self::King => "O-O",
            Self::Queen => "O-O-O",
        }
    }

    /// The side on which a move in SAN castles, whatever sign stands behind it; `None` where it does not castle.
    ///
    /// ```
    /// use fauve_engine::rules::CastlingSide;
    ///
    /// assert_eq!(CastlingSide::of_san("O-O+"), Some(CastlingSide::King));
    /// assert_eq!(CastlingSide::of_san("O-O-O"), Some(CastlingSide::Queen));
    /// assert_eq!(CastlingSide::of_san("Oh4"), None);
    /// ```
    pub fn of_san(san: &str) -> Option<Self> {
        // The longer one first: the shorter one is its beginning.
        [Self::Queen, Self::King]
            .into_iter()
            .find(|side| san.starts_with(side.san()))
    }
}
