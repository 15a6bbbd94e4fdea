//! Retrograde analysis of a king and a piece each.
//!
//! From the mates backwards, a turn at a time (K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Steps of
//! pieces that take nothing can be taken back, so that the turns before a position are those of [`each_turn`] from it. A
//! position is won as soon as one after it is lost; whether it is lost is looked up when one after it has become won.

use super::four::{LEN, decode, index, kinds, twin};
use super::steps::{Pair, board, each_turn};
use super::three;
use crate::core::{Bitboard, Color, Kind, map_in_parallel};
use crate::rules::twomove::capturable;
use crate::rules::{CastlingRights, Rules};
use std::array::from_fn;

/// By place, as long as it is solved, besides the turns of both sides to the mate and 1 more: nothing is known.
const OPEN: u8 = 0;
/// The side to move has a draw or better.
const SAFE: u8 = 254;
/// No position, or one in which the side to move could take the king.
const ILLEGAL: u8 = 255;
/// No mate takes so many turns of both sides.
const LONGEST: u8 = 250;
/// Places that a thread looks at together.
const BLOCK: usize = 4_096;

/// How many positions of a table are what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Legal positions; twins by the long diagonal count twice.
    pub legal: usize,
    /// Those that the side to move wins.
    pub won: usize,
    /// Those that it loses.
    pub lost: usize,
    /// The turns of both sides of the longest mate.
    pub longest: u8,
}

/// The tables of a class, one for each side to move, White first: 0 where nobody wins, otherwise the turns of both sides to the mate and 1
/// more; `three` are those of three men. Where there is no legal position they repeat what is before, which costs nothing when they are compressed.
pub fn solve(class: usize, three: &[u8]) -> ([Vec<u8>; 2], [Counts; 2]) {
    let mut solver = Solver::new(kinds(class), three);
    let mut last = solver.begin();
    for turns in 1..LONGEST {
        let new = solver.layer(turns, &last);
        let pending = solver.taking.iter().skip(usize::from(turns) + 1);
        if new.iter().chain(pending.flatten()).all(Vec::is_empty) && turns > 1 {
            break;
        }
        last = new;
    }
    let counts = from_fn(|side| count(&solver.tables[side]));
    (solver.tables.map(finished), counts)
}

fn count(table: &[u8]) -> Counts {
    let mut counts = Counts::default();
    for &value in table.iter().filter(|&&value| value != ILLEGAL) {
        counts.legal += 1;
        if value != OPEN && value != SAFE {
            counts.longest = counts.longest.max(value - 1);
            *(if value % 2 == 0 {
                &mut counts.won
            } else {
                &mut counts.lost
            }) += 1;
        }
    }
    counts
}

fn finished(mut table: Vec<u8>) -> Vec<u8> {
    let mut before = 0;
    for value in &mut table {
        before = match *value {
            ILLEGAL => before,
            SAFE => 0,
            known => known,
        };
        *value = before;
    }
    table
}

/// What is known of a position before anything is solved.
struct Beginning {
    value: u8,
    /// The turns to the mate after the best capture that wins; 0: there is none.
    taking: u8,
}

struct Solver<'a> {
    kinds: [Kind; 2],
    three: &'a [u8],
    /// By side to move.
    tables: [Vec<u8>; 2],
    /// By side and place the turns at which it was last looked at.
    tried: [Vec<u8>; 2],
    /// By turns to the mate and side the places where taking the piece leads to it.
    taking: Vec<[Vec<u32>; 2]>,
}

impl<'a> Solver<'a> {
    fn new(kinds: [Kind; 2], three: &'a [u8]) -> Self {
        let mut solver = Self {
            kinds,
            three,
            tables: [Vec::new(), Vec::new()],
            tried: [vec![0; LEN], vec![0; LEN]],
            taking: vec![[Vec::new(), Vec::new()]; usize::from(LONGEST) + 1],
        };
        solver.tables = from_fn(|side| by_blocks(|place| solver.legal(side, place)));
        solver
    }

    /// The place of the men of a side and of the other.
    #[inline(always)]
    fn place(side: usize, own: Pair, other: Pair) -> usize {
        if side == 0 {
            index(own, other)
        } else {
            index(other, own)
        }
    }

    fn legal(&self, side: usize, place: usize) -> u8 {
        let pairs = decode(place);
        let [white, black] = pairs;
        let squares = [white.king, white.man, black.king, black.man];
        let apart = (1..4).all(|n| !squares[..n].contains(&squares[n]));
        let takes_king = || {
            let (board, rights) = (board(self.kinds, pairs), CastlingRights::default());
            capturable(&board, Color::ALL[side], rights, Bitboard::EMPTY)
        };
        if !apart || takes_king() {
            ILLEGAL
        } else {
            OPEN
        }
    }

    /// The mates, and what the captures lead to.
    fn begin(&mut self) -> [Vec<u32>; 2] {
        let beginnings: [Vec<Beginning>; 2] =
            from_fn(|side| by_blocks(|place| self.beginning(side, place)));
        let mut mated = [Vec::new(), Vec::new()];
        for (side, beginnings) in beginnings.into_iter().enumerate() {
            for (place, beginning) in beginnings.into_iter().enumerate() {
                self.tables[side][place] = beginning.value;
                if beginning.value == 1 {
                    mated[side].push(place as u32);
                }
                if beginning.taking > 0 {
                    self.taking[usize::from(beginning.taking)][side].push(place as u32);
                }
            }
        }
        mated
    }

    fn beginning(&self, side: usize, place: usize) -> Beginning {
        let mut beginning = Beginning {
            value: self.tables[side][place],
            taking: 0,
        };
        if beginning.value == ILLEGAL {
            return beginning;
        }
        let pairs = decode(place);
        let (own, other) = (pairs[side], pairs[1 - side]);
        let (mut has_turn, mut taking) = (false, u8::MAX);
        each_turn(self.kinds[side], own, other, &mut |after, took| {
            if took {
                // The king alone takes the other king from two squares away.
                if after.king.distance(other.king) > 2 {
                    beginning.value = SAFE;
                    let mated =
                        three::turns_of_lone_king(self.three, self.kinds[side], after, other.king);
                    taking = taking.min(mated.map_or(u8::MAX, |turns| turns + 1));
                }
            } else {
                let next = Self::place(side, after, other);
                has_turn = has_turn || self.tables[1 - side][next] != ILLEGAL;
            }
        });
        if taking < u8::MAX {
            beginning.taking = taking;
        }
        if !has_turn && beginning.value == OPEN {
            let position = three::position(
                &[
                    (b'K', pairs[0].king),
                    (self.kinds[0].letter() as u8, pairs[0].man),
                    (b'k', pairs[1].king),
                    (
                        self.kinds[1].letter().to_ascii_lowercase() as u8,
                        pairs[1].man,
                    ),
                ],
                side == 0,
            );
            let lost = position.is_some_and(|position| position.lost_without_turn());
            beginning.value = if lost { 1 } else { SAFE };
        }
        beginning
    }

    /// Finds the positions that are decided in so many turns, from those that are in one less; `last` has these.
    fn layer(&mut self, turns: u8, last: &[Vec<u32>; 2]) -> [Vec<u32>; 2] {
        let mut new = [Vec::new(), Vec::new()];
        for side in 0..2 {
            let mut decided = Vec::new();
            for &place in &last[1 - side] {
                let pairs = decode(place as usize);
                let (kind, tried) = (self.kinds[side], &mut self.tried[side]);
                each_turn(kind, pairs[side], pairs[1 - side], &mut |before, took| {
                    if took {
                        return;
                    }
                    let place = Self::place(side, before, pairs[1 - side]);
                    for place in [place, twin(place)] {
                        if tried[place] != turns {
                            tried[place] = turns;
                            decided.push(place as u32);
                        }
                    }
                });
            }
            let table = &self.tables[side];
            if turns % 2 == 1 {
                decided.extend(&self.taking[usize::from(turns)][side]);
                decided.retain(|&place| matches!(table[place as usize], OPEN | SAFE));
            } else {
                decided.retain(|&place| table[place as usize] == OPEN);
                let lost = map_in_parallel(&decided, || (), |(), &place| self.is_lost(side, place));
                let mut lost = lost.into_iter();
                decided.retain(|_| lost.next() == Some(true));
            }
            decided.sort_unstable();
            decided.dedup();
            new[side] = decided;
        }
        for (table, new) in self.tables.iter_mut().zip(&new) {
            for &place in new {
                table[place as usize] = turns + 1;
            }
        }
        new
    }

    /// Whether every turn of a side that has neither mate nor capture leads to a position that the other side wins.
    fn is_lost(&self, side: usize, place: u32) -> bool {
        let pairs = decode(place as usize);
        let other = pairs[1 - side];
        let table = &self.tables[1 - side];
        let mut lost = true;
        each_turn(self.kinds[side], pairs[side], other, &mut |after, took| {
            // What could be taken cannot be taken legally: see `SAFE`.
            if lost && !took {
                let value = table[Self::place(side, after, other)];
                lost =
                    value == ILLEGAL || value.is_multiple_of(2) && value != OPEN && value != SAFE;
            }
        });
        lost
    }
}

/// Something for each place of a table, on all processors.
fn by_blocks<T: Send>(of: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    let blocks: Vec<usize> = (0..LEN / BLOCK).collect();
    let block = |(): &mut (), &block: &usize| -> Vec<T> {
        (block * BLOCK..(block + 1) * BLOCK).map(&of).collect()
    };
    map_in_parallel(&blocks, || (), block)
        .into_iter()
        .flatten()
        .collect()
}
