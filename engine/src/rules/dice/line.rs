//! Lines of steps that are stored and tried in other positions.

use super::{Action, DiceChess, Pool, Step};
use crate::core::{Bitboard, Color, Kind, Square, attacks};

/// The steps of a turn that uses all its dice, for trying them in other positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Line {
    steps: [Step; 3],
    len: u8,
}

impl Line {
    /// A line of up to three steps.
    pub(super) fn new(steps: &[Step]) -> Self {
        let mut line = Self::default();
        for &step in steps.iter().take(3) {
            line.steps[usize::from(line.len)] = Step::new(step.from, step.to, step.action);
            line.len += 1;
        }
        line
    }

    /// Its steps.
    #[inline(always)]
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    /// The dice that it uses; `None` if they are more than three.
    pub(super) fn dice(&self) -> Option<Pool> {
        self.steps().iter().try_fold(Pool::EMPTY, |pool, step| {
            let pool = pool.with(step.action.mover()?)?;
            match step.action.castling() {
                Some(_) => pool.with(Kind::Rook),
                None => Some(pool),
            }
        })
    }
}

impl DiceChess {
    /// The position after a turn of exactly these steps, the other side awaiting its roll; `None` if a step is not possible
    /// here or takes the king. Whether the dice allow it is the caller's business: a line that uses all of them is legal.
    #[inline]
    pub(crate) fn after_line(&self, line: &Line) -> Option<Self> {
        if line.len == 0 {
            return None;
        }
        let mut position = *self;
        for (n, &step) in line.steps().iter().enumerate() {
            if !position.is_possible(step) {
                return None;
            }
            position.walk(step, n == 0);
        }
        position.end_turn();
        Some(position)
    }

    /// Whether a step that no longer has to fit the position can be made in it, and does not take the king.
    #[inline]
    fn is_possible(&self, step: Step) -> bool {
        let Some(mover) = step.action.mover() else {
            return false;
        };
        let (us, from, to) = (self.side, step.from, step.to);
        let king = self.board.pieces(!us, Kind::King);
        if !self.board.pieces(us, mover).has(from) || king.has(to) {
            return false;
        }
        if let Some(castling_side) = step.action.castling() {
            return from == castling_side.king_home(us) && self.can_castle(us, castling_side);
        }
        if mover != Kind::Pawn {
            return self.reach(mover, from).has(to);
        }
        self.is_possible_for_pawn(step)
    }

    #[inline]
    fn is_possible_for_pawn(&self, step: Step) -> bool {
        let (us, from, to) = (self.side, step.from, step.to);
        let occupied = self.board.occupied();
        let ahead = |square: Square| {
            let set = Bitboard::of(square);
            match us {
                Color::White => set.north(),
                Color::Black => set.south(),
            }
        };
        let takes = attacks::pawn(us, from).has(to);
        let last = (Bitboard::RANK_1 | Bitboard::RANK_8).has(to);
        match step.action {
            Action::DoublePush => {
                let home = match us {
                    Color::White => 1,
                    Color::Black => 6,
                };
                let one = ahead(from) - occupied;
                Bitboard::rank(home).has(from)
                    && one.any()
                    && ahead(one.first()).has(to)
                    && !occupied.has(to)
            }
            Action::EnPassant => takes && self.enemy_targets().has(to),
            action => {
                let goes = ahead(from).has(to) && !occupied.has(to);
                let captures = takes && self.board.color(!us).has(to);
                (goes || captures) && last == action.promotion().is_some()
            }
        }
    }
}
