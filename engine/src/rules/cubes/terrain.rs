//! The cubes by level, and the paths over them.

use super::mask::{Cell, Mask};
use super::position::Cubes4d;
use super::tables::{CROSS, CROSS_LINES, DIAGONAL, DIAGONAL_LINES, KNIGHT, STRAIGHT_2};

/// The two types of movement, by index into [`View::far`](super::attack::View::far) and its companions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Orthogonal.
    Cross,
    /// Diagonal.
    X,
}

impl Way {
    pub const BOTH: [Self; 2] = [Self::Cross, Self::X];

    #[inline(always)]
    pub fn neighbours(self, set: Mask) -> Mask {
        match self {
            Self::Cross => set.cross(),
            Self::X => set.diagonal(),
        }
    }

    #[inline(always)]
    pub fn around(self, cell: Cell) -> Mask {
        match self {
            Self::Cross => CROSS[cell.index()],
            Self::X => DIAGONAL[cell.index()],
        }
    }

    #[inline(always)]
    pub fn lines(self, cell: Cell) -> Mask {
        match self {
            Self::Cross => CROSS_LINES[cell.index()],
            Self::X => DIAGONAL_LINES[cell.index()],
        }
    }
}

/// The positions of each level, and the cells that bridges pass.
#[derive(Clone, Debug, Default)]
pub struct Terrain {
    /// The positions (columns, admissible trenches) of each level.
    pub level: [Mask; 4],
    /// For each level the cells over which a bridge from that level passes, as far as the rectangle of the base goes:
    /// beyond it there is nowhere to land.
    pub low: [Mask; 4],
}

impl Terrain {
    #[inline(always)]
    pub fn new(position: &Cubes4d) -> Self {
        Self::of(position.heights, position.trenches)
    }

    /// The terrain of columns, given the binary digits of their heights, and of admissible trenches.
    #[inline(always)]
    pub fn of([low_digit, high_digit]: [Mask; 2], trenches: Mask) -> Self {
        let base = low_digit | high_digit;
        let rectangle = base.rectangle();
        let third = low_digit & high_digit;
        let ground = rectangle ^ base;
        Self {
            level: [trenches, low_digit ^ third, high_digit ^ third, third],
            low: [
                ground.without(trenches),
                ground,
                rectangle ^ high_digit,
                rectangle ^ third,
            ],
        }
    }

    /// The positions of a level, none below 0 and above 3.
    #[inline(always)]
    pub fn at(&self, level: usize) -> Mask {
        self.level.get(level).copied().unwrap_or(Mask::EMPTY)
    }

    /// The level of a position.
    #[inline(always)]
    pub fn level_of(&self, cell: Cell) -> usize {
        let [_, one, two, three] = &self.level;
        one.has(cell) as usize + 2 * two.has(cell) as usize + 3 * three.has(cell) as usize
    }

    /// The cells from which a Knight reaches a place on a cell at this level, and the other way round.
    #[inline(always)]
    pub fn knight_reach(&self, cell: Cell, level: usize) -> Mask {
        let i = cell.index();
        KNIGHT[i] & self.level[level]
            | STRAIGHT_2[i] & (self.at(level.wrapping_sub(1)) | self.at(level + 1))
            | CROSS[i] & (self.at(level.wrapping_sub(2)) | self.at(level + 2))
    }

    /// The levels of adjacent places: the level itself and its neighbours.
    #[inline(always)]
    pub fn touching(&self, level: usize) -> Mask {
        self.level[level] | self.at(level.wrapping_sub(1)) | self.at(level + 1)
    }

    /// Returns the places to which a King on a cell could step if they were free.
    #[inline(always)]
    pub fn king_reach(&self, from: Cell) -> Mask {
        (Way::Cross.around(from) | Way::X.around(from)) & self.touching(self.level_of(from))
    }

    /// The levels of adjacent places on which a piece of this level captures: its own and the one below, and up only out of a trench.
    #[inline(always)]
    pub fn taken_beside(&self, level: usize) -> Mask {
        let out = if level == 0 {
            self.level[1]
        } else {
            Mask::EMPTY
        };
        self.level[level] | self.at(level.wrapping_sub(1)) | out
    }

    /// The levels of adjacent places from which pieces capture on this level.
    #[inline(always)]
    pub fn takers_beside(&self, level: usize) -> Mask {
        let out = if level == 1 {
            self.level[0]
        } else {
            Mask::EMPTY
        };
        self.level[level] | self.at(level + 1) | out
    }

    /// Whether pieces of this level go from one end of a line to the other by the distance or the bridge action.
    #[inline(always)]
    pub fn is_line_open(&self, inner: Mask, level: usize, occupied: Mask) -> bool {
        inner.is_within(self.level[level].without(occupied)) || inner.is_within(self.low[level])
    }

    /// The levels from which two or three consecutive steps in one direction (`up` or down) end on a level.
    #[inline(always)]
    pub fn far_levels(&self, level: usize, up: bool) -> Mask {
        if up {
            self.at(level + 2) | self.at(level + 3)
        } else {
            self.at(level.wrapping_sub(2)) | self.at(level.wrapping_sub(3))
        }
    }

    /// The far pieces that could take part in a consecutive capture of a place of this level: with `up` those two or three levels above
    /// it, otherwise those in trenches at least two levels below it.
    #[inline(always)]
    pub fn consecutive_attackers(&self, level: usize, far: Mask, up: bool) -> Mask {
        if up {
            self.far_levels(level, true) & far
        } else if level >= 2 {
            self.level[0] & far
        } else {
            Mask::EMPTY
        }
    }

    /// The places that lie two and three consecutive steps above (`up`) or below a place, over free positions.
    #[inline(always)]
    pub fn consecutive(
        &self,
        way: Way,
        cell: Cell,
        level: usize,
        up: bool,
        free: Mask,
    ) -> [Mask; 2] {
        let next = |n: usize| self.at(if up { level + n } else { level.wrapping_sub(n) });
        let first = way.around(cell) & next(1) & free;
        if first.is_empty() {
            return [Mask::EMPTY; 2];
        }
        let second = way.neighbours(first) & next(2);
        if second.is_empty() {
            return [Mask::EMPTY; 2];
        }
        let third = way.neighbours(second & free) & next(3);
        [second, third]
    }
}
