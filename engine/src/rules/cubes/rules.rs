//! What the rules are asked, answered by the files that know.

use super::Options;
use super::position::{CLOCK_LIMIT, LONE_KING_LIMIT, Position};
use super::step::Step;
use crate::core::{Color, StepList};
use crate::rules::{Audit, Chance, DrawReason, Draws, Rules, WinReason};

impl Rules for Position {
    type Step = Step;
    type Options = Options;

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn generate(&self, steps: &mut StepList<Step>) {
        self.all_steps(steps);
    }

    fn play(&mut self, step: Step) {
        self.make(step);
    }

    fn count_turns(&self) -> u64 {
        self.count_steps()
    }

    fn in_check(&self) -> bool {
        self.is_attacked_king(self.side)
    }

    fn win_reason(&self) -> WinReason {
        WinReason::CHECKMATE
    }
}

impl Draws for Position {
    fn clock_draw(&self, options: &Options) -> Option<DrawReason> {
        if self.lone.contains(&Some(LONE_KING_LIMIT)) {
            Some(DrawReason::LoneKing)
        } else if options.clock_draw && self.quiet_plies >= CLOCK_LIMIT {
            Some(DrawReason::Clock)
        } else {
            None
        }
    }

    fn reversible_turns(&self, options: &Options) -> usize {
        if options.repetition_draw {
            self.quiet_plies as usize
        } else {
            0
        }
    }

    fn pattern_draw(steps: &[Step]) -> bool {
        let Some(
            &[
                white,
                black,
                white_back,
                black_back,
                white_again,
                black_again,
            ],
        ) = steps.last_chunk::<6>()
        else {
            return false;
        };
        white.is_unmade_by(white_back)
            && black.is_unmade_by(black_back)
            && white_again == white
            && black_again == black
    }
}

impl Chance for Position {}

impl Audit for Position {
    fn recomputed_key(&self) -> u64 {
        self.full_key()
    }
}
