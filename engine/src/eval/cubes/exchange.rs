//! Static exchange evaluation on a height field: the gain of a series of captures on one cell
//! (<https://www.chessprogramming.org/Static_Exchange_Evaluation>).
//!
//! Whether a piece may take there depends on the level of the cell and of its own cell, not on the piece there, so that all
//! possible capturers are known from the start. A Pawn that captures becomes a Queen or a Grand Pawn if one is outside the
//! game. Pieces behind others, pieces that
//! cover their King and what the exchange does to the pool are not seen.

use super::worth;
use crate::core::Color;
use crate::eval::Tactics;
use crate::rules::Rules;
use crate::rules::cubes::{Cubes4d, Mask, PieceKind, Reserve, Step};

/// The kinds in the order in which they take: from the least to the most valuable, the King last.
const BY_VALUE: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::GrandPawn,
    PieceKind::Knight,
    PieceKind::Queen,
    PieceKind::King,
];

impl Cubes4d {
    /// Returns the gain in centipawns of a step when both sides go on capturing on its target cell as long as it pays.
    pub(super) fn exchange(&self, step: Step) -> i32 {
        let [mover, taken] = [step.from, step.to].map(|cell| self.worth_at(cell));
        let gain = self.gain(step);
        let standing = mover + gain - taken;
        gain - self.retaking(standing, !self.side_to_move(), self.takers_after(step))
    }

    /// Returns the gain of a side from capturing a piece of value `standing`, or 0 if it is better left alone.
    fn retaking(&self, standing: i32, side: Color, mut takers: [Mask; 2]) -> i32 {
        let guarded = takers[(!side).index()].any();
        let own = &mut takers[side.index()];
        let taker = BY_VALUE
            .into_iter()
            .find(|&piece| own.meets(self.pieces_of_kind(piece)))
            .filter(|&piece| piece != PieceKind::King || !guarded);
        let Some(piece) = taker else {
            return 0;
        };
        *own = own.without(Mask::of((*own & self.pieces_of_kind(piece)).first()));
        let becomes = self.worth_after_taking(side, piece);
        let won = standing + becomes - worth(piece);
        (won - self.retaking(becomes, !side, takers)).max(0)
    }

    /// Returns the value of a piece after its capture.
    fn worth_after_taking(&self, side: Color, piece: PieceKind) -> i32 {
        let becomes = match piece {
            PieceKind::Pawn if self.pool(side, Reserve::Queen) > 0 => PieceKind::Queen,
            PieceKind::Pawn if self.pool(side, Reserve::GrandPawn) > 0 => PieceKind::GrandPawn,
            piece => piece,
        };
        worth(becomes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::test_support::position;
    use crate::rules::legal_steps;

    /// What the side to move wins by legal captures on a cell, each side taking with what pays most.
    fn wins_on(position: &Cubes4d, goal: Step) -> i32 {
        let takes = |step: &Step| step.is_capture() && step.to == goal.to;
        let captures = legal_steps(position).into_iter().filter(takes);
        captures
            .map(|step| wins_by(position, step))
            .fold(0, i32::max)
    }

    fn wins_by(position: &Cubes4d, step: Step) -> i32 {
        let mut next = *position;
        next.play(step);
        position.gain(step) - wins_on(&next, step)
    }

    /// The won positions, and some that follow them.
    fn positions() -> impl Iterator<Item = Cubes4d> {
        let texts = include_str!("../../../../tests/data/cubes4d-won.txt").lines();
        texts.flat_map(|text| {
            let first: Cubes4d = position(text);
            let after = legal_steps(&first).into_iter().step_by(7).map(move |step| {
                let mut next = first;
                next.play(step);
                next
            });
            std::iter::once(first).chain(after)
        })
    }

    #[test]
    fn exchanges_are_what_taking_comes_to() {
        let (mut captures, mut equal, mut losing, mut told) = (0, 0, 0, 0);
        for position in positions() {
            for step in legal_steps(&position) {
                let by_king = step.from == position.king(position.side_to_move());
                if by_king || !step.is_capture() {
                    continue;
                }
                let (truth, value) = (wins_by(&position, step), position.exchange(step));
                captures += 1;
                equal += u32::from(truth == value);
                losing += u32::from(truth < 0);
                told += u32::from(truth < 0 && value < 0);
            }
        }
        println!("{equal} of {captures} equal, {told} of {losing} losing ones told");
        assert!(captures > 2000 && losing > 500, "{captures}, {losing}");
        assert!(equal * 100 >= captures * 93, "{equal} of {captures}");
        assert!(told * 100 >= losing * 95, "{told} of {losing}");
    }
}
