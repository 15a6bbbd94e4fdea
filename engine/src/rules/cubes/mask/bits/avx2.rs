//! A set of 256 cells in one vector of AVX2. The compiler splits sets of four words into words, of which a function that works with ten
//! sets keeps most on the stack.
//!
//! `unsafe` is needed for two reasons. Functions for a vector unit may only be called where there is one: this module is only part of
//! programs that are compiled for processors with AVX2. A vector is read from and written to four words of the same size, of which every
//! bit pattern is a value.

#[cfg(target_arch = "x86")]
use std::arch::x86::{self as simd, __m256i};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{self as simd, __m256i};
use std::mem::transmute;

/// Sixteen rows of sixteen cells each, the first row in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub struct Bits(__m256i);

impl Bits {
    /// The set of these words.
    #[inline(always)]
    pub const fn new(words: [u64; 4]) -> Self {
        // SAFETY: of one size, and both have all bit patterns.
        Self(unsafe { transmute::<[u64; 4], __m256i>(words) })
    }

    /// The words of the set.
    #[inline(always)]
    pub const fn words(self) -> [u64; 4] {
        // SAFETY: of one size, and both have all bit patterns.
        unsafe { transmute::<__m256i, [u64; 4]>(self.0) }
    }

    /// The set of one cell.
    #[inline(always)]
    pub fn one(cell: u8) -> Self {
        // SAFETY: there is AVX2. Words that a count of 64 or more moves to the left, and negative counts are large ones, become 0.
        Self(unsafe {
            let place = simd::_mm256_sub_epi64(
                simd::_mm256_set1_epi64x(i64::from(cell)),
                simd::_mm256_set_epi64x(192, 128, 64, 0),
            );
            simd::_mm256_sllv_epi64(simd::_mm256_set1_epi64x(1), place)
        })
    }

    /// The cells of both sets.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        // SAFETY: there is AVX2.
        Self(unsafe { simd::_mm256_and_si256(self.0, other.0) })
    }

    /// The cells of either set.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        // SAFETY: there is AVX2.
        Self(unsafe { simd::_mm256_or_si256(self.0, other.0) })
    }

    /// The cells of one set alone.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        // SAFETY: there is AVX2.
        Self(unsafe { simd::_mm256_xor_si256(self.0, other.0) })
    }

    /// Whether the sets have no cell in common.
    #[inline(always)]
    pub fn is_disjoint(self, other: Self) -> bool {
        // SAFETY: there is AVX2.
        unsafe { simd::_mm256_testz_si256(self.0, other.0) != 0 }
    }

    /// Whether every cell is in the other set.
    #[inline(always)]
    pub fn is_within(self, other: Self) -> bool {
        // SAFETY: there is AVX2.
        unsafe { simd::_mm256_testc_si256(other.0, self.0) != 0 }
    }

    /// Every cell one file further; what leaves its row is lost.
    #[inline(always)]
    pub fn file_up(self) -> Self {
        // SAFETY: there is AVX2.
        Self(unsafe { simd::_mm256_slli_epi16::<1>(self.0) })
    }

    /// Every cell one file back; what leaves its row is lost.
    #[inline(always)]
    pub fn file_down(self) -> Self {
        // SAFETY: there is AVX2.
        Self(unsafe { simd::_mm256_srli_epi16::<1>(self.0) })
    }

    /// Every cell one row further.
    #[inline(always)]
    pub fn row_up(self) -> Self {
        // SAFETY: there is AVX2. The second vector is the lower half, moved up: what comes in below each half.
        Self(unsafe {
            let below = simd::_mm256_permute2x128_si256::<0x08>(self.0, self.0);
            simd::_mm256_alignr_epi8::<14>(self.0, below)
        })
    }

    /// Every cell one row back.
    #[inline(always)]
    pub fn row_down(self) -> Self {
        // SAFETY: there is AVX2. The first vector is the upper half, moved down: what comes in above each half.
        Self(unsafe {
            let above = simd::_mm256_permute2x128_si256::<0x81>(self.0, self.0);
            simd::_mm256_alignr_epi8::<2>(above, self.0)
        })
    }

    /// The product of the rows and the files that have a cell of the set, which has none in the last file.
    #[inline(always)]
    pub fn rectangle(self) -> Self {
        // SAFETY: there is AVX2. A row with a cell is a positive number, because the last file is its sign.
        Self(unsafe {
            let halves = simd::_mm256_or_si256(
                self.0,
                simd::_mm256_permute4x64_epi64::<0b01_00_11_10>(self.0),
            );
            let words =
                simd::_mm256_or_si256(halves, simd::_mm256_shuffle_epi32::<0b01_00_11_10>(halves));
            let pairs =
                simd::_mm256_or_si256(words, simd::_mm256_shuffle_epi32::<0b10_11_00_01>(words));
            let files = simd::_mm256_or_si256(pairs, simd::_mm256_srli_epi32::<16>(pairs));
            let files = simd::_mm256_broadcastw_epi16(simd::_mm256_castsi256_si128(files));
            let rows = simd::_mm256_cmpgt_epi16(self.0, simd::_mm256_setzero_si256());
            simd::_mm256_and_si256(rows, files)
        })
    }
}

/// How many cells sets have had, word by word: added up across the words once, at the end.
#[derive(Clone, Copy, Debug)]
pub struct Count(__m256i);

impl Count {
    /// No cell.
    #[inline(always)]
    pub fn zero() -> Self {
        // SAFETY: there is AVX2.
        Self(unsafe { simd::_mm256_setzero_si256() })
    }

    /// Counts the cells of one set more.
    #[inline(always)]
    pub fn add(&mut self, set: Bits) {
        // SAFETY: there is AVX2.
        self.0 = unsafe { simd::_mm256_add_epi64(self.0, ones(set.0)) };
    }

    /// The number of cells.
    #[inline(always)]
    pub fn total(self) -> u64 {
        let [a, b, c, d] = Bits(self.0).words();
        a + b + c + d
    }
}

/// The number of ones in each word.
#[cfg(all(target_feature = "avx512vpopcntdq", target_feature = "avx512vl"))]
#[inline(always)]
fn ones(set: __m256i) -> __m256i {
    // SAFETY: there is this instruction.
    unsafe { simd::_mm256_popcnt_epi64(set) }
}

/// The number of ones in each word: that of each half byte by a table, then of each byte, added up.
#[cfg(not(all(target_feature = "avx512vpopcntdq", target_feature = "avx512vl")))]
#[inline(always)]
fn ones(set: __m256i) -> __m256i {
    const TABLE: u128 = 0x0403_0302_0302_0201_0302_0201_0201_0100;
    // SAFETY: there is AVX2, and the table has the size of a vector.
    unsafe {
        let table = simd::_mm256_broadcastsi128_si256(transmute::<u128, simd::__m128i>(TABLE));
        let half = simd::_mm256_set1_epi8(15);
        let low = simd::_mm256_shuffle_epi8(table, simd::_mm256_and_si256(set, half));
        let high = simd::_mm256_and_si256(simd::_mm256_srli_epi16::<4>(set), half);
        let bytes = simd::_mm256_add_epi8(low, simd::_mm256_shuffle_epi8(table, high));
        simd::_mm256_sad_epu8(bytes, simd::_mm256_setzero_si256())
    }
}
