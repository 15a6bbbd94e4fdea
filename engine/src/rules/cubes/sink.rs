//! Receivers of generated steps: one counts, one lists.

use super::mask::{Cell, Mask};
use super::position::{Cubes4d, Reserve};
use super::step::{Action, Step};
use crate::core::StepList;

/// Receives the steps of a generator, as whole sets where possible.
pub trait Sink {
    /// Pieces go without capture to each of these cells from the cell `offset` before it.
    fn quiet(&mut self, to: Mask, offset: i16);
    /// Pieces that do not promote capture on each of these cells from the cell `offset` before it.
    fn capture(&mut self, to: Mask, offset: i16);
    /// Pawns capture on each of these cells from the cell `offset` before it.
    fn pawn_capture(&mut self, to: Mask, offset: i16);
    /// A piece other than a Pawn goes to these cells.
    fn from(&mut self, from: Cell, quiet: Mask, capture: Mask);
    /// Cubes go to each of these cells from the cell `offset` before it.
    fn cube(&mut self, to: Mask, offset: i16);
    /// One step.
    fn one(&mut self, step: Step);
}

/// What a capturing Pawn becomes: one action for each choice.
pub struct Promotions {
    pub queen: bool,
    pub grand_pawn: bool,
}

impl Promotions {
    pub fn new(position: &Cubes4d) -> Self {
        Self {
            queen: position.pool(position.side, Reserve::Queen) > 0,
            grand_pawn: position.pool(position.side, Reserve::GrandPawn) > 0,
        }
    }

    const fn count(&self) -> u64 {
        if self.queen && self.grand_pawn { 2 } else { 1 }
    }
}

/// Counts.
pub(super) struct Counter {
    pub promotions: Promotions,
    pub count: u64,
}

impl Sink for Counter {
    #[inline(always)]
    fn quiet(&mut self, to: Mask, _: i16) {
        self.count += to.len() as u64;
    }
    #[inline(always)]
    fn capture(&mut self, to: Mask, _: i16) {
        self.count += to.len() as u64;
    }
    #[inline(always)]
    fn pawn_capture(&mut self, to: Mask, _: i16) {
        self.count += to.len() as u64 * self.promotions.count();
    }
    #[inline(always)]
    fn from(&mut self, _: Cell, quiet: Mask, capture: Mask) {
        self.count += (quiet.len() + capture.len()) as u64;
    }
    #[inline(always)]
    fn cube(&mut self, to: Mask, _: i16) {
        self.count += to.len() as u64;
    }
    #[inline(always)]
    fn one(&mut self, _: Step) {
        self.count += 1;
    }
}

/// Lists.
pub struct Lister<'a> {
    pub promotions: Promotions,
    pub steps: &'a mut StepList<Step>,
}

impl Lister<'_> {
    #[inline(always)]
    fn add(&mut self, to: Mask, offset: i16, action: Action) {
        for to in to {
            self.steps.push(Step {
                from: to.back(offset),
                to,
                action,
            });
        }
    }
}

impl Sink for Lister<'_> {
    #[inline(always)]
    fn quiet(&mut self, to: Mask, offset: i16) {
        self.add(to, offset, Action::Quiet);
    }
    #[inline(always)]
    fn capture(&mut self, to: Mask, offset: i16) {
        self.add(to, offset, Action::Capture);
    }
    fn pawn_capture(&mut self, to: Mask, offset: i16) {
        if self.promotions.queen {
            self.add(to, offset, Action::PromoteQueen);
        }
        if self.promotions.grand_pawn {
            self.add(to, offset, Action::PromoteGrandPawn);
        }
        if !self.promotions.queen && !self.promotions.grand_pawn {
            self.add(to, offset, Action::Capture);
        }
    }
    #[inline(always)]
    fn from(&mut self, from: Cell, quiet: Mask, capture: Mask) {
        for (set, action) in [(quiet, Action::Quiet), (capture, Action::Capture)] {
            for to in set {
                self.steps.push(Step { from, to, action });
            }
        }
    }
    #[inline(always)]
    fn cube(&mut self, to: Mask, offset: i16) {
        self.add(to, offset, Action::Cube);
    }
    #[inline(always)]
    fn one(&mut self, step: Step) {
        self.steps.push(step);
    }
}
