//! Cells, and sets of cells.

mod bits;

use bits::{Bits, Count};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// Files and ranks of the arena.
pub const SIDE: u8 = 15;

/// A cell of the 15 x 15 arena: rank * 16 + file, both from 0 (file a, rank 1). The 16th file and rank are a margin that
/// holds nothing, so that shifted sets do not wrap.
///
/// ```
/// use fauve_engine::rules::cubes::Cell;
///
/// let cell = Cell::from_text("e10").expect("a cell");
/// assert_eq!((cell.file(), cell.rank()), (4, 9));
/// assert_eq!(cell.signed(), (-3, 2));
/// assert_eq!(Cell::from_text("p1"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell(pub(super) u8);

impl Cell {
    /// The cell of a file and a rank below 15.
    #[inline(always)]
    pub const fn new(file: u8, rank: u8) -> Self {
        Self(rank << 4 | file)
    }

    /// The file, 0..15 from a.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    /// The rank, 0..15 from 1.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// A King's steps from here to another cell if nothing were in the way.
    #[inline(always)]
    pub const fn distance(self, other: Self) -> i32 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        (if files > ranks { files } else { ranks }) as i32
    }

    /// 0..240, for tables of 256 entries.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell of an [index](Self::index), if it is one of the arena.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index & 15 < SIDE && index >> 4 < SIDE {
            Some(Self(index))
        } else {
            None
        }
    }

    /// The cell's place in words of the game: file and rank from -7 to 7.
    pub const fn signed(self) -> (i8, i8) {
        (self.file() as i8 - 7, self.rank() as i8 - 7)
    }

    /// Reads `e10`.
    pub fn from_text(text: &str) -> Option<Self> {
        let (&letter, digits) = text.as_bytes().split_first()?;
        let file = letter.wrapping_sub(b'a');
        let rank: u8 = match digits {
            [d @ b'1'..=b'9'] => d - b'0',
            [b'1', d @ b'0'..=b'5'] => 10 + d - b'0',
            _ => return None,
        };
        (file < SIDE).then(|| Self::new(file, rank - 1))
    }

    /// The cell whose number is lower by `offset`; the caller knows that it is in the arena.
    #[inline(always)]
    pub(super) const fn back(self, offset: i16) -> Self {
        Self((self.0 as i16 - offset) as u8)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

/// A set of cells, one bit each, that is shifted as a whole. 225 of 256 bits, in sixteen rows of sixteen; the rest stays clear except in
/// the results of `!` and of shifts, which are met with sets inside the arena before they are used.
#[derive(Clone, Copy)]
pub struct Mask(Bits);

/// The eight directions as differences of cell numbers, each followed by its opposite: the orthogonal ones first.
pub const DIRECTIONS: [i16; 8] = [1, -1, 16, -16, 17, -17, 15, -15];

impl Mask {
    /// No cell.
    pub const EMPTY: Self = Self::new([0; 4]);
    /// The 225 cells of the arena.
    pub const ARENA: Self = {
        let row = 0x7fff_7fff_7fff_7fff;
        Self::new([row, row, row, row >> 16])
    };

    /// The set of these words, which lie as in [`Mask::words`].
    pub(super) const fn new(words: [u64; 4]) -> Self {
        Self(Bits::new(words))
    }

    /// The set with one cell more, for tables that are computed at compile time.
    pub const fn with(self, cell: Cell) -> Self {
        let mut words = self.words();
        words[(cell.0 >> 6) as usize] |= 1 << (cell.0 & 63);
        Self::new(words)
    }

    /// One cell.
    #[inline(always)]
    pub fn of(cell: Cell) -> Self {
        Self(Bits::one(cell.0))
    }

    /// Whether the set has the cell.
    #[inline(always)]
    pub const fn has(&self, cell: Cell) -> bool {
        self.words()[(cell.0 >> 6) as usize] >> (cell.0 & 63) & 1 != 0
    }

    /// Toggles the cell.
    #[inline(always)]
    pub fn toggle(&mut self, cell: Cell) {
        *self ^= Self::of(cell);
    }

    /// Adds the cell.
    #[inline(always)]
    pub fn insert(&mut self, cell: Cell) {
        *self |= Self::of(cell);
    }

    /// Whether there is no cell.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.is_disjoint(self.0)
    }

    /// Whether there is a cell.
    #[inline(always)]
    pub fn any(self) -> bool {
        !self.is_empty()
    }

    /// The bits: four rows in each word, the lowest number of a cell in the lowest bit.
    #[inline(always)]
    pub const fn words(&self) -> [u64; 4] {
        self.0.words()
    }

    /// The number of cells.
    #[inline(always)]
    pub fn len(self) -> u32 {
        let [a, b, c, d] = self.words();
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// Whether the set has cells in common with another.
    #[inline(always)]
    pub fn meets(self, other: Self) -> bool {
        !self.0.is_disjoint(other.0)
    }

    /// Whether every cell is in the other set.
    #[inline(always)]
    pub fn is_within(self, other: Self) -> bool {
        self.0.is_within(other.0)
    }

    /// The cells that are not in the other set.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        self & !other
    }

    /// The first cell; with none, an unspecified one.
    #[inline(always)]
    pub fn first(self) -> Cell {
        let words = self.words();
        let word = words.iter().position(|&word| word != 0).unwrap_or(3);
        Cell(((word as u32) << 6 | words[word].trailing_zeros() & 63) as u8)
    }

    /// Every cell moved by `D`: the difference of cell numbers to one of the eight neighbours. What leaves its row is lost.
    #[inline(always)]
    pub fn shift<const D: i16>(self) -> Self {
        let bits = self.0;
        let moved = match D {
            15..=17 => bits.row_up(),
            -17..=-15 => bits.row_down(),
            _ => bits,
        };
        Self(match D {
            -15 | 1 | 17 => moved.file_up(),
            -17 | -1 | 15 => moved.file_down(),
            _ => moved,
        })
    }

    /// The orthogonal neighbours of all cells (with margin bits).
    #[inline(always)]
    pub fn cross(self) -> Self {
        self.shift::<1>() | self.shift::<-1>() | self.shift::<16>() | self.shift::<-16>()
    }

    /// The diagonal neighbours of all cells (with margin bits).
    #[inline(always)]
    pub fn diagonal(self) -> Self {
        let sideways = self.shift::<1>() | self.shift::<-1>();
        sideways.shift::<16>() | sideways.shift::<-16>()
    }

    /// All eight neighbours of all cells, and the cells (with margin bits).
    #[inline(always)]
    pub fn grown(self) -> Self {
        let row = self | self.shift::<1>() | self.shift::<-1>();
        row | row.shift::<16>() | row.shift::<-16>()
    }

    /// Whether the cells are connected by sides and corners. The empty set is.
    ///
    /// ```
    /// use fauve_engine::rules::cubes::{Cell, Mask};
    ///
    /// let mut set = Mask::of(Cell::new(3, 3)) | Mask::of(Cell::new(4, 4));
    /// assert!(set.is_connected(), "they share a corner");
    /// set.insert(Cell::new(6, 4));
    /// assert!(!set.is_connected());
    /// ```
    pub fn is_connected(self) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut reached = Self::of(self.first());
        loop {
            let next = reached.grown() & self;
            if next == reached {
                return reached == self;
            }
            reached = next;
        }
    }

    /// Whether the cells of `some`, a subset, are connected within the set.
    #[inline]
    pub fn connects(self, some: Self) -> bool {
        let mut reached = Self::of(some.first()) & some;
        loop {
            if some.is_within(reached) {
                return true;
            }
            let next = reached.grown() & self;
            if next == reached {
                return false;
            }
            reached = next;
        }
    }

    /// The product of the files and the ranks that have a cell of the set: of a connected set the smallest rectangle.
    #[inline(always)]
    pub fn rectangle(self) -> Self {
        Self(self.0.rectangle())
    }

    /// The bounds of the smallest rectangle that holds the set: lowest and highest file, lowest and highest rank. `None`
    /// for the empty set.
    pub fn bounds(self) -> Option<[u8; 4]> {
        let mut bounds: Option<[u8; 4]> = None;
        for cell in self {
            let (x, y) = (cell.file(), cell.rank());
            bounds = Some(match bounds {
                None => [x, x, y, y],
                Some([x0, x1, y0, y1]) => [x0.min(x), x1.max(x), y0.min(y), y1.max(y)],
            });
        }
        bounds
    }
}

impl Default for Mask {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PartialEq for Mask {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        (*self ^ *other).is_empty()
    }
}

impl Eq for Mask {}

impl Hash for Mask {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().hash(state);
    }
}

impl BitAnd for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0.and(other.0))
    }
}

impl BitOr for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }
}

impl BitXor for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0.xor(other.0))
    }
}

impl Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::new([u64::MAX; 4])
    }
}

impl BitAndAssign for Mask {
    #[inline(always)]
    fn bitand_assign(&mut self, o: Self) {
        *self = *self & o;
    }
}

impl BitOrAssign for Mask {
    #[inline(always)]
    fn bitor_assign(&mut self, o: Self) {
        *self = *self | o;
    }
}

impl BitXorAssign for Mask {
    #[inline(always)]
    fn bitxor_assign(&mut self, o: Self) {
        *self = *self ^ o;
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// How many cells several sets have, those in more than one counted each time.
#[derive(Clone, Copy, Debug)]
pub struct CellCount(Count);

impl Default for CellCount {
    #[inline(always)]
    fn default() -> Self {
        Self(Count::zero())
    }
}

impl CellCount {
    /// Counts the cells of one set more.
    #[inline(always)]
    pub fn add(&mut self, set: Mask) {
        self.0.add(set.0);
    }

    /// The number of cells.
    #[inline(always)]
    pub fn total(self) -> u32 {
        self.0.total() as u32
    }
}

/// The cells of a set in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Cells {
    words: [u64; 4],
    /// The number of a word, and the cells of it that are left.
    word: u8,
    left: u64,
}

impl Iterator for Cells {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        while self.left == 0 {
            self.word += 1;
            self.left = *self.words.get(usize::from(self.word))?;
        }
        let bit = self.left.trailing_zeros() as u8;
        self.left &= self.left - 1;
        Some(Cell(self.word << 6 | bit))
    }
}

impl IntoIterator for Mask {
    type Item = Cell;
    type IntoIter = Cells;

    #[inline(always)]
    fn into_iter(self) -> Cells {
        let words = self.words();
        Cells {
            words,
            word: 0,
            left: words[0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cells: impl IntoIterator<Item = Cell>) -> Mask {
        let mut mask = Mask::EMPTY;
        for cell in cells {
            mask.insert(cell);
        }
        mask
    }

    #[test]
    fn every_shift_moves_every_cell_and_never_wraps() {
        fn check<const D: i16>(dx: i8, dy: i8) {
            assert!(DIRECTIONS.contains(&D));
            for cell in Mask::ARENA {
                let (x, y) = (cell.file() as i8 + dx, cell.rank() as i8 + dy);
                let inside = (0..15).contains(&x) && (0..15).contains(&y);
                let expected = inside.then(|| Cell::new(x as u8, y as u8));
                let moved = Mask::of(cell).shift::<D>() & Mask::ARENA;
                assert_eq!(moved, set(expected), "{cell} by {D}");
            }
        }
        check::<1>(1, 0);
        check::<-1>(-1, 0);
        check::<16>(0, 1);
        check::<-16>(0, -1);
        check::<17>(1, 1);
        check::<-17>(-1, -1);
        check::<15>(-1, 1);
        check::<-15>(1, -1);
    }

    #[test]
    fn neighbours_by_shifts() {
        for cell in Mask::ARENA {
            let near = |wanted: fn(u8) -> bool| {
                set(Mask::ARENA.into_iter().filter(|other| {
                    let dx = other.file().abs_diff(cell.file());
                    let dy = other.rank().abs_diff(cell.rank());
                    dx <= 1 && dy <= 1 && wanted(dx + dy)
                }))
            };
            assert_eq!(Mask::of(cell).cross() & Mask::ARENA, near(|d| d == 1));
            assert_eq!(Mask::of(cell).diagonal() & Mask::ARENA, near(|d| d == 2));
            assert_eq!(Mask::of(cell).grown() & Mask::ARENA, near(|_| true));
        }
    }

    #[test]
    fn sets_count_list_and_hang_together() {
        assert_eq!(Mask::ARENA.len(), 225);
        assert_eq!(Mask::ARENA.into_iter().count(), 225);
        assert!(Mask::ARENA.is_connected() && Mask::EMPTY.is_connected());
        let chain = set([Cell::new(3, 3), Cell::new(4, 4), Cell::new(5, 4)]);
        assert!(chain.is_connected());
        assert!(!(chain | Mask::of(Cell::new(7, 5))).is_connected());
        assert_eq!(chain.bounds(), Some([3, 5, 3, 4]));
        assert_eq!(chain.first(), Cell::new(3, 3));
        // The last file and the first file of the next rank are neighbours in number only.
        assert!(!set([Cell::new(14, 3), Cell::new(0, 4)]).is_connected());
    }

    #[test]
    fn rectangles() {
        assert_eq!(Mask::EMPTY.rectangle(), Mask::EMPTY);
        assert_eq!(Mask::ARENA.rectangle(), Mask::ARENA);
        for (a, b) in [((0, 0), (14, 14)), ((3, 5), (4, 6)), ((14, 2), (13, 3))] {
            let chain = set([Cell::new(a.0, a.1), Cell::new(b.0, b.1)]);
            let cells = Mask::ARENA.into_iter().filter(|cell| {
                [a.0, b.0].contains(&cell.file()) && [a.1, b.1].contains(&cell.rank())
            });
            assert_eq!(chain.rectangle(), set(cells));
        }
    }

    #[test]
    fn cell_names_go_both_ways() {
        for cell in Mask::ARENA {
            assert_eq!(Cell::from_text(&cell.to_string()), Some(cell));
        }
        for bad in ["", "a", "a0", "a16", "p1", "A1", "a01", "a1 ", "é1", "a+1"] {
            assert_eq!(Cell::from_text(bad), None, "{bad}");
        }
    }
}
