//! The game's implementation of the rules traits.

use super::Options;
use super::position::{CLOCK_LIMIT, Cubes4d, LONE_KING_LIMIT};
use super::step::Step;
use crate::core::{Color, StepList};
use crate::rules::{Chance, DrawReason, Draws, RecomputeKey, Rules, Turn, WinReason};

/// The draw of a lone King that has resisted long enough.
pub const LONE_KING_DRAW: DrawReason = DrawReason::Rule("the lone King's resistance");
/// The draw by quiet turns of both sides.
const QUIET_DRAW: DrawReason = DrawReason::Rule("100 turns of each side without a capture");
/// The draw by the same two moves made, unmade and made again.
pub const PATTERN_DRAW: DrawReason = DrawReason::Rule("moves made, unmade and remade");

impl Rules for Cubes4d {
    type Step = Step;
    type Options = Options;

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn null_move(&self) -> Option<Self> {
        (!self.is_prologue() && !self.in_check()).then(|| self.after_null_move())
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

impl Draws for Cubes4d {
    fn count_draw(&self) -> Option<DrawReason> {
        let resisted = self.lone.contains(&Some(LONE_KING_LIMIT));
        resisted.then_some(LONE_KING_DRAW)
    }

    fn clock_draw(&self, options: &Options) -> Option<DrawReason> {
        (self.clock_turns(options) >= Self::CLOCK_LIMIT).then_some(QUIET_DRAW)
    }

    const CLOCK_LIMIT: usize = CLOCK_LIMIT as usize;

    fn clock_turns(&self, options: &Options) -> usize {
        if options.clock_draw {
            usize::from(self.quiet_plies)
        } else {
            0
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

    fn pattern_rest(steps: &[Step]) -> Turn<Step> {
        match steps {
            [.., first, second, first_back, second_back, again]
                if first.is_unmade_by(*first_back)
                    && second.is_unmade_by(*second_back)
                    && again == first =>
            {
                Turn::from_slice(&[*second])
            }
            [.., first, second, first_back, second_back]
                if first.is_unmade_by(*first_back) && second.is_unmade_by(*second_back) =>
            {
                Turn::from_slice(&[*first, *second])
            }
            [.., first, second, first_back] if first.is_unmade_by(*first_back) => second
                .unmade()
                .map_or_else(Turn::new, |back| Turn::from_slice(&[back, *first, *second])),
            _ => Turn::new(),
        }
    }
}

impl Chance for Cubes4d {}

impl RecomputeKey for Cubes4d {
    fn recomputed_key(&self) -> u64 {
        self.full_key()
    }
}
