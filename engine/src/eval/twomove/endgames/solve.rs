//! Retrograde analysis of a king and a piece each.
//!
//! From the mates backwards, a turn at a time (K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986). Steps of
//! kings and pieces that take nothing can be taken back, so that the turns before a position are those of [`each_turn`] from it. What
//! else there is, captures and steps of pawns, leaves the places that are solved together: what it leads to is known
//! before, and they are looked at when the layer of that distance is. A position is won as soon as one after it is lost; whether it is lost is
//! looked up when one after it has become won.

use super::steps::{Pair, board, each_turn};
use super::three;
use crate::core::{Bitboard, Color, Kind, map_in_parallel};
use crate::rules::twomove::{TwoMove, capturable};
use crate::rules::{CastlingRights, Rules};
use std::array::from_fn;

/// By place, as long as it is solved, besides the turns of both sides to the mate and 1 more: nothing is known.
const OPEN: u8 = 0;
/// The side to move has a draw or better.
const SAFE: u8 = 254;
/// No position, or one in which the side to move could take the king.
const ILLEGAL: u8 = 255;
/// Number of turns of both sides that no mate reaches.
const LONGEST: u8 = 250;
/// Places that a thread looks at together; every number of places is a multiple.
const BLOCK: usize = 4_096;

/// Places of two kings and their pieces that are solved together.
pub trait Places: Sync {
    /// How many there are with one side to move.
    const LEN: usize;

    /// The kinds of White's piece and of Black's.
    fn kinds(&self) -> [Kind; 2];

    /// The place of two pairs, White's first.
    fn index(&self, white: Pair, black: Pair) -> usize;

    /// The pairs of a place, White's first; two pieces may stand on one square.
    fn decode(&self, place: usize) -> [Pair; 2];

    /// The other place of the same position, if there is one; otherwise the place itself.
    #[inline(always)]
    fn twin(&self, place: usize) -> usize {
        place
    }

    /// The place of the pair of a side and that of the other.
    #[inline(always)]
    fn index_of(&self, side: usize, own: Pair, other: Pair) -> usize {
        if side == 0 {
            self.index(own, other)
        } else {
            self.index(other, own)
        }
    }

    /// The results of the turns that leave the places, in a legal position with this side to move.
    fn leaving(&self, side: usize, pairs: [Pair; 2]) -> Leaving;
}

/// The results of turns that leave the places solved together: captures and pawn steps, which lead to a table that is already solved, or to
/// a draw.
#[derive(Clone, Copy, Default)]
pub struct Leaving {
    /// Whether one draws.
    pub draws: bool,
    /// The turns of both sides to the mate by the one that wins the soonest; 0: none wins.
    pub won: u8,
    /// The turns of both sides to the mate by the one that loses the latest; 0: none loses.
    pub lost: u8,
}

impl Leaving {
    /// Adds a turn; `value` is what a table says of the position after it: 0 drawn, otherwise the turns to the mate and 1 more.
    pub fn add(&mut self, value: u8) {
        if value == 0 {
            self.draws = true;
        } else if value.is_multiple_of(2) {
            self.lost = self.lost.max(value);
        } else if self.won == 0 || value < self.won {
            // The side that moved has mated after these turns and this one.
            self.won = value;
        }
    }

    const fn is_empty(self) -> bool {
        !self.draws && self.won == 0 && self.lost == 0
    }
}

/// Numbers of legal, won and lost positions of a table.
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

impl Counts {
    fn of(table: &[u8]) -> Self {
        let mut counts = Self::default();
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

    /// Those of two parts together.
    pub fn and(self, other: Self) -> Self {
        Self {
            legal: self.legal + other.legal,
            won: self.won + other.won,
            lost: self.lost + other.lost,
            longest: self.longest.max(other.longest),
        }
    }
}

/// The tables of places, one for each side to move, White first: 0 where nobody wins, otherwise the turns of both sides to the mate and 1
/// more. Where there is no legal position they repeat what is before, which costs nothing when they are compressed.
pub fn solve<P: Places>(places: &P) -> ([Vec<u8>; 2], [Counts; 2]) {
    let mut solver = Solver::new(places);
    let mut last = solver.begin();
    for turns in 1..LONGEST {
        let new = solver.layer(turns, &last);
        let pending = solver.due.iter().skip(usize::from(turns) + 1);
        if new.iter().chain(pending.flatten()).all(Vec::is_empty) {
            break;
        }
        last = new;
    }
    let counts = from_fn(|side| Counts::of(&solver.tables[side]));
    (solver.tables.map(finished), counts)
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

/// The position between two turns in which two pairs of these kinds stand, White's first, if it is legal.
pub fn position(kinds: [Kind; 2], pairs: [Pair; 2], side: usize) -> Option<TwoMove> {
    let [white, black] = pairs;
    let letter = |kind: Kind| kind.letter() as u8;
    let pieces = [
        (b'K', white.king),
        (letter(kinds[0]), white.piece),
        (b'k', black.king),
        (letter(kinds[1]).to_ascii_lowercase(), black.piece),
    ];
    three::position(&pieces, side == 0)
}

/// What is known of a position before anything is solved.
struct Beginning {
    value: u8,
    leaving: Leaving,
}

struct Solver<'a, P> {
    places: &'a P,
    kinds: [Kind; 2],
    /// By side to move.
    tables: [Vec<u8>; 2],
    /// By side and place: the number of turns to the mate for which it was last listed as a candidate.
    tried: [Vec<u8>; 2],
    /// By side and place: distance to mate after the longest-resisting losing turn that leaves the places; 0 if there is none.
    lost: [Vec<u8>; 2],
    /// By turns to the mate and side: the places that a turn leaving them wins in this number (odd), or that such turns lose
    /// in this number, so that they are lost unless another turn helps (even).
    due: Vec<[Vec<u32>; 2]>,
}

impl<'a, P: Places> Solver<'a, P> {
    fn new(places: &'a P) -> Self {
        let mut solver = Self {
            places,
            kinds: places.kinds(),
            tables: [Vec::new(), Vec::new()],
            tried: from_fn(|_| vec![0; P::LEN]),
            lost: from_fn(|_| vec![0; P::LEN]),
            due: vec![[Vec::new(), Vec::new()]; usize::from(LONGEST) + 1],
        };
        solver.tables = from_fn(|side| by_blocks::<P, _>(|place| solver.legal(side, place)));
        solver
    }

    fn legal(&self, side: usize, place: usize) -> u8 {
        let pairs = self.places.decode(place);
        let [white, black] = pairs;
        let squares = [white.king, white.piece, black.king, black.piece];
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

    /// Finds the mates, and the results of the turns that leave the places.
    fn begin(&mut self) -> [Vec<u32>; 2] {
        let beginnings: [Vec<Beginning>; 2] =
            from_fn(|side| by_blocks::<P, _>(|place| self.beginning(side, place)));
        let mut mated = [Vec::new(), Vec::new()];
        for (side, beginnings) in beginnings.into_iter().enumerate() {
            for (place, Beginning { value, leaving }) in beginnings.into_iter().enumerate() {
                self.tables[side][place] = value;
                if value == 1 {
                    mated[side].push(place as u32);
                }
                if leaving.won > 0 {
                    self.due[usize::from(leaving.won)][side].push(place as u32);
                } else if leaving.lost > 0 && value == OPEN {
                    self.due[usize::from(leaving.lost)][side].push(place as u32);
                    self.lost[side][place] = leaving.lost;
                }
            }
        }
        mated
    }

    fn beginning(&self, side: usize, place: usize) -> Beginning {
        let mut beginning = Beginning {
            value: self.tables[side][place],
            leaving: Leaving::default(),
        };
        if beginning.value == ILLEGAL {
            return beginning;
        }
        let pairs = self.places.decode(place);
        beginning.leaving = self.places.leaving(side, pairs);
        let mut has_turn = !beginning.leaving.is_empty();
        if beginning.leaving.draws || beginning.leaving.won > 0 {
            beginning.value = SAFE;
        }
        if !has_turn {
            let (own, other) = (pairs[side], pairs[1 - side]);
            each_turn(self.kinds[side], own, other, &mut |after, took| {
                if !took {
                    let next = self.places.index_of(side, after, other);
                    has_turn = has_turn || self.tables[1 - side][next] != ILLEGAL;
                }
            });
        }
        if !has_turn {
            let lost = position(self.kinds, pairs, side)
                .is_some_and(|position| position.lost_without_turn());
            beginning.value = if lost { 1 } else { SAFE };
        }
        beginning
    }

    /// Finds the positions decided in `turns` turns, from those decided in one less; `last` has these.
    fn layer(&mut self, turns: u8, last: &[Vec<u32>; 2]) -> [Vec<u32>; 2] {
        let mut new = [Vec::new(), Vec::new()];
        for side in 0..2 {
            let mut decided = self.before(side, &last[1 - side], turns);
            let table = &self.tables[side];
            decided.extend(&self.due[usize::from(turns)][side]);
            if turns % 2 == 1 {
                decided.retain(|&place| matches!(table[place as usize], OPEN | SAFE));
            } else {
                decided.retain(|&place| table[place as usize] == OPEN);
                let lost = map_in_parallel(
                    &decided,
                    || (),
                    |(), &place| self.is_lost(side, place, turns),
                );
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

    /// The places from which a side comes to one of these by a turn, each once.
    fn before(&mut self, side: usize, after: &[u32], turns: u8) -> Vec<u32> {
        let (places, kind, tried) = (self.places, self.kinds[side], &mut self.tried[side]);
        let mut found = Vec::new();
        for &place in after {
            let pairs = places.decode(place as usize);
            let other = pairs[1 - side];
            each_turn(kind, pairs[side], other, &mut |before, took| {
                if took {
                    return;
                }
                let place = places.index_of(side, before, other);
                for place in [place, places.twin(place)] {
                    if tried[place] != turns {
                        tried[place] = turns;
                        found.push(place as u32);
                    }
                }
            });
        }
        found
    }

    /// Whether every turn of a side that has no mate and none that draws or wins by leaving the places leads to a position that the
    /// other side wins, in fewer than `turns` turns.
    fn is_lost(&self, side: usize, place: u32, turns: u8) -> bool {
        let pairs = self.places.decode(place as usize);
        let other = pairs[1 - side];
        let table = &self.tables[1 - side];
        let mut lost = self.lost[side][place as usize] <= turns;
        each_turn(self.kinds[side], pairs[side], other, &mut |after, took| {
            if lost && !took {
                let value = table[self.places.index_of(side, after, other)];
                lost =
                    value == ILLEGAL || value.is_multiple_of(2) && value != OPEN && value != SAFE;
            }
        });
        lost
    }
}

/// Something for each place of a table, on all processors.
fn by_blocks<P: Places, T: Send>(of: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    let blocks: Vec<usize> = (0..P::LEN / BLOCK).collect();
    let block = |(): &mut (), &block: &usize| -> Vec<T> {
        (block * BLOCK..(block + 1) * BLOCK).map(&of).collect()
    };
    map_in_parallel(&blocks, || (), block)
        .into_iter()
        .flatten()
        .collect()
}
