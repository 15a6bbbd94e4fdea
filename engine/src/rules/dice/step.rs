use crate::core::{Kind, Square};
use crate::rules::CastlingSide;

/// The action of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Action {
    /// Nothing: no die can be used.
    #[default]
    Pass,
    /// A knight moves.
    Knight,
    /// A bishop moves.
    Bishop,
    /// A rook moves.
    Rook,
    /// A queen moves.
    Queen,
    /// A king moves by one square.
    King,
    /// A pawn moves or captures and stays a pawn.
    Pawn,
    /// A pawn goes two squares.
    DoublePush,
    /// A pawn captures en passant.
    EnPassant,
    /// A pawn becomes a knight.
    ToKnight,
    /// A pawn becomes a bishop.
    ToBishop,
    /// A pawn becomes a rook.
    ToRook,
    /// A pawn becomes a queen, or captures the king on the last rank.
    ToQueen,
    /// Castling towards file h.
    CastleShort,
    /// Castling towards file a.
    CastleLong,
}

impl Action {
    /// The four promotions.
    pub const PROMOTIONS: [Self; 4] = [Self::ToQueen, Self::ToRook, Self::ToBishop, Self::ToKnight];

    /// The piece that moves (the king when castling); `None` for a pass.
    #[inline(always)]
    pub const fn mover(self) -> Option<Kind> {
        Some(match self {
            Self::Pass => return None,
            Self::Knight => Kind::Knight,
            Self::Bishop => Kind::Bishop,
            Self::Rook => Kind::Rook,
            Self::Queen => Kind::Queen,
            Self::King | Self::CastleShort | Self::CastleLong => Kind::King,
            _ => Kind::Pawn,
        })
    }

    /// What a pawn becomes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Kind> {
        match self {
            Self::ToKnight => Some(Kind::Knight),
            Self::ToBishop => Some(Kind::Bishop),
            Self::ToRook => Some(Kind::Rook),
            Self::ToQueen => Some(Kind::Queen),
            _ => None,
        }
    }

    /// The side of the board to which the king castles.
    #[inline(always)]
    pub const fn castling(self) -> Option<CastlingSide> {
        match self {
            Self::CastleShort => Some(CastlingSide::King),
            Self::CastleLong => Some(CastlingSide::Queen),
            _ => None,
        }
    }

    /// The plain move of a piece other than a pawn.
    #[inline(always)]
    pub(super) const fn of_kind(kind: Kind) -> Self {
        match kind {
            Kind::Knight => Self::Knight,
            Kind::Bishop => Self::Bishop,
            Kind::Rook => Self::Rook,
            Kind::Queen => Self::Queen,
            Kind::King => Self::King,
            _ => Self::Pawn,
        }
    }
}

/// The state of the turn after a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Fate {
    /// The turn is over: the king is captured, or no remaining die can be used.
    #[default]
    TurnEnds,
    /// The turn continues.
    GoesOn,
    /// The turn continues, and only lines that capture the king are legal (`!` in the position string).
    MustCapture,
}

/// A step of DiceChess. Its [`Fate`] follows from the position, and is kept with the step so that making it needs no
/// look ahead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Step {
    /// Where the piece comes from (a1 for a pass).
    pub from: Square,
    /// Where it goes: the king's square when castling (a1 for a pass).
    pub to: Square,
    /// Its action.
    pub action: Action,
    /// The state of the turn after it.
    pub fate: Fate,
}

impl Step {
    /// A step that ends the turn.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, action: Action) -> Self {
        Self {
            from,
            to,
            action,
            fate: Fate::TurnEnds,
        }
    }

    /// The same step with another fate.
    #[inline(always)]
    pub(super) const fn with_fate(self, fate: Fate) -> Self {
        Self { fate, ..self }
    }

    /// Whether it is a pass.
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        matches!(self.action, Action::Pass)
    }
}
