//! A king and a pawn each: where the table has a position, and what it is worth.
//!
//! The side to move is seen as White, so that one table is enough. Positions are solved by the ranks of the pawns, most
//! advanced pawns first, because pawn steps lead there. (Each is solved twice, once as its mirror: simpler than not to.)
//! Black's king stands on files a to d by the symmetry of the board.
//! Positions in which a pawn can be taken in passing are not in the table.

use super::Place;
use super::four::canonical;
use super::pawn::{leaving_pawns, on_left_half};
use super::solve::{self, Counts, Leaving, Places};
use super::steps::Pair;
use crate::core::{Color, Kind, Square};
use crate::rules::twomove::TwoMove;
use crate::rules::{Rules, for_each_turn};
use std::array::from_fn;

/// Ranks that a pawn stands on.
const RANKS: u8 = 6;
/// Places of a rank each: Black's king, White's king, the file of White's pawn, that of Black's.
const GROUP: usize = 32 << 12;
/// The length of the table.
pub const LEN: usize = GROUP * (RANKS * RANKS) as usize;

/// The place among those with the pawns on their ranks.
#[inline]
fn index(white: Pair, black: Pair) -> usize {
    let [other, king, pawn, other_pawn] = canonical(white, black, true);
    other << 12 | king << 6 | (pawn % 8) << 3 | other_pawn % 8
}

/// Where the places of two ranks begin, 1 to 6 each, as White sees them.
fn begin(ranks: [u8; 2]) -> usize {
    usize::from((ranks[0] - 1) * RANKS + ranks[1] - 1) * GROUP
}

/// Where the table has a position between two turns in which both pairs, White's first, have a pawn.
pub fn place_of(position: &TwoMove, [white, black]: [Pair; 2]) -> Option<usize> {
    if position.en_passant_targets().any() {
        return None;
    }
    let mover = position.side_to_move();
    let seen = |pair: Pair| Pair {
        king: pair.king.seen_by(mover),
        piece: pair.piece.seen_by(mover),
    };
    let (own, other) = match mover {
        Color::White => (seen(white), seen(black)),
        Color::Black => (seen(black), seen(white)),
    };
    Some(begin([own.piece.rank(), other.piece.rank()]) + index(own, other))
}

/// The positions with pawns on two ranks, and all that was solved before.
struct OnRanks<'a> {
    /// Of White's pawn and of Black's, 1 to 6 each.
    ranks: [u8; 2],
    /// The sections before.
    solved: &'a [Vec<u8>],
    /// This table as far as it is made.
    made: &'a [u8],
}

impl OnRanks<'_> {
    /// What the tables say of a position that a turn has led to: 0 drawn, otherwise the turns of both sides to the mate and 1 more.
    fn value(&self, after: &TwoMove) -> u8 {
        match super::place_of(after) {
            Some(Place { section, index }) if section < self.solved.len() => {
                self.solved[section][index]
            }
            Some(Place { index, .. }) => self.made[index],
            None if after.en_passant_targets().any() => self.value_in_passing(after),
            // A bishop against a king.
            None => 0,
        }
    }

    /// What follows for a position in which a pawn can be taken in passing from those after its turns.
    fn value_in_passing(&self, position: &TwoMove) -> u8 {
        let (mut leaving, mut has_turn) = (Leaving::default(), false);
        for_each_turn(position, &mut |_, after| {
            has_turn = true;
            leaving.add(self.value(after));
        });
        match leaving {
            _ if !has_turn => u8::from(position.lost_without_turn()),
            Leaving { won: 1.., .. } => leaving.won + 1,
            Leaving { draws: true, .. } => 0,
            Leaving { lost, .. } => lost + 1,
        }
    }
}

impl Places for OnRanks<'_> {
    const LEN: usize = GROUP;

    fn kinds(&self) -> [Kind; 2] {
        [Kind::Pawn; 2]
    }

    #[inline(always)]
    fn index(&self, white: Pair, black: Pair) -> usize {
        index(white, black)
    }

    #[inline(always)]
    fn decode(&self, place: usize) -> [Pair; 2] {
        let pawn = |shift: u32, rank| Square::new((place >> shift & 7) as u8, rank);
        let white = Pair {
            king: Square::from_index((place >> 6 & 63) as u8),
            piece: pawn(3, self.ranks[0]),
        };
        let black = Pair {
            king: on_left_half(place >> 12),
            piece: pawn(0, self.ranks[1]),
        };
        [white, black]
    }

    fn leaving(&self, side: usize, pairs: [Pair; 2]) -> Leaving {
        leaving_pawns(self.kinds(), pairs, side, |after| self.value(after))
    }
}

/// The table, after all sections of three pieces and of a king and a piece each.
pub fn solve(solved: &[Vec<u8>]) -> (Vec<u8>, [Counts; 2]) {
    let (mut table, mut counts) = (vec![0; LEN], [Counts::default(); 2]);
    let both = (1..=RANKS).flat_map(|white| (1..=RANKS).map(move |black| [white, black]));
    let mut groups: Vec<[u8; 2]> = both.collect();
    // White's pawn goes up, Black's down.
    groups.sort_by_key(|[white, black]| RANKS + black - white);
    for ranks in groups {
        let ([made, _], counted) = solve::solve(&OnRanks {
            ranks,
            solved,
            made: &table,
        });
        table[begin(ranks)..][..GROUP].copy_from_slice(&made);
        counts = from_fn(|side| counts[side].and(counted[side]));
    }
    (table, counts)
}
