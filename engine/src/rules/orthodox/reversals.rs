//! Moves by the change that they make in the key of a position, so that the search sees that one move would repeat an
//! earlier position. Source: van Kervinck, "The Design and Implementation of the Rookie 2.0 Chess Playing Program", 2002;
//! here with open addressing instead of cuckoo hashing.

use super::Orthodox;
use super::position::{BLACK_TO_MOVE, piece_key};
use crate::core::{Bitboard, Color, Kind, Move};
use crate::rules::Board;
use std::sync::LazyLock;

/// Number of slots, about twice that of the moves of all kinds.
const SLOTS: usize = 1 << 14;

/// The moves of all pieces but pawns on an empty board, each in one of its two directions, in a hash table by the change that
/// they make in the key. A change of 0 marks an empty slot.
static MOVES: LazyLock<Box<[(u64, Move)]>> = LazyLock::new(|| {
    let mut slots = vec![(0, Move::from_bits(0)); SLOTS].into_boxed_slice();
    for color in Color::ALL {
        for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::Pawn) {
            for from in Bitboard(!0) {
                for to in Board::<10>::piece_attacks(kind, from, Bitboard::EMPTY) {
                    if from.index() > to.index() {
                        continue;
                    }
                    let change =
                        BLACK_TO_MOVE ^ piece_key(color, kind, from) ^ piece_key(color, kind, to);
                    let mut slot = change as usize % SLOTS;
                    while slots[slot].0 != 0 {
                        slot = (slot + 1) % SLOTS;
                    }
                    slots[slot] = (change, Move::new(from, to));
                }
            }
        }
    }
    slots
});

impl<const N: usize> Orthodox<N> {
    /// Whether the side to move has a legal move, neither castling nor of a pawn, that changes the key by `change`.
    pub fn reaches(&self, change: u64) -> bool {
        let moves = &**MOVES;
        let mut slot = change as usize % SLOTS;
        while moves[slot].0 != change {
            if moves[slot].0 == 0 {
                return false;
            }
            slot = (slot + 1) % SLOTS;
        }
        let step = moves[slot].1;
        [step, Move::new(step.to(), step.from())]
            .into_iter()
            .any(|step| {
                self.is_plainly_legal(step) && self.predicted_key(step).0 == self.key ^ change
            })
    }
}
