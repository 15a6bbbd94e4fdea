//! Listing and counting the legal second halves, and with them the turns, and finding out whether there is one.

use super::second::{self, Sink, origin};
use super::{TwoMove, movegen};
use crate::core::{Bitboard, Kinds, Move, Square, StepList};

/// Appends the moves to a list.
pub(super) struct Lister<'a>(pub &'a mut StepList<Move>);

impl Sink for Lister<'_> {
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.0.push(Move::new(from, to));
        }
    }

    fn pawns(&mut self, targets: Bitboard, back: u8) {
        for to in targets {
            self.0.push(Move::new(origin(to, back), to));
        }
    }

    fn promotions(&mut self, targets: Bitboard, back: u8) {
        for to in targets {
            for kind in Kinds::CHESS_PROMOTIONS {
                self.0.push(Move::promoting(origin(to, back), to, kind));
            }
        }
    }

    fn step(&mut self, step: Move) {
        self.0.push(step);
    }
}

struct Counter(u64);

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: u8) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: u8) {
        self.0 += u64::from(targets.len() * Kinds::CHESS_PROMOTIONS.len());
    }

    #[inline(always)]
    fn step(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Whether there has been a move.
struct Any(bool);

impl Sink for Any {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: u8) {
        self.0 |= targets.any();
    }

    #[inline(always)]
    fn promotions(&mut self, _: Bitboard, _: u8) {
        self.0 = true;
    }

    #[inline(always)]
    fn step(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline(always)]
    fn is_satisfied(&self) -> bool {
        self.0
    }
}

/// Whether the turn can be finished from a position with one move left.
fn can_finish(position: &TwoMove) -> bool {
    let mut any = Any(false);
    second::legal(position, &mut any);
    any.0
}

/// Whether there is a turn.
pub(super) fn has_turn(position: &TwoMove) -> bool {
    if position.moves_left == 1 {
        return can_finish(position);
    }
    let mut any = false;
    movegen::pseudo_legal(position, &mut |step| {
        any = any || can_finish(&position.half(step));
    });
    any
}

/// The number of ordered ways to finish the turn.
pub(super) fn turns(position: &TwoMove) -> u64 {
    let mut counter = Counter(0);
    if position.moves_left == 1 {
        second::legal(position, &mut counter);
    } else {
        movegen::pseudo_legal(position, &mut |step| {
            second::legal(&position.half(step), &mut counter);
        });
    }
    counter.0
}
