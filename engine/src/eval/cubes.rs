//! Cubes 4D: material as the rules rate it, height, nearness to the middle of the cubes, mobility, the King's places
//! to go, the men that Pawns can still become.

use super::{Direct, Evaluate, Shape, Tactics};
use crate::core::{Color, StepList};
use crate::rules::Rules;
use crate::rules::cubes::{Action, LONE_KING_LIMIT, Man, Mask, Position, Reserve, Step};

/// The worth of a man in centipawns, as the rules give it; the King's is for ordering only.
const fn worth(man: Man) -> i32 {
    match man {
        Man::Pawn => 100,
        Man::Knight => 500,
        Man::Bishop => 300,
        Man::Rook | Man::GrandPawn => 400,
        Man::Queen => 1200,
        Man::King => 2000,
    }
}

/// For each level that a man, the King too, stands above the trenches: captures go down.
const HEIGHT: i32 = 8;
/// For each pseudo-legal move.
const MOBILITY: i32 = 4;
/// For each man on the inner part of the base: he has cubes on all sides.
const INNER: i32 = 6;
/// By the number of places beside the King that he could step to if nothing attacked them.
const ESCAPES: [i32; 9] = [-45, -20, -8, 0, 4, 6, 8, 8, 8];
/// For a Grand Pawn and a Queen that wait for a side that has Pawns.
const WAITING: [i32; 2] = [15, 35];
/// A lone King's opponent gains by each place that the King cannot go to.
const HUNT: i32 = 12;
/// The right to move.
const TEMPO: i32 = 10;

fn side_value(position: &Position, color: Color, inner: Mask) -> i32 {
    let men = position.men_of(color);
    let mut value = 0;
    for man in Man::ALL {
        if man != Man::King {
            value += worth(man) * (position.men_of_kind(man) & men).len() as i32;
        }
    }
    let [low, high] = position.height_digits();
    value += HEIGHT * ((men & low).len() + 2 * (men & high).len()) as i32;
    value += INNER * (men & inner).len() as i32;
    let activity = position.activity(color);
    value += MOBILITY * activity.moves as i32;
    value += ESCAPES[(activity.escapes as usize).min(8)];
    if (men & position.men_of_kind(Man::Pawn)).any() {
        for reserve in [Reserve::GrandPawn, Reserve::Queen] {
            if position.pool(color, reserve) > 0 {
                value += WAITING[reserve as usize];
            }
        }
    }
    if position.lone_count(color).is_some() {
        value -= HUNT * (8 - activity.escapes.min(8)) as i32;
    }
    value
}

impl Evaluate for Position {
    type Evaluator = Direct;

    fn evaluate(&self) -> i32 {
        let inner = self.inner_base();
        let us = self.side_to_move();
        let mut value = side_value(self, us, inner) - side_value(self, !us, inner);
        // The nearer the lone King is to his draw, the less the other side's men are worth.
        for (color, sign) in [(!us, 1), (us, -1)] {
            if let Some(count) = self.lone_count(color)
                && value * sign > 0
            {
                value = value * (LONE_KING_LIMIT + 2 - count) as i32 / (LONE_KING_LIMIT + 2) as i32;
            }
        }
        value + TEMPO
    }
}

impl Tactics for Position {
    const NULL_MOVE: bool = true;

    fn generate_noisy(&self, steps: &mut StepList<Step>) {
        self.captures(steps);
    }

    #[inline]
    fn is_noisy(&self, step: Step) -> bool {
        step.is_capture()
    }

    fn gain(&self, step: Step) -> i32 {
        let taken = if step.is_capture() {
            self.man_at(step.to).map_or(0, |(_, man)| worth(man))
        } else {
            0
        };
        taken
            + match step.action {
                Action::PromoteQueen => worth(Man::Queen) - worth(Man::Pawn),
                Action::PromoteGrandPawn => worth(Man::GrandPawn) - worth(Man::Pawn),
                _ => 0,
            }
    }

    fn pass(&self) -> Option<Self> {
        let free = !self.is_prologue() && self.lone_count(self.side_to_move()).is_none();
        free.then(|| self.passed())
    }
}

/// Shapes of one kind of step: a target cell.
const CELLS: usize = 256;

impl Shape for Position {
    /// Seven kinds of men, eight directions of cubes, and one kind for the rest, each with the target cell.
    const SHAPES: usize = (7 + 8 + 1) * CELLS;

    #[inline]
    fn shape(&self, step: Step) -> usize {
        let kind = match step.action {
            Action::Cube => 7 + step.cube_direction(),
            Action::Castle | Action::Choose => 15,
            _ => self.man_at(step.from).map_or(15, |(_, man)| man.code() - 1),
        };
        kind * CELLS + step.to.index()
    }
}
