//! The choice between two views of a side when its King and the other share a rank, a file or a diagonal: the views are mirror images of
//! each other in that line, and both show the other King in the same place.
//!
//! The line has a left and a right side as seen from the viewing King towards the other King. The chosen view is the one with
//!
//! 1. more cubes on the right;
//! 2. if the sides are equal in that, more of the viewer's pieces on the right, each counted by its code;
//! 3. then more of the opponent's pieces, counted in the same way;
//! 4. then, in the first pair of mirrored cells with different contents (the rows of the view from the lowest up), the greater content on
//!    the right.
//!
//! A position without such a pair is its own mirror image, and both views are equal. The rule uses nothing but what the views show, so
//! turning, mirroring or moving the board, or exchanging the colours, changes no view. It begins with the cubes because few turns move one
//! across the line: a view that changes costs a new accumulator.

use super::relief::Relief;
use crate::core::Color;
use crate::rules::cubes::{Cell, Mask, SIDE};

/// Files and ranks from one cell to another.
#[inline(always)]
pub fn offset(from: Cell, to: Cell) -> [i32; 2] {
    [
        i32::from(to.file()) - i32::from(from.file()),
        i32::from(to.rank()) - i32::from(from.rank()),
    ]
}

/// The direction of a line through both Kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// They stand on one file.
    File,
    /// They stand on one rank.
    Rank,
    /// Rank less file is the same for both.
    Rising,
    /// Rank and file have the same sum for both.
    Falling,
}

/// The greatest number that [`Line::number`] gives.
const LAST: usize = 28;

/// By direction and number, the cells on the line of that number and on all of higher numbers.
static FROM: [[Mask; LAST + 2]; 4] = {
    let mut from = [[Mask::EMPTY; LAST + 2]; 4];
    let lines = [Line::File, Line::Rank, Line::Rising, Line::Falling];
    let mut i = 0;
    while i < 4 * 225 {
        let cell = Cell::new((i % 15) as u8, (i / 15 % 15) as u8);
        let line = lines[i / 225];
        let mut number = 0;
        while number <= line.number(cell) {
            let set = &mut from[line as usize][number];
            *set = set.with(cell);
            number += 1;
        }
        i += 1;
    }
    from
};

impl Line {
    /// The line on which a King sees the other at an offset of files and ranks.
    #[inline(always)]
    pub const fn through([files, ranks]: [i32; 2]) -> Option<Self> {
        if files == 0 {
            Some(Self::File)
        } else if ranks == 0 {
            Some(Self::Rank)
        } else if files == ranks {
            Some(Self::Rising)
        } else if files == -ranks {
            Some(Self::Falling)
        } else {
            None
        }
    }

    /// Which of a view's three turns (files, ranks, their exchange) makes it the other one.
    #[inline(always)]
    pub const fn turn(self) -> usize {
        match self {
            Self::File => 0,
            Self::Rank => 1,
            Self::Rising | Self::Falling => 2,
        }
    }

    /// Which of the parallel lines goes through a cell, from 0 to [`LAST`].
    const fn number(self, cell: Cell) -> usize {
        let (file, rank) = (cell.file() as usize, cell.rank() as usize);
        match self {
            Self::File => file,
            Self::Rank => rank,
            Self::Rising => 14 + file - rank,
            Self::Falling => file + rank,
        }
    }

    /// The cells on the left and on the right of the line in the first of the two views. That view does not turn the files if both
    /// Kings stand on one, nor the ranks if both stand on one, and does not exchange files and ranks if the Kings share a diagonal.
    #[inline(always)]
    fn sides(self, king: Cell, other: Cell) -> [Mask; 2] {
        let number = self.number(king);
        let [from, beyond] = [0, 1].map(|next| FROM[self as usize][number + next]);
        let (lower, higher) = (Mask::ARENA.without(from), beyond);
        let turned = matches!(self, Self::Rising | Self::Falling) && other.file() < king.file();
        if turned {
            [higher, lower]
        } else {
            [lower, higher]
        }
    }

    /// The mirror image of a cell, as the offset of its file and rank from the King's; it may lie outside of the arena.
    const fn mirrored(self, [files, ranks]: [i32; 2]) -> [i32; 2] {
        match self {
            Self::File => [-files, ranks],
            Self::Rank => [files, -ranks],
            Self::Rising => [ranks, files],
            Self::Falling => [-ranks, -files],
        }
    }
}

/// The sum on the right minus the sum on the left of a number that every cell has, given its binary digits.
#[inline(always)]
fn surplus(digits: &[Mask], [left, right]: [Mask; 2]) -> i32 {
    let count = |side: Mask, digit: Mask| (side & digit).len() as i32;
    digits.iter().rev().fold(0, |sum, &digit| {
        2 * sum + count(right, digit) - count(left, digit)
    })
}

/// Whether a side takes the second of the two views, given the line through both Kings and their cells, White's first.
#[inline(never)]
pub fn is_mirrored(relief: &Relief, side: Color, kings: [Cell; 2], line: Line) -> bool {
    let [king, other] = [side, !side].map(|color| kings[color.index()]);
    let sides = line.sides(king, other);
    let mut surplus_right = surplus(&relief.heights, sides);
    if surplus_right == 0 {
        let own = match side {
            Color::White => relief.white,
            Color::Black => !relief.white,
        };
        surplus_right = surplus(&relief.pieces.map(|digit| digit & own), sides);
        if surplus_right == 0 {
            surplus_right = surplus(&relief.pieces.map(|digit| digit.without(own)), sides);
        }
    }
    if surplus_right == 0 {
        return first_difference(relief, side, kings, line).is_some_and(|right| !right);
    }
    surplus_right < 0
}

/// Whether the greater content of the first pair of mirrored cells with different contents is on the right in the first of the two
/// views; `None` without such a pair.
#[cold]
fn first_difference(relief: &Relief, side: Color, kings: [Cell; 2], line: Line) -> Option<bool> {
    let [king, other] = [side, !side].map(|color| kings[color.index()]);
    let [left, right] = line.sides(king, other);
    let occupied = relief.occupied();
    let holds = |cell: Cell| {
        let piece = if occupied.has(cell) {
            let (owner, code) = relief.piece(cell);
            code << 1 | usize::from(owner == side)
        } else {
            0
        };
        piece << 2 | usize::from(relief.height(cell))
    };
    let at = |[files, ranks]: [i32; 2]| {
        let file = u8::try_from(i32::from(king.file()) + files).ok()?;
        let rank = u8::try_from(i32::from(king.rank()) + ranks).ok()?;
        (file < SIDE && rank < SIDE).then(|| Cell::new(file, rank))
    };
    // Ahead, then across, in a view that turns files and ranks so that the other King is ahead and not to the left.
    let signs = offset(king, other).map(|steps| if steps < 0 { -1 } else { 1 });
    let place = |[files, ranks]: [i32; 2]| {
        let [files, ranks] = [signs[0] * files, signs[1] * ranks];
        if line == Line::Rank {
            [files, ranks]
        } else {
            [ranks, files]
        }
    };
    let cells = (relief.heights[0] | relief.heights[1] | occupied) & (left | right);
    let pairs = cells.into_iter().filter_map(|cell| {
        let here = offset(king, cell);
        let there = line.mirrored(here);
        let (held, mirrored) = (holds(cell), at(there).map_or(0, holds));
        let is_right = right.has(cell);
        let pair = place(if is_right { here } else { there });
        (held != mirrored).then_some((pair, is_right == (held > mirrored)))
    });
    pairs.min().map(|(_, greater_right)| greater_right)
}
