//! Evaluation and tactics of Superchess.

use super::board::{self, FULL_PROMOTION};
use super::exchange::EXCHANGE;
use super::network::Learned;
use super::orthodox::CheckMasks;
use super::{Evaluate, STRUCTURES, Shape, Tactics, orthodox};
use crate::core::{Color, Kind, Move, StepList};
use crate::rules::Rules;
use crate::rules::superchess::{Action, Pool, Step, Superchess};

/// Sixteenths of a passed pawn's value that stay when nothing can be promoted to at the moment: the next capture may
/// change that.
const EMPTY_POOL_PROMOTION: i32 = 3;

/// What promoting is worth to a side: all with a queen or better at hand, in proportion with less.
fn promotion(pool: Pool, color: Color) -> i32 {
    let pawn = EXCHANGE[Kind::Pawn.index()];
    let best = Pool::KINDS
        .into_iter()
        .filter(|&kind| pool.count(color, kind) > 0)
        .map(|kind| EXCHANGE[kind.index()] - pawn)
        .max()
        .unwrap_or(0);
    let full = EXCHANGE[Kind::Queen.index()] - pawn;
    (FULL_PROMOTION * best / full).clamp(EMPTY_POOL_PROMOTION, FULL_PROMOTION)
}

impl Evaluate for Superchess {
    type Evaluator = Learned<Self>;

    /// During the prologue both sides have the same men on the same files: the value is that of the move.
    fn evaluate(&self) -> i32 {
        let promotions = Color::ALL.map(|color| promotion(self.pool(), color));
        board::evaluate(self.board(), self.side_to_move(), promotions)
    }
}

impl Tactics for Superchess {
    const NULL_MOVE: bool = true;
    const TELLS_CHECKS: bool = true;

    #[inline]
    fn checks(&self) -> CheckMasks {
        CheckMasks::new(self.orthodox())
    }

    #[inline]
    fn gives_check(&self, checks: &CheckMasks, step: Step) -> bool {
        step.as_move()
            .is_some_and(|step| checks.are_given_by(self.orthodox(), step))
    }

    fn generate_noisy(&self, steps: &mut StepList<Step>) {
        Self::generate_noisy(self, steps);
    }

    #[inline]
    fn is_noisy(&self, step: Step) -> bool {
        step.as_move()
            .is_some_and(|step| orthodox::is_noisy(self.orthodox(), step))
    }

    #[inline]
    fn gain(&self, step: Step) -> i32 {
        step.as_move()
            .map_or(0, |step| orthodox::gain(self.orthodox(), step))
    }

    fn wins_exchange(&self, step: Step, threshold: i32) -> bool {
        step.as_move()
            .is_none_or(|step: Move| orthodox::wins_exchange(self.orthodox(), step, threshold))
    }

    fn pass(&self) -> Option<Self> {
        orthodox::has_pieces(self.orthodox())
            .then(|| Self::pass(self))
            .flatten()
    }
}

impl Shape for Superchess {
    const SHAPES: usize = 10 * 64;

    /// Placements share the numbers of the superpieces' moves.
    #[inline]
    fn shape(&self, step: Step) -> usize {
        match step.action() {
            Action::Move(step) => orthodox::shape(self.orthodox(), step),
            Action::Place(placement) => placement.kind.index() * 64 + placement.square.index(),
        }
    }

    #[inline]
    fn victim(&self, step: Step) -> usize {
        step.as_move()
            .map_or(0, |step| orthodox::victim(self.orthodox(), step))
    }

    const TELLS_STRUCTURES: bool = true;

    #[inline]
    fn structures(&self) -> [u64; STRUCTURES] {
        orthodox::structures(self.orthodox())
    }
}
