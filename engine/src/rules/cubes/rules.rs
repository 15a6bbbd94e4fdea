//! What the rules are asked, answered by the files that know.

use super::Options;
use super::position::{CLOCK_LIMIT, LONE_KING_LIMIT, Position};
use super::step::Step;
use crate::core::{Color, StepList};
use crate::rules::{Audit, Chance, DrawReason, Draws, Rules, WinReason};

/// The draw of a lone King that has resisted long enough.
pub const LONE_KING_DRAW: DrawReason = DrawReason::Rule("the lone King's resistance");
/// The draw by quiet turns of both sides.
const QUIET_DRAW: DrawReason = DrawReason::Rule("100 turns of each side without a capture");
/// The draw by the same two moves made, unmade and made again.
pub const PATTERN_DRAW: DrawReason = DrawReason::Rule("moves made, unmade and remade");

impl Rules for Position {
    type Step = Step;
    type Options = Options;

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn passed(&self) -> Option<Self> {
        (!self.is_prologue() && !self.in_check()).then(|| self.pass())
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
            Some(LONE_KING_DRAW)
        } else if options.clock_draw && self.quiet_plies >= CLOCK_LIMIT {
            Some(QUIET_DRAW)
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

    fn pattern_draw(steps: &[Step]) -> Option<DrawReason> {
        let &[
            white,
            black,
            white_back,
            black_back,
            white_again,
            black_again,
        ] = steps.last_chunk::<6>()?;
        let is_pattern = white.is_unmade_by(white_back)
            && black.is_unmade_by(black_back)
            && white_again == white
            && black_again == black;
        is_pattern.then_some(PATTERN_DRAW)
    }

    fn pattern_begun(steps: &[Step]) -> usize {
        match steps {
            [.., one, two, one_back, two_back]
                if one.is_unmade_by(*one_back) && two.is_unmade_by(*two_back) =>
            {
                4
            }
            [.., made, _, back] if made.is_unmade_by(*back) => 3,
            _ => 0,
        }
    }
}

impl Chance for Position {}

impl Audit for Position {
    fn recomputed_key(&self) -> u64 {
        self.full_key()
    }
}
