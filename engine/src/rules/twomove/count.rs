//! Listing and counting the legal second halves, and with them the turns.

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
