use crate::core::Color;
use std::any::Any;
use std::error::Error;
use std::fmt;

/// The part of a position string that an error is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// The pieces (and in Cubes 4D the cubes).
    Board,
    /// The pieces available for promotion (brackets, or the Cubes 4D pool).
    Pool,
    /// Side to move.
    Side,
    /// Castling rights.
    Castling,
    /// En passant targets.
    EnPassant,
    /// The cube moved last (Cubes 4D).
    LastCube,
    /// Lone King counts (Cubes 4D).
    LoneKing,
    /// The counter of quiet half-moves or turns.
    Clock,
    /// The turn number.
    TurnNumber,
    /// Moves left in the turn (two-move chess).
    MovesLeft,
    /// The dice still to be played.
    Dice,
    /// The dice seed.
    Seed,
    /// The stage of the prologue.
    Prologue,
    /// The position as a whole.
    Position,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::Pool => "pool",
            Self::Side => "side to move",
            Self::Castling => "castling",
            Self::EnPassant => "en passant",
            Self::LastCube => "last cube",
            Self::LoneKing => "lone king count",
            Self::Clock => "clock",
            Self::TurnNumber => "turn number",
            Self::MovesLeft => "moves left",
            Self::Dice => "dice",
            Self::Seed => "seed",
            Self::Prologue => "prologue",
            Self::Position => "position",
        })
    }
}

/// What is wrong with a field of a position string.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The field is not there and has no default.
    Missing,
    /// The text cannot be read as this field.
    Unreadable(String),
    /// A letter without meaning in this field.
    UnknownLetter(char),
    /// The board has this many ranks.
    RankCount(usize),
    /// A rank (as written, the top one is 1) has this many squares.
    RankLength {
        /// Which rank, counted from the first that is written.
        rank: usize,
        /// Its squares.
        squares: usize,
    },
    /// A side has this many kings.
    Kings(Color, u32),
    /// A side has more pieces of a kind (or in all) than it can have; the text names them.
    TooMany(Color, &'static str),
    /// A pawn stands on the first or last rank.
    PawnOnEdge,
    /// The side not to move is in check.
    OpponentInCheck,
    /// The side to move can take the king within its turn (two-move chess).
    KingCapturable,
    /// The field contradicts the rest of the position; the text says how.
    Contradiction(&'static str),
    /// A word that no field of this game reads.
    UnknownWord(String),
}

/// A position string that was refused: which field, and why.
///
/// ```
/// use fauve_engine::rules::{Field, Notation, Problem, chess::Chess};
///
/// let error = Chess::from_fen("4k3/8/8/8/8/8/8/8 w - - 0 1", &Default::default()).unwrap_err();
/// assert_eq!(error.field, Field::Board);
/// assert!(matches!(error.problem, Problem::Kings(_, 0)));
/// // The words are for people; programs look at the parts.
/// assert_eq!(error.to_string(), "invalid FEN, board: White has 0 kings");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError {
    /// The field at fault.
    pub field: Field,
    /// What is wrong with it.
    pub problem: Problem,
}

impl FenError {
    /// An error about a field.
    pub const fn new(field: Field, problem: Problem) -> Self {
        Self { field, problem }
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid FEN, {}: ", self.field)?;
        match &self.problem {
            Problem::Missing => f.write_str("the field is missing"),
            Problem::Unreadable(text) => write!(f, "cannot read '{}'", printable(text)),
            Problem::UnknownLetter(letter) => {
                write!(f, "unknown letter '{}'", letter.escape_default())
            }
            Problem::RankCount(1) => f.write_str("1 rank"),
            Problem::RankCount(ranks) => write!(f, "{ranks} ranks"),
            Problem::RankLength { rank, squares: 1 } => {
                write!(f, "rank {rank} as written has 1 square")
            }
            Problem::RankLength { rank, squares } => {
                write!(f, "rank {rank} as written has {squares} squares")
            }
            Problem::Kings(color, count) => write!(f, "{} has {count} kings", color.name()),
            Problem::TooMany(color, what) => write!(f, "{} has too many {what}", color.name()),
            Problem::PawnOnEdge => f.write_str("a pawn stands on the first or last rank"),
            Problem::OpponentInCheck => f.write_str("the side not to move is in check"),
            Problem::KingCapturable => f.write_str("the side to move can take the king"),
            Problem::Contradiction(how) => f.write_str(how),
            Problem::UnknownWord(word) => write!(f, "unknown word '{}'", printable(word)),
        }
    }
}

impl Error for FenError {}

/// Makes foreign text printable in a message: control characters escaped, cut to 60 characters.
pub fn printable(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut letters = text.chars();
    let mut shown: String = letters
        .by_ref()
        .take(LONGEST)
        .flat_map(char::escape_debug)
        .collect();
    if letters.next().is_some() {
        shown.push_str("...");
    }
    shown
}

/// What a panic said, as one printable line.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("for a reason unknown");
    printable(text)
}

/// A turn token that was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// The token has no meaning in this game.
    Unreadable(String),
    /// The token is a move, but not a legal one here.
    Illegal(String),
    /// The token names the first steps of a turn only.
    Incomplete(String),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(token) => write!(f, "cannot read move {}", printable(token)),
            Self::Illegal(token) => write!(f, "illegal move {}", printable(token)),
            Self::Incomplete(token) => write!(f, "unfinished turn {}", printable(token)),
        }
    }
}

impl Error for StepError {}
