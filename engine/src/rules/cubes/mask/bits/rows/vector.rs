//! Eight rows of cells in one vector of 128 bits: the instructions of each processor.
//!
//! `unsafe` is needed for two reasons. Functions for a vector unit may only be called where there is one: each part is only in programs
//! that are compiled for its vectors. A vector is read from
//! and written to two words of the same size, of which every bit pattern is a value.

use std::mem::transmute;

#[cfg(target_arch = "aarch64")]
use std::arch::aarch64::{self as simd, uint16x8_t as Vector};
#[cfg(target_arch = "wasm32")]
use std::arch::wasm32::{self as simd, v128 as Vector};
#[cfg(target_arch = "x86")]
use std::arch::x86::{self as simd, __m128i as Vector};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{self as simd, __m128i as Vector};

/// Eight rows of sixteen cells each, the first row in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub struct Rows(Vector);

impl Rows {
    /// The rows of these words, four in each.
    #[inline(always)]
    pub const fn new(words: [u64; 2]) -> Self {
        // SAFETY: of one size, and both have all bit patterns.
        Self(unsafe { transmute::<[u64; 2], Vector>(words) })
    }

    /// The words of the rows, four in each.
    #[inline(always)]
    pub const fn words(self) -> [u64; 2] {
        // SAFETY: of one size, and both have all bit patterns.
        unsafe { transmute::<Vector, [u64; 2]>(self.0) }
    }
}

/// SSE2.
#[cfg(target_feature = "sse2")]
impl Rows {
    /// The cells of both.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        // SAFETY: there is SSE2.
        Self(unsafe { simd::_mm_and_si128(self.0, other.0) })
    }

    /// The cells of either.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        // SAFETY: there is SSE2.
        Self(unsafe { simd::_mm_or_si128(self.0, other.0) })
    }

    /// The cells of one alone.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        // SAFETY: there is SSE2.
        Self(unsafe { simd::_mm_xor_si128(self.0, other.0) })
    }

    /// The cells that the other has not.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        // SAFETY: there is SSE2.
        Self(unsafe { simd::_mm_andnot_si128(other.0, self.0) })
    }

    /// Whether there is no cell.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        // SAFETY: there is SSE2.
        unsafe {
            let empty = simd::_mm_cmpeq_epi8(self.0, simd::_mm_setzero_si128());
            simd::_mm_movemask_epi8(empty) == 0xffff
        }
    }

    /// Every cell one file further; what leaves its row is lost.
    #[inline(always)]
    pub fn file_up(self) -> Self {
        // SAFETY: there is SSE2.
        Self(unsafe { simd::_mm_slli_epi16::<1>(self.0) })
    }

    /// Every cell one file back; what leaves its row is lost.
    #[inline(always)]
    pub fn file_down(self) -> Self {
        // SAFETY: there is SSE2.
        Self(unsafe { simd::_mm_srli_epi16::<1>(self.0) })
    }

    /// Every cell one row further; the last of the rows below comes in.
    #[inline(always)]
    pub fn row_up(self, below: Self) -> Self {
        // SAFETY: there is SSE2.
        Self(unsafe {
            let last = simd::_mm_srli_si128::<14>(below.0);
            simd::_mm_or_si128(simd::_mm_slli_si128::<2>(self.0), last)
        })
    }

    /// Every cell one row back; the first of the rows above comes in.
    #[inline(always)]
    pub fn row_down(self, above: Self) -> Self {
        // SAFETY: there is SSE2.
        Self(unsafe {
            let first = simd::_mm_slli_si128::<14>(above.0);
            simd::_mm_or_si128(simd::_mm_srli_si128::<2>(self.0), first)
        })
    }

    /// All cells of the rows that have one; none has one in the last file.
    #[inline(always)]
    pub fn full(self) -> Self {
        // SAFETY: there is SSE2. A row with a cell is a positive number, because the last file is its sign.
        Self(unsafe { simd::_mm_cmpgt_epi16(self.0, simd::_mm_setzero_si128()) })
    }
}

/// NEON.
#[cfg(target_arch = "aarch64")]
impl Rows {
    /// The cells of both.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::vandq_u16(self.0, other.0) })
    }

    /// The cells of either.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::vorrq_u16(self.0, other.0) })
    }

    /// The cells of one alone.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::veorq_u16(self.0, other.0) })
    }

    /// The cells that the other has not.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::vbicq_u16(self.0, other.0) })
    }

    /// Whether there is no cell.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        // SAFETY: there is NEON.
        unsafe { simd::vmaxvq_u16(self.0) == 0 }
    }

    /// Every cell one file further; what leaves its row is lost.
    #[inline(always)]
    pub fn file_up(self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::vshlq_n_u16::<1>(self.0) })
    }

    /// Every cell one file back; what leaves its row is lost.
    #[inline(always)]
    pub fn file_down(self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::vshrq_n_u16::<1>(self.0) })
    }

    /// Every cell one row further; the last of the rows below comes in.
    #[inline(always)]
    pub fn row_up(self, below: Self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::vextq_u16::<7>(below.0, self.0) })
    }

    /// Every cell one row back; the first of the rows above comes in.
    #[inline(always)]
    pub fn row_down(self, above: Self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::vextq_u16::<1>(self.0, above.0) })
    }

    /// All cells of the rows that have one.
    #[inline(always)]
    pub fn full(self) -> Self {
        // SAFETY: there is NEON.
        Self(unsafe { simd::vtstq_u16(self.0, self.0) })
    }
}

/// The vectors of WebAssembly.
#[cfg(target_feature = "simd128")]
impl Rows {
    /// The cells of both.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self(simd::v128_and(self.0, other.0))
    }

    /// The cells of either.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        Self(simd::v128_or(self.0, other.0))
    }

    /// The cells of one alone.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        Self(simd::v128_xor(self.0, other.0))
    }

    /// The cells that the other has not.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        Self(simd::v128_andnot(self.0, other.0))
    }

    /// Whether there is no cell.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        !simd::v128_any_true(self.0)
    }

    /// Every cell one file further; what leaves its row is lost.
    #[inline(always)]
    pub fn file_up(self) -> Self {
        Self(simd::u16x8_shl(self.0, 1))
    }

    /// Every cell one file back; what leaves its row is lost.
    #[inline(always)]
    pub fn file_down(self) -> Self {
        Self(simd::u16x8_shr(self.0, 1))
    }

    /// Every cell one row further; the last of the rows below comes in.
    #[inline(always)]
    pub fn row_up(self, below: Self) -> Self {
        Self(simd::u16x8_shuffle::<7, 8, 9, 10, 11, 12, 13, 14>(
            below.0, self.0,
        ))
    }

    /// Every cell one row back; the first of the rows above comes in.
    #[inline(always)]
    pub fn row_down(self, above: Self) -> Self {
        Self(simd::u16x8_shuffle::<1, 2, 3, 4, 5, 6, 7, 8>(
            self.0, above.0,
        ))
    }

    /// All cells of the rows that have one.
    #[inline(always)]
    pub fn full(self) -> Self {
        Self(simd::u16x8_ne(self.0, simd::u16x8_splat(0)))
    }
}
