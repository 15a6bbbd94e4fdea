//! Value iteration.
//!
//! The value of a position is the mean over the rolls of the best that a turn leads to (L. S. Shapley, "Stochastic games",
//! PNAS 39, 1953; R. Bellman, "A Markovian decision process", 1957). The results of all rolls of all positions of a class are listed once, as
//! indices into the tables. Then each sweep computes the values with one more quiet turn left before the draw from those with one less, beginning
//! with one half for the draw itself, a hundred times or until no value changes any more. A pawn's step and a capture reset the count of quiet
//! turns, so that classes with a pawn are solved by the pawn's rank, from the seventh down: each after the ranks to which its pawn steps.

use super::Endgames;
use super::class::{CLASSES, Class, OFFSETS, Place, index};
use crate::core::Kind;
use crate::rules::Rules;
use crate::rules::dice::{DiceChess, Found, Walker, groups};
use rayon::prelude::*;
use std::sync::Arc;

/// Number of quiet turns that draw.
const QUIET_TURNS: u32 = 100;
/// Number of positions whose results a thread lists at a time.
const PORTION: usize = 4_096;
/// The remaining sweeps are left out once they cannot change any value by more than this, the precision to which values are stored. No
/// sweep changes a value by more than the greatest change of the sweep before, so that this change times the number of remaining sweeps is
/// a bound.
const STANDS_STILL: f64 = 1.0 / 65_535.0;

/// What is reported while tables are made.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The pieces of the class, the owner's in capitals.
    pub pieces: &'a str,
    /// The rank of the pawn, 1 to 8, if there is one.
    pub rank: Option<u8>,
    /// The positions of the class.
    pub positions: usize,
    /// Turns before the draw that were computed: a hundred, or fewer if the values stopped changing.
    pub turns: u32,
    /// The most that the last of them changed in a value.
    pub change: f64,
}

/// Positions, and what their rolls lead to.
#[derive(Default)]
pub(super) struct Rows {
    positions: Vec<Row>,
    rolls: Vec<Roll>,
    /// Numbers in the tables of the other side.
    results: Vec<u32>,
}

struct Row {
    index: u32,
    /// The throws that take the king.
    kings: u8,
    /// Where its rolls end.
    end: u32,
}

struct Roll {
    throws: u8,
    /// Where its results end.
    end: u32,
}

impl Rows {
    /// Of these places with their numbers.
    pub(super) fn of(places: &[(usize, Place)]) -> Self {
        let (mut rows, mut walker, mut found) = (Self::default(), Walker::new(), Vec::new());
        for (number, place) in places {
            rows.add(*number, &place.position(), &mut walker, &mut found);
        }
        rows.positions.shrink_to_fit();
        rows.rolls.shrink_to_fit();
        rows.results.shrink_to_fit();
        rows
    }

    fn add(
        &mut self,
        number: usize,
        position: &DiceChess,
        walker: &mut Walker,
        found: &mut Vec<Found>,
    ) {
        let kings = position.king_capturing_rolls(position.side_to_move());
        let mut throws = 0;
        walker.start(position);
        for group in groups(position.kinds_in_play()) {
            let weight = group.weight as u8;
            if kings >> group.roll & 1 != 0 {
                throws += weight;
                continue;
            }
            walker.results(group.pool, found);
            for one in found.iter() {
                let next = index(&walker.position(one));
                self.results
                    .push(next.expect("turns lead to no more pieces") as u32);
            }
            self.rolls.push(Roll {
                throws: weight,
                end: self.results.len() as u32,
            });
        }
        self.positions.push(Row {
            index: number as u32,
            kings: throws,
            end: self.rolls.len() as u32,
        });
    }

    /// The values of all positions from those that they lead to.
    pub(super) fn values(
        &self,
        value: impl Fn(usize) -> f32,
    ) -> impl Iterator<Item = (usize, f32)> {
        let (mut roll, mut result) = (0, 0);
        self.positions.iter().map(move |row| {
            let mut sum = f64::from(row.kings);
            for one in &self.rolls[roll..row.end as usize] {
                let worst = self.results[result..one.end as usize]
                    .iter()
                    .map(|&next| value(next as usize))
                    .fold(1.0, f32::min);
                sum += f64::from(one.throws) * (1.0 - f64::from(worst));
                result = one.end as usize;
            }
            roll = row.end as usize;
            (row.index as usize, (sum / 216.0) as f32)
        })
    }
}

/// Lists the results of all positions of one table.
fn list(class: Class, rank: Option<u8>, owner_rolls: bool) -> Vec<Rows> {
    class
        .places(rank, owner_rolls)
        .par_chunks(PORTION)
        .map(Rows::of)
        .collect()
}

/// One sweep: computes the values with one more quiet turn left before the draw, and returns the largest change.
fn sweep(tables: &[Vec<Rows>], values: &mut [f32]) -> f64 {
    let fresh: Vec<Vec<(usize, f32)>> = tables
        .par_iter()
        .flatten()
        .map(|rows| rows.values(|number| values[number]).collect())
        .collect();
    let mut change: f32 = 0.0;
    for (number, value) in fresh.into_iter().flatten() {
        change = change.max((values[number] - value).abs());
        values[number] = value;
    }
    f64::from(change)
}

impl Endgames {
    /// Empty tables, to which classes can be added.
    pub fn empty() -> Self {
        Self(Arc::new([]))
    }

    /// These tables with those of the next class added, if there is one with no more pieces than that, on all processors. `report` is called with
    /// the progress, for pawns rank by rank. Up to three pieces all classes together take ten seconds of processor time and half a
    /// gigabyte; a class of four takes minutes of processor time and up to fifteen gigabytes. However often one stops between two classes,
    /// the tables are the same.
    pub fn with_next(&self, most_pieces: u32, report: &mut dyn FnMut(Progress)) -> Option<Self> {
        let number = self.classes();
        let class = *CLASSES.get(number)?;
        if class.pieces_count() > most_pieces {
            return None;
        }
        let mut values: Vec<f32> = self.0.iter().copied().map(value_of).collect();
        values.resize(OFFSETS[number + 1], 0.5);
        let ranks: Vec<Option<u8>> = match class.pieces[0] {
            Some(Kind::Pawn) => (1..7).rev().map(Some).collect(),
            _ => vec![None],
        };
        for rank in ranks {
            solve_part(class, rank, &mut values, report);
        }
        let round = |value: f32| (value * f32::from(u16::MAX)).round() as u16;
        Some(Self(values.into_iter().map(round).collect()))
    }
}

/// The probability that a number of the tables stands for.
pub(super) fn value_of(number: u16) -> f32 {
    f32::from(number) / f32::from(u16::MAX)
}

/// Computes the values of a class, of pawns those of one rank (0 to 7).
fn solve_part(
    class: Class,
    rank: Option<u8>,
    values: &mut [f32],
    report: &mut dyn FnMut(Progress),
) {
    let list = |&side: &bool| list(class, rank, side);
    let tables: Vec<Vec<Rows>> = class.sides().iter().map(list).collect();
    let (mut change, mut turns) = (f64::MAX, 0);
    while change * f64::from(QUIET_TURNS - turns) > STANDS_STILL {
        change = sweep(&tables, values);
        turns += 1;
    }
    let rows = tables.iter().flatten();
    report(Progress {
        pieces: &class.to_string(),
        rank: rank.map(|rank| rank + 1),
        positions: rows.map(|rows| rows.positions.len()).sum(),
        turns,
        change,
    });
}
