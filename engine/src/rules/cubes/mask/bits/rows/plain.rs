//! Eight rows of cells in two words.

/// Bits of the last and of the first file, in the four rows of a word.
const LAST_FILE: u64 = 0x8000_8000_8000_8000;
const FIRST_FILE: u64 = 0x0001_0001_0001_0001;

/// Eight rows of sixteen cells each, the first row in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub struct Rows([u64; 2]);

impl Rows {
    /// The rows of these words, four in each.
    #[inline(always)]
    pub const fn new(words: [u64; 2]) -> Self {
        Self(words)
    }

    /// The words of the rows, four in each.
    #[inline(always)]
    pub const fn words(self) -> [u64; 2] {
        self.0
    }

    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([operation(a, c), operation(b, d)])
    }

    /// The cells of both.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// The cells of either.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// The cells of one alone.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    /// The cells that the other has not.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// Whether there is no cell.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == [0; 2]
    }

    /// Every cell one file further; what leaves its row is lost.
    #[inline(always)]
    pub fn file_up(self) -> Self {
        Self(self.0.map(|word| (word & !LAST_FILE) << 1))
    }

    /// Every cell one file back; what leaves its row is lost.
    #[inline(always)]
    pub fn file_down(self) -> Self {
        Self(self.0.map(|word| (word & !FIRST_FILE) >> 1))
    }

    /// Every cell one row further; the last of the rows below comes in.
    #[inline(always)]
    pub fn row_up(self, below: Self) -> Self {
        let [a, b] = self.0;
        Self([a << 16 | below.0[1] >> 48, b << 16 | a >> 48])
    }

    /// Every cell one row back; the first of the rows above comes in.
    #[inline(always)]
    pub fn row_down(self, above: Self) -> Self {
        let [a, b] = self.0;
        Self([a >> 16 | b << 48, b >> 16 | above.0[0] << 48])
    }

    /// All cells of the rows that have one; none has one in the last file.
    #[inline(always)]
    pub fn full(self) -> Self {
        // A row with a cell carries into the last file and no further.
        Self(
            self.0
                .map(|word| ((word + !LAST_FILE) >> 15 & FIRST_FILE) * 0xffff),
        )
    }
}
