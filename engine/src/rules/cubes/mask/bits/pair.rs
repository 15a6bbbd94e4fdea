//! A set of 256 cells in two vectors of 128 bits, where there are no longer ones.

use super::rows::Rows;

/// Sixteen rows of sixteen cells each, the first row in the lowest bits of the first half.
#[derive(Clone, Copy, Debug)]
pub struct Bits([Rows; 2]);

impl Bits {
    /// The set of these words.
    #[inline(always)]
    pub const fn new([a, b, c, d]: [u64; 4]) -> Self {
        Self([Rows::new([a, b]), Rows::new([c, d])])
    }

    /// The words of the set.
    #[inline(always)]
    pub const fn words(self) -> [u64; 4] {
        let [[a, b], [c, d]] = [self.0[0].words(), self.0[1].words()];
        [a, b, c, d]
    }

    /// The set of one cell.
    #[inline(always)]
    pub fn one(cell: u8) -> Self {
        let mut words = [0; 4];
        words[usize::from(cell >> 6)] = 1 << (cell & 63);
        Self::new(words)
    }

    /// The cells of both sets.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([a.and(c), b.and(d)])
    }

    /// The cells of either set.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([a.or(c), b.or(d)])
    }

    /// The cells of one set alone.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([a.xor(c), b.xor(d)])
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0[0].or(self.0[1]).is_empty()
    }

    /// Whether the sets have no cell in common.
    #[inline(always)]
    pub fn is_disjoint(self, other: Self) -> bool {
        self.and(other).is_empty()
    }

    /// Whether every cell is in the other set.
    #[inline(always)]
    pub fn is_within(self, other: Self) -> bool {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([a.without(c), b.without(d)]).is_empty()
    }

    /// Every cell one file further; what leaves its row is lost.
    #[inline(always)]
    pub fn file_up(self) -> Self {
        Self([self.0[0].file_up(), self.0[1].file_up()])
    }

    /// Every cell one file back; what leaves its row is lost.
    #[inline(always)]
    pub fn file_down(self) -> Self {
        Self([self.0[0].file_down(), self.0[1].file_down()])
    }

    /// Every cell one row further.
    #[inline(always)]
    pub fn row_up(self) -> Self {
        let [low, high] = self.0;
        Self([low.row_up(Rows::new([0; 2])), high.row_up(low)])
    }

    /// Every cell one row back.
    #[inline(always)]
    pub fn row_down(self) -> Self {
        let [low, high] = self.0;
        Self([low.row_down(high), high.row_down(Rows::new([0; 2]))])
    }

    /// The product of the rows and the files that have a cell of the set, which has none in the last file.
    #[inline(always)]
    pub fn rectangle(self) -> Self {
        let [low, high] = self.0;
        let [a, b] = low.or(high).words();
        let mut files = a | b;
        files |= files >> 32;
        files = ((files | files >> 16) & 0xffff) * 0x0001_0001_0001_0001;
        let files = Rows::new([files; 2]);
        Self([low.full().and(files), high.full().and(files)])
    }
}
