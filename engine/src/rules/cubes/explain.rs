//! Why a move is not legal, and which pieces give check, for messages to players.

use super::attack::View;
use super::cube_moves::fits;
use super::mask::{Cell, Mask};
use super::movegen::pieces;
use super::position::Cubes4d;
use super::sink::{Lister, Promotions};
use crate::core::StepList;

/// Which condition the move of a cube breaks, in the order of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CubeFault {
    /// There is no cube to take.
    NoCube,
    /// A piece stands on the column, or on the place where the cube would go.
    Piece,
    /// The place is not one of the neighbours to which a cube of its colour can go from its height.
    Place,
    /// The cubes would not hang together.
    Base,
    /// A piece would lose the trench it is in.
    Trench,
    /// The King would be in check.
    Check,
    /// It is the cube that the opponent has just moved.
    JustMoved,
    /// No piece but the King could use a place that the move makes.
    NoWay,
}

impl Cubes4d {
    /// The pieces that attack the King of the side to move.
    ///
    /// ```
    /// use fauve_engine::rules::{Notation, Rules, cubes::Cubes4d};
    ///
    /// let start = Cubes4d::start(&Default::default());
    /// assert!(start.checkers().is_empty() && !start.in_check());
    /// ```
    pub fn checkers(&self) -> Mask {
        let view = View::new(self, self.side);
        let mut checkers = Mask::EMPTY;
        for piece in view.enemy {
            if view.is_attacked(view.king, view.king_level, view.occupied, Mask::of(piece)) {
                checkers.insert(piece);
            }
        }
        checkers
    }

    /// Where a piece of the side to move goes or captures, its King's safety left aside and castling left out. Nothing for any
    /// other cell.
    ///
    /// ```
    /// use fauve_engine::rules::cubes::{Cell, Cubes4d};
    /// use fauve_engine::rules::Notation;
    ///
    /// // In the array the Rook has the bridge over the trench beside it, and no other move.
    /// let fen = "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1";
    /// let position = Cubes4d::from_fen(fen, &Default::default())?.position;
    /// let [e6, e8] = ["e6", "e8"].map(|name| Cell::from_text(name).expect("a cell"));
    /// assert_eq!(position.reach(e6).into_iter().collect::<Vec<_>>(), [e8]);
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    pub fn reach(&self, from: Cell) -> Mask {
        let view = View::new(self, self.side);
        let mut steps = StepList::new();
        let mut lister = Lister {
            promotions: Promotions::new(self),
            steps: &mut steps,
        };
        pieces::<true>(&view, view.own & Mask::of(from), &mut lister);
        let mut reach = Mask::EMPTY;
        for step in steps {
            reach.insert(step.to);
        }
        reach
    }

    /// Which condition the move of the top cube of `from` onto `to` breaks; `None` for a move that is legal.
    pub fn cube_fault(&self, from: Cell, to: Cell) -> Option<CubeFault> {
        if self.height(from) == 0 {
            return Some(CubeFault::NoCube);
        }
        if self.occupied().has(from) || self.occupied().has(to) {
            return Some(CubeFault::Piece);
        }
        if !fits(self, from, to) {
            return Some(CubeFault::Place);
        }
        let mut steps = StepList::new();
        self.all_steps(&mut steps);
        let is_legal = |step: &super::Step| {
            step.action == super::Action::Cube && step.from == from && step.to == to
        };
        if steps.iter().any(is_legal) {
            return None;
        }
        let entrenched = self.occupied().without(self.base());
        let mut next = *self;
        next.flip_cube(from, to);
        Some(if !next.base().is_connected() {
            CubeFault::Base
        } else if !entrenched.is_within(next.trenches) {
            CubeFault::Trench
        } else if next.is_attacked_king(next.side) {
            CubeFault::Check
        } else if self.last_cube == Some(from) {
            CubeFault::JustMoved
        } else {
            CubeFault::NoWay
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::cubes::Options;
    use crate::rules::{Notation, Rules, legal_steps};

    #[test]
    fn legal_moves_have_no_fault_and_are_within_reach() {
        let mut position = Cubes4d::start(&Options::default());
        for number in 0..200usize {
            let steps = legal_steps(&position);
            if steps.is_empty() {
                position = Cubes4d::start(&Options::default());
                continue;
            }
            assert_eq!(position.checkers().any(), position.in_check());
            if !position.prologue {
                let mut cubes = 0;
                for step in &steps {
                    match step.action {
                        super::super::Action::Cube => {
                            cubes += 1;
                            assert_eq!(position.cube_fault(step.from, step.to), None);
                        }
                        super::super::Action::Castle => {}
                        _ => assert!(position.reach(step.from).has(step.to)),
                    }
                }
                let cells = || (0..15).flat_map(|y| (0..15).map(move |x| Cell::new(x, y)));
                let faultless = cells()
                    .flat_map(|from| cells().map(move |to| (from, to)))
                    .filter(|&(from, to)| {
                        from.distance(to) <= 1
                            && position.height(from) > 0
                            && position.cube_fault(from, to).is_none()
                    })
                    .count();
                assert_eq!(faultless, cubes, "{}", position.fen());
            }
            position.play(steps[number * 7919 % steps.len()]);
        }
    }
}
