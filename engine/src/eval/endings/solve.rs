//! Value iteration.
//!
//! The value of a position is the mean over the rolls of the best that a turn leads to (L. S. Shapley, "Stochastic games",
//! PNAS 39, 1953; R. Bellman, "A Markovian decision process", 1957). The results of all rolls of all positions of a class are listed once, as
//! numbers in the tables; then the values with one more turn to go before the draw are computed from those with one less, a hundred
//! times, from one half for the draw itself. A pawn's step and a capture begin the count anew: ranks of pawns are solved from the
//! seventh down, each after what its pawn's steps lead to.

use super::Endings;
use super::class::{CLASSES, Class, TOTAL, index};
use crate::core::Kind;
use crate::rules::Rules;
use crate::rules::dice::{DiceChess, Found, Walker, groups};
use rayon::prelude::*;

/// So many quiet turns draw.
const QUIET_TURNS: u32 = 100;
/// Positions that a thread lists at once.
const PORTION: usize = 4_096;

/// What is reported while tables are made.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The letter of the third man, ` ` for kings alone.
    pub man: char,
    /// The rank that it stands on, 1 to 8, if it is a pawn.
    pub rank: Option<u8>,
    /// The positions of the class.
    pub positions: usize,
    /// The most that the hundredth turn before the draw still changes in a value.
    pub change: f64,
}

/// Positions, and what their rolls lead to.
#[derive(Default)]
struct Rows {
    positions: Vec<Row>,
    rolls: Vec<Roll>,
    /// Numbers in the tables of the other side.
    results: Vec<u32>,
}

struct Row {
    index: usize,
    /// The throws that take the king.
    kings: u32,
    /// Where its rolls end.
    end: usize,
}

struct Roll {
    throws: u32,
    /// Where its results end.
    end: usize,
}

impl Rows {
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
            let weight = group.weight as u32;
            if kings >> group.roll & 1 != 0 {
                throws += weight;
                continue;
            }
            walker.results(group.pool, found);
            for one in found.iter() {
                let next = index(&walker.position(one));
                self.results
                    .push(next.expect("turns lead to no more men") as u32);
            }
            self.rolls.push(Roll {
                throws: weight,
                end: self.results.len(),
            });
        }
        self.positions.push(Row {
            index: number,
            kings: throws,
            end: self.rolls.len(),
        });
    }

    /// The values of all positions from those that they lead to.
    fn values<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + 'a {
        let (mut roll, mut result) = (0, 0);
        self.positions.iter().map(move |row| {
            let mut sum = f64::from(row.kings);
            for one in &self.rolls[roll..row.end] {
                let worst = self.results[result..one.end]
                    .iter()
                    .map(|&next| values[next as usize])
                    .fold(1.0, f64::min);
                sum += f64::from(one.throws) * (1.0 - worst);
                result = one.end;
            }
            roll = row.end;
            (row.index, sum / 216.0)
        })
    }
}

/// Lists the results of all positions of one table.
fn list(class: Class, rank: Option<u8>, owner_rolls: bool) -> Vec<Rows> {
    class
        .places(rank, owner_rolls)
        .par_chunks(PORTION)
        .map(|places| {
            let (mut rows, mut walker, mut found) = (Rows::default(), Walker::new(), Vec::new());
            for (number, place) in places {
                rows.add(*number, &place.position(), &mut walker, &mut found);
            }
            rows
        })
        .collect()
}

/// Gives the values one more turn before the draw; and the largest change.
fn sweep(tables: &[Vec<Rows>], values: &mut [f64]) -> f64 {
    let fresh: Vec<Vec<(usize, f64)>> = tables
        .par_iter()
        .flatten()
        .map(|rows| rows.values(values).collect())
        .collect();
    let mut change: f64 = 0.0;
    for (number, value) in fresh.into_iter().flatten() {
        change = change.max((values[number] - value).abs());
        values[number] = value;
    }
    change
}

impl Endings {
    /// Makes the tables, on all processors; `report` hears of each class that is done, pawns rank by rank. Takes some minutes of
    /// processor time and, for a while, half a gigabyte.
    pub fn solve(report: &mut dyn FnMut(Progress)) -> Self {
        Self::solve_classes(&CLASSES, report)
    }

    /// Makes the tables of some classes, those first that the others lead to; the others' values are one half.
    pub(super) fn solve_classes(classes: &[Class], report: &mut dyn FnMut(Progress)) -> Self {
        let mut values = vec![0.5; TOTAL];
        for &class in classes {
            let ranks: Vec<Option<u8>> = match class.0 {
                Some(Kind::Pawn) => (1..7).rev().map(Some).collect(),
                _ => vec![None],
            };
            for rank in ranks {
                report(solve_part(class, rank, &mut values));
            }
        }
        let round = |value: f64| (value * f64::from(u16::MAX)).round() as u16;
        Self(values.into_iter().map(round).collect())
    }
}

/// Computes the values of a class, of pawns those of one rank (0 to 7).
fn solve_part(class: Class, rank: Option<u8>, values: &mut [f64]) -> Progress {
    let sides: &[bool] = match class.0 {
        Some(_) => &[true, false],
        None => &[true],
    };
    let list = |&side: &bool| list(class, rank, side);
    let tables: Vec<Vec<Rows>> = sides.iter().map(list).collect();
    let mut change = 0.0;
    for _ in 0..QUIET_TURNS {
        change = sweep(&tables, values);
    }
    Progress {
        man: class.0.map_or(' ', Kind::letter),
        rank: rank.map(|rank| rank + 1),
        positions: tables
            .iter()
            .flatten()
            .map(|rows| rows.positions.len())
            .sum(),
        change,
    }
}
