//! Whether one step is among the pseudo-legal ones, without a list of all.

use super::attack::View;
use super::cube_moves::fits;
use super::mask::{Cell, Mask};
use super::position::Cubes4d;
use super::step::{Action, Step};
use super::tables::between;
use super::terrain::Way;

impl Cubes4d {
    /// The step from one cell to another, if it is quickly found to be one of the [pseudo-legal ones](Self::pseudo_legal_steps). Returns `None`
    /// for castling, captures by Pawns and consecutive actions, too, which are not looked for.
    pub(crate) fn plain_step(&self, from: Cell, to: Cell) -> Option<Step> {
        if self.prologue || from == to {
            return None;
        }
        if self.occupied().has(from) {
            self.plain_move(from, to)
        } else {
            self.plain_cube(from, to)
        }
    }

    fn plain_move(&self, from: Cell, to: Cell) -> Option<Step> {
        if !self.color(self.side).has(from) || !self.is_position(to) {
            return None;
        }
        let view = &View::new(self, self.side);
        let captures = view.enemy.has(to);
        if view.own.has(to) || captures && view.pawns.has(from) || !view.goes(from, to, captures) {
            return None;
        }
        let target = Mask::of(to);
        let (king, level, occupied) = if from == view.king {
            // The moving piece itself no longer covers anything.
            let occupied = view.occupied ^ Mask::of(from);
            (to, view.terrain.level_of(to), occupied)
        } else {
            let occupied = (view.occupied ^ Mask::of(from)) | target;
            (view.king, view.king_level, occupied)
        };
        if view.is_attacked(king, level, occupied, view.enemy.without(target)) {
            return None;
        }
        let action = if captures {
            Action::Capture
        } else {
            Action::Quiet
        };
        Some(Step { from, to, action })
    }

    fn plain_cube(&self, from: Cell, to: Cell) -> Option<Step> {
        let goes = !self.occupied().has(to)
            && self.last_cube != Some(from)
            && self.color(self.side) != Mask::of(self.king(self.side))
            && fits(self, from, to);
        let action = Action::Cube;
        goes.then_some(Step { from, to, action })
    }
}

impl View {
    /// Whether a piece goes from one place to another by the adjacent, distance or bridge action or a Knight's leap, the King's safety
    /// left aside.
    #[inline(always)]
    fn goes(&self, from: Cell, to: Cell, captures: bool) -> bool {
        let terrain = &self.terrain;
        let level = terrain.level_of(from);
        if self.knights.has(from) {
            return terrain.knight_reach(from, level).has(to);
        }
        let (near, far, beside) = if captures {
            (
                self.near_capture,
                self.far_capture,
                terrain.taken_beside(level),
            )
        } else {
            (self.near, self.far, terrain.touching(level))
        };
        Way::BOTH.into_iter().any(|way| {
            let i = way as usize;
            near[i].has(from) && way.around(from).has(to) && beside.has(to)
                || far[i].has(from)
                    && way.lines(from).has(to)
                    && terrain.level[level].has(to)
                    && terrain.is_line_open(between(from, to), level, self.occupied)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::core::StepList;
    use crate::rules::Notation;
    use crate::rules::cubes::{Action, Cell, Cubes4d, Options, Step};

    /// Every step that is found plain is among the pseudo-legal ones, and most of those are found.
    #[test]
    fn plain_steps_are_pseudo_legal() {
        let (mut found, mut quiet, mut cubes) = ([0; 2], [0; 2], [0; 2]);
        for text in include_str!("../../../../tests/data/cubes4d-won.txt").lines() {
            let position = Cubes4d::from_fen(text, &Options::default())
                .unwrap()
                .position;
            let mut steps = StepList::new();
            position.pseudo_legal_steps(&mut steps);
            let cells = || (0..=u8::MAX).filter_map(Cell::from_index);
            for (from, to) in cells().flat_map(|from| cells().map(move |to| (from, to))) {
                let listed = |step: &&Step| (step.from, step.to) == (from, to);
                let step = position.plain_step(from, to);
                assert!(
                    step.is_none_or(|step| steps.contains(&step)),
                    "{step:?} {text}"
                );
                for listed in steps.iter().filter(listed) {
                    let counts = match listed.action {
                        Action::Capture => &mut found,
                        Action::Quiet => &mut quiet,
                        Action::Cube => &mut cubes,
                        _ => continue,
                    };
                    counts[0] += usize::from(step == Some(*listed));
                    counts[1] += 1;
                }
            }
        }
        assert_eq!(cubes[0], cubes[1], "every cube");
        for [known, all] in [found, quiet] {
            assert!(all > 300 && 10 * known > 8 * all, "{known} of {all}");
        }
    }
}
