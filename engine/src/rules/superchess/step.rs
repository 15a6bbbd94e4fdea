use super::Placement;
use crate::core::{Kind, Move, Square};
use std::fmt;

/// A step of Superchess in two bytes: a move, or a turn of the prologue. The default value is no step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Step(u16);

/// The content of a [`Step`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A piece moves.
    Move(Move),
    /// A superpiece enters the array.
    Place(Placement),
}

/// The lowest value of the four top bits that means a placement; lower ones are what a move's pawn becomes.
const PLACE: u16 = 10;

impl Step {
    /// A turn of the prologue.
    pub(super) fn of_placement(placement: Placement) -> Self {
        // The swap's two files; equal for none.
        let [a, b] = placement.swap.map_or([0, 0], |squares| {
            squares.map(|square| u16::from(square.file()))
        });
        let kind = placement.kind as u16 - Kind::Amazon as u16;
        Self((kind + PLACE) << 12 | b << 9 | a << 6 | placement.square.index() as u16)
    }

    /// The move, in a position whose prologue is over.
    #[inline(always)]
    pub const fn as_move(self) -> Option<Move> {
        if self.0 >> 12 < PLACE {
            Some(Move::from_bits(self.0))
        } else {
            None
        }
    }

    /// What the step does.
    #[inline]
    pub fn action(self) -> Action {
        if let Some(mv) = self.as_move() {
            return Action::Move(mv);
        }
        let kind = match self.0 >> 12 {
            PLACE => Kind::Amazon,
            11 => Kind::Empress,
            12 => Kind::Princess,
            _ => Kind::Veteran,
        };
        let square = Square::from_index(self.0 as u8);
        let [a, b] =
            [self.0 >> 6 & 7, self.0 >> 9 & 7].map(|file| Square::new(file as u8, square.rank()));
        Action::Place(Placement {
            kind,
            square,
            swap: (a != b).then_some([a, b]),
        })
    }
}

impl From<Move> for Step {
    #[inline(always)]
    fn from(mv: Move) -> Self {
        Self(mv.bits())
    }
}

impl fmt::Display for Step {
    /// The token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action() {
            Action::Move(mv) => mv.fmt(f),
            Action::Place(placement) => placement.fmt(f),
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
