use std::fmt;
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

    /// The cell `offset` places on in the numbering; the caller knows that it is in the arena.
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

/// A set of cells, one bit each, that is shifted as a whole. 240 bits in four words, the rest stays clear except in the
/// results of `!` and of shifts, which are met with sets inside the arena before they are used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mask(pub(super) [u64; 4]);

/// The eight directions as differences of cell numbers, each followed by its opposite: the orthogonal ones first.
pub const DIRECTIONS: [i16; 8] = [1, -1, 16, -16, 17, -17, 15, -15];

impl Mask {
    /// No cell.
    pub const EMPTY: Self = Self([0; 4]);
    /// The 225 cells of the arena.
    pub const ARENA: Self = {
        let row = 0x7fff_7fff_7fff_7fff;
        Self([row, row, row, row >> 16])
    };

    /// One cell.
    #[inline(always)]
    pub const fn of(cell: Cell) -> Self {
        let mut words = [0; 4];
        words[(cell.0 >> 6) as usize] = 1 << (cell.0 & 63);
        Self(words)
    }

    /// Whether the set has the cell.
    #[inline(always)]
    pub const fn has(&self, cell: Cell) -> bool {
        self.0[(cell.0 >> 6) as usize] >> (cell.0 & 63) & 1 != 0
    }

    /// Toggles the cell.
    #[inline(always)]
    pub const fn toggle(&mut self, cell: Cell) {
        self.0[(cell.0 >> 6) as usize] ^= 1 << (cell.0 & 63);
    }

    /// Adds the cell.
    #[inline(always)]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[(cell.0 >> 6) as usize] |= 1 << (cell.0 & 63);
    }

    /// Whether there is no cell.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// Whether there is a cell.
    #[inline(always)]
    pub const fn any(&self) -> bool {
        !self.is_empty()
    }

    /// The bits, for hashes.
    #[inline(always)]
    pub const fn words(&self) -> [u64; 4] {
        self.0
    }

    /// The number of cells.
    #[inline(always)]
    pub const fn len(&self) -> u32 {
        self.0[0].count_ones()
            + self.0[1].count_ones()
            + self.0[2].count_ones()
            + self.0[3].count_ones()
    }

    /// Whether the set has cells in common with another.
    #[inline(always)]
    pub fn meets(self, other: Self) -> bool {
        (self & other).any()
    }

    /// Whether every cell is in the other set.
    #[inline(always)]
    pub fn is_within(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// The cells that are not in the other set.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        self & !other
    }

    /// The first cell; with none, an unspecified one.
    #[inline(always)]
    pub const fn first(&self) -> Cell {
        let mut i = 0;
        while i < 3 && self.0[i] == 0 {
            i += 1;
        }
        Cell(((i as u32) << 6 | self.0[i].trailing_zeros() & 63) as u8)
    }

    /// Every cell moved by `D`: the difference of cell numbers to one of the eight neighbours.
    #[inline(always)]
    pub const fn shift<const D: i16>(self) -> Self {
        let [a, b, c, d] = self.0;
        if D > 0 {
            let n = D as u32;
            let m = 64 - n;
            Self([a << n, b << n | a >> m, c << n | b >> m, d << n | c >> m])
        } else {
            let n = -D as u32;
            let m = 64 - n;
            Self([a >> n | b << m, b >> n | c << m, c >> n | d << m, d >> n])
        }
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
        const ONES: u64 = 0x0001_0001_0001_0001;
        let mut files = self.0[0] | self.0[1] | self.0[2] | self.0[3];
        files |= files >> 32;
        files = ((files | files >> 16) & 0x7fff) * ONES;
        Self(self.0.map(|word| {
            // The margin's file is empty, so that a rank with a cell carries into it and no further.
            let ranks = (word + 0x7fff * ONES) >> 15 & ONES;
            (ranks * 0xffff) & files
        }))
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

impl BitAnd for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, o: Self) -> Self {
        let (a, b) = (self.0, o.0);
        Self([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }
}

impl BitOr for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, o: Self) -> Self {
        let (a, b) = (self.0, o.0);
        Self([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }
}

impl BitXor for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        let (a, b) = (self.0, o.0);
        Self([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]])
    }
}

impl Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let a = self.0;
        Self([!a[0], !a[1], !a[2], !a[3]])
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

/// The cells of a set in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Cells {
    words: [u64; 4],
    word: u8,
}

impl Iterator for Cells {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        while self.word < 4 {
            let bits = &mut self.words[self.word as usize];
            if *bits != 0 {
                let bit = bits.trailing_zeros() as u8;
                *bits &= *bits - 1;
                return Some(Cell(self.word << 6 | bit));
            }
            self.word += 1;
        }
        None
    }
}

impl IntoIterator for Mask {
    type Item = Cell;
    type IntoIter = Cells;

    #[inline(always)]
    fn into_iter(self) -> Cells {
        Cells {
            words: self.0,
            word: 0,
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
