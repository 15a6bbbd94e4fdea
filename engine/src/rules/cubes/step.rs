use super::mask::Cell;

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Action {
    /// A piece goes to a free position.
    #[default]
    Quiet,
    /// A piece captures.
    Capture,
    /// A Pawn captures and becomes a Queen.
    PromoteQueen,
    /// A Pawn captures and becomes a Grand Pawn.
    PromoteGrandPawn,
    /// A Rook or Bishop (`from`) and its Knight (`to`) exchange places.
    Castle,
    /// The top cube of `from` goes onto `to`.
    Cube,
    /// Black chooses the side of the lateral Pawns: `to` is the cell of White's.
    Choose,
}

/// One move: in this game a whole turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Step {
    /// Where the piece or the cube comes from.
    pub from: Cell,
    /// Where it goes.
    pub to: Cell,
    /// What it does.
    pub action: Action,
}

impl Step {
    /// Whether the step captures a piece.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        matches!(
            self.action,
            Action::Capture | Action::PromoteQueen | Action::PromoteGrandPawn
        )
    }

    /// Which of the eight neighbours of its column a cube goes to, 0..8.
    #[inline]
    pub const fn cube_direction(self) -> usize {
        let dx = self.to.file() as i8 - self.from.file() as i8;
        let dy = self.to.rank() as i8 - self.from.rank() as i8;
        // Numbers the 3 x 3 block without its middle.
        let place = ((dy + 1) * 3 + dx + 1) as usize;
        if place > 4 { (place - 1) & 7 } else { place }
    }

    /// Whether `other` brings back what this step moved. Only quiet moves and cubes can be unmade.
    ///
    /// ```
    /// use fauve_engine::rules::cubes::{Action, Cell, Step};
    ///
    /// let there = Step { from: Cell::new(5, 5), to: Cell::new(6, 7), action: Action::Quiet };
    /// let back = Step { from: there.to, to: there.from, ..there };
    /// assert!(there.is_unmade_by(back));
    /// let capture = Step { action: Action::Capture, ..there };
    /// assert!(!capture.is_unmade_by(Step { action: Action::Capture, ..back }));
    /// ```
    pub fn is_unmade_by(self, other: Self) -> bool {
        self.unmade() == Some(other)
    }

    /// The step that brings back what this one moved. Only quiet moves and cubes can be unmade.
    pub fn unmade(self) -> Option<Self> {
        let back = Self {
            from: self.to,
            to: self.from,
            action: self.action,
        };
        matches!(self.action, Action::Quiet | Action::Cube).then_some(back)
    }
}
