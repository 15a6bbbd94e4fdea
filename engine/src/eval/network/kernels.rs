//! The arithmetic of the networks: adding and taking away columns of weights, and the output neuron.
//!
//! One definition, the portable one, and twins of it for the vector units of x86-64 and `AArch64` processors and of
//! WebAssembly. Which of them runs is decided once, when a network is loaded ([`Kernel::best`]). All sums wrap around, so that every
//! order of adding gives the same bits. On other processors the portable code is what the compiler makes of it.
//!
//! `unsafe` is needed for two reasons: vectors are read and written through pointers, and a function that uses a vector unit may
//! only be called where there is one. The first is safe because a [`Block`] is as long as one vector or as several, and aligned to
//! its length; the second, because a [`Kernel`] other than the portable one is only ever made by [`Kernel::available`], which asks
//! the processor; a module of WebAssembly is refused as a whole where its vectors are not known.

/// The numbers of a block.
pub const LANES: usize = 32;
/// The largest value of a neuron after clamping: a hidden neuron's 1.0.
pub const QA: i16 = 255;

/// Neurons side by side: a cache line, and the unit of all columns and accumulators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All zero.
    pub const ZERO: Self = Self([0; LANES]);

    /// Numbers as blocks; the last one is filled up with zeros.
    pub fn many(numbers: &[i16]) -> Vec<Self> {
        numbers
            .chunks(LANES)
            .map(|chunk| {
                let mut block = Self::ZERO;
                block.0[..chunk.len()].copy_from_slice(chunk);
                block
            })
            .collect()
    }
}

/// A matrix by columns, each of `height` blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    blocks: Vec<Block>,
    height: usize,
}

impl Columns {
    /// Columns of `height` blocks each, one behind the other.
    pub fn new(blocks: Vec<Block>, height: usize) -> Self {
        Self { blocks, height }
    }

    /// `T` blocks of a column, from block `at` on.
    #[inline(always)]
    fn part<const T: usize>(&self, column: u16, at: usize) -> &[Block; T] {
        let start = usize::from(column) * self.height + at;
        self.blocks[start..]
            .first_chunk()
            .expect("a column of the matrix")
    }
}

/// A way to do the arithmetic on this processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Level);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Kernel {
    /// The definition of the arithmetic, for every processor.
    pub const PORTABLE: Self = Self(Level::Portable);

    /// Every kernel that this processor can run, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let twins = [
            (Level::Sse2, is_x86_feature_detected!("sse2")),
            (Level::Avx2, is_x86_feature_detected!("avx2")),
            (
                Level::Avx512,
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
            ),
        ];
        #[cfg(target_arch = "aarch64")]
        let twins = [(Level::Neon, std::arch::is_aarch64_feature_detected!("neon"))];
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let twins = [(Level::Simd128, true)];
        #[cfg(not(any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        let twins: [(Level, bool); 0] = [];
        std::iter::once(Self::PORTABLE).chain(
            twins
                .into_iter()
                .filter_map(|(level, runs)| runs.then_some(Self(level))),
        )
    }

    /// The fastest kernel that this processor can run.
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::PORTABLE)
    }

    /// Its name, for messages.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Sse2 => "SSE2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Level::Neon => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128 => "SIMD128",
        }
    }

    /// Sets `to` to `from` with the columns `add` added and the columns `sub` taken away, in one pass. `to` and `from`
    /// are as long as a column.
    #[inline]
    pub fn update(
        self,
        to: &mut [Block],
        from: &[Block],
        columns: &Columns,
        add: &[u16],
        sub: &[u16],
    ) {
        debug_assert!(to.len() == columns.height && from.len() == columns.height);
        match self.0 {
            Level::Portable => portable::update(to, from, columns, add, sub),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level exists only where SSE2 was detected.
            Level::Sse2 => unsafe { sse2::update(to, from, columns, add, sub) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level exists only where AVX2 was detected.
            Level::Avx2 => unsafe { avx2::update(to, from, columns, add, sub) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level exists only where AVX-512F and AVX-512BW were detected.
            Level::Avx512 => unsafe { avx512::update(to, from, columns, add, sub) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: this level exists only where NEON was detected.
            Level::Neon => unsafe { neon::update(to, from, columns, add, sub) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128 => simd128::update(to, from, columns, add, sub),
        }
    }

    /// The output neuron without bias: the sum over both sides' accumulators of clamped value squared times weight.
    /// `weights` has one half for each.
    ///
    /// With v = clamp(a, 0, 255) a product v * w fits 16 bits for |w| up to 127 (255 * 127 = 32,385), and the sum of one
    /// half 32 bits for up to 256 neurons (256 * 255 * 32,385 = 2,114,092,800). With anything beyond, sums wrap.
    #[inline]
    pub fn output(self, own: &[Block], other: &[Block], weights: &[Block]) -> i64 {
        let halves = match self.0 {
            Level::Portable => portable::output(own, other, weights),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level exists only where SSE2 was detected.
            Level::Sse2 => unsafe { sse2::output(own, other, weights) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level exists only where AVX2 was detected.
            Level::Avx2 => unsafe { avx2::output(own, other, weights) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this level exists only where AVX-512F and AVX-512BW were detected.
            Level::Avx512 => unsafe { avx512::output(own, other, weights) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: this level exists only where NEON was detected.
            Level::Neon => unsafe { neon::output(own, other, weights) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::Simd128 => simd128::output(own, other, weights),
        };
        i64::from(halves[0]) + i64::from(halves[1])
    }
}

/// The definition.
mod portable {
    use super::{Block, Columns, QA};

    pub fn update(to: &mut [Block], from: &[Block], columns: &Columns, add: &[u16], sub: &[u16]) {
        for (at, (to, from)) in to.iter_mut().zip(from).enumerate() {
            let mut sum = from.0;
            for &column in add {
                let [block] = columns.part(column, at);
                for (sum, weight) in sum.iter_mut().zip(block.0) {
                    *sum = sum.wrapping_add(weight);
                }
            }
            for &column in sub {
                let [block] = columns.part(column, at);
                for (sum, weight) in sum.iter_mut().zip(block.0) {
                    *sum = sum.wrapping_sub(weight);
                }
            }
            to.0 = sum;
        }
    }

    pub fn output(own: &[Block], other: &[Block], weights: &[Block]) -> [i32; 2] {
        let (first, second) = weights.split_at(own.len());
        [half(own, first), half(other, second)]
    }

    fn half(neurons: &[Block], weights: &[Block]) -> i32 {
        let mut sum = 0i32;
        for (neurons, weights) in neurons.iter().zip(weights) {
            for (&neuron, &weight) in neurons.0.iter().zip(&weights.0) {
                let value = neuron.clamp(0, QA);
                let product = value.wrapping_mul(weight);
                sum = sum.wrapping_add(i32::from(product) * i32::from(value));
            }
        }
        sum
    }
}

/// A twin of the portable code for a vector type, from the names of its instructions. `$fill_sum` makes a vector of sums of 32 bits,
/// `$multiply_add` adds products of 16-bit numbers to one, `$add_sums` adds two of them, and `$total` the numbers of one.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! twin {
    (
        $arch:ident, $module:ident, $features:literal, $vector:ident,
        $load:ident $store:ident $fill:ident
        $add:ident $sub:ident $max:ident $min:ident $multiply:ident
        $fill_sum:ident $add_sums:ident
        $multiply_add:expr,
        $total:expr
    ) => {
        mod $module {
            use super::{Block, Columns, QA};
            use std::arch::$arch::*;

            /// The vectors of a block.
            const PARTS: usize = size_of::<Block>() / size_of::<$vector>();

            #[inline]
            #[target_feature(enable = $features)]
            fn load(block: &Block) -> [$vector; PARTS] {
                let vectors = std::ptr::from_ref(block).cast::<$vector>();
                let mut parts = [$fill(0); PARTS];
                for (part, value) in parts.iter_mut().enumerate() {
                    // SAFETY: `part` stays below PARTS, which vectors fill the block exactly, so that the read stays
                    // inside it; a block is aligned to 64 bytes, as much as any vector needs.
                    *value = unsafe { $load(vectors.add(part).cast()) };
                }
                parts
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn store(block: &mut Block, parts: [$vector; PARTS]) {
                let vectors = std::ptr::from_mut(block).cast::<$vector>();
                for (part, &value) in parts.iter().enumerate() {
                    // SAFETY: `part` stays below PARTS, which vectors fill the block exactly, so that the write stays
                    // inside it; a block is aligned to 64 bytes, as much as any vector needs.
                    unsafe { $store(vectors.add(part).cast(), value) };
                }
            }

            /// The work on `T` blocks from `at` on, held in registers meanwhile.
            #[inline]
            #[target_feature(enable = $features)]
            fn tile<const T: usize>(
                to: &mut [Block; T],
                from: &[Block; T],
                columns: &Columns,
                at: usize,
                add: impl AsRef<[u16]>,
                sub: impl AsRef<[u16]>,
            ) {
                let mut sums = [[$fill(0); PARTS]; T];
                for t in 0..T {
                    sums[t] = load(&from[t]);
                }
                for &column in add.as_ref() {
                    let column = columns.part::<T>(column, at);
                    for t in 0..T {
                        let block = load(&column[t]);
                        for part in 0..PARTS {
                            sums[t][part] = $add(sums[t][part], block[part]);
                        }
                    }
                }
                for &column in sub.as_ref() {
                    let column = columns.part::<T>(column, at);
                    for t in 0..T {
                        let block = load(&column[t]);
                        for part in 0..PARTS {
                            sums[t][part] = $sub(sums[t][part], block[part]);
                        }
                    }
                }
                for t in 0..T {
                    store(&mut to[t], sums[t]);
                }
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn tiles(
                to: &mut [Block],
                from: &[Block],
                columns: &Columns,
                add: impl AsRef<[u16]> + Copy,
                sub: impl AsRef<[u16]> + Copy,
            ) {
                let (to_fours, to_rest) = to.as_chunks_mut::<4>();
                let (from_fours, from_rest) = from.as_chunks::<4>();
                let mut at = 0;
                for (to, from) in to_fours.iter_mut().zip(from_fours) {
                    tile(to, from, columns, at, add, sub);
                    at += 4;
                }
                for (to, from) in to_rest.iter_mut().zip(from_rest) {
                    let (to, from) = (std::array::from_mut(to), std::array::from_ref(from));
                    tile(to, from, columns, at, add, sub);
                    at += 1;
                }
            }

            /// A quiet move, a capture, and castling or a capture that fills the reserve have code of their own, in
            /// which nothing is counted.
            #[target_feature(enable = $features)]
            pub fn update(
                to: &mut [Block],
                from: &[Block],
                columns: &Columns,
                add: &[u16],
                sub: &[u16],
            ) {
                match (add, sub) {
                    (&[a], &[x]) => tiles(to, from, columns, [a], [x]),
                    (&[a], &[x, y]) => tiles(to, from, columns, [a], [x, y]),
                    (&[a, b], &[x, y]) => tiles(to, from, columns, [a, b], [x, y]),
                    _ => tiles(to, from, columns, add, sub),
                }
            }

            #[target_feature(enable = $features)]
            pub fn output(own: &[Block], other: &[Block], weights: &[Block]) -> [i32; 2] {
                let (first, second) = weights.split_at(own.len());
                [half(own, first), half(other, second)]
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn half(neurons: &[Block], weights: &[Block]) -> i32 {
                let (zero, one) = ($fill(0), $fill(QA));
                let mut sums = [$fill_sum(0); PARTS];
                for (neurons, weights) in neurons.iter().zip(weights) {
                    let (neurons, weights) = (load(neurons), load(weights));
                    for part in 0..PARTS {
                        let value = $min($max(neurons[part], zero), one);
                        let product = $multiply(value, weights[part]);
                        sums[part] = $multiply_add(sums[part], product, value);
                    }
                }
                let mut sum = sums[0];
                for &more in &sums[1..] {
                    sum = $add_sums(sum, more);
                }
                $total(sum)
            }
        }
    };
}

/// The sum of four numbers of 32 bits.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn total(sum: std::arch::x86_64::__m128i) -> i32 {
    use std::arch::x86_64::{_mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32};
    let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
    let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
    _mm_cvtsi128_si32(sum)
}

#[cfg(target_arch = "x86_64")]
twin! {
    x86_64, sse2, "sse2", __m128i,
    _mm_load_si128 _mm_store_si128 _mm_set1_epi16
    _mm_add_epi16 _mm_sub_epi16 _mm_max_epi16 _mm_min_epi16 _mm_mullo_epi16
    _mm_set1_epi32 _mm_add_epi32
    |sum, product, value| _mm_add_epi32(sum, _mm_madd_epi16(product, value)),
    super::total
}

#[cfg(target_arch = "x86_64")]
twin! {
    x86_64, avx2, "avx2", __m256i,
    _mm256_load_si256 _mm256_store_si256 _mm256_set1_epi16
    _mm256_add_epi16 _mm256_sub_epi16 _mm256_max_epi16 _mm256_min_epi16 _mm256_mullo_epi16
    _mm256_set1_epi32 _mm256_add_epi32
    |sum, product, value| _mm256_add_epi32(sum, _mm256_madd_epi16(product, value)),
    |sum| super::total(_mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum)))
}

#[cfg(target_arch = "x86_64")]
twin! {
    x86_64, avx512, "avx512f,avx512bw", __m512i,
    _mm512_load_si512 _mm512_store_si512 _mm512_set1_epi16
    _mm512_add_epi16 _mm512_sub_epi16 _mm512_max_epi16 _mm512_min_epi16 _mm512_mullo_epi16
    _mm512_set1_epi32 _mm512_add_epi32
    |sum, product, value| _mm512_add_epi32(sum, _mm512_madd_epi16(product, value)),
    _mm512_reduce_add_epi32
}

#[cfg(target_arch = "aarch64")]
twin! {
    aarch64, neon, "neon", int16x8_t,
    vld1q_s16 vst1q_s16 vdupq_n_s16
    vaddq_s16 vsubq_s16 vmaxq_s16 vminq_s16 vmulq_s16
    vdupq_n_s32 vaddq_s32
    |sum, product, value| {
        let sum = vmlal_s16(sum, vget_low_s16(product), vget_low_s16(value));
        vmlal_high_s16(sum, product, value)
    },
    vaddvq_s32
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
twin! {
    wasm32, simd128, "simd128", v128,
    v128_load v128_store i16x8_splat
    i16x8_add i16x8_sub i16x8_max i16x8_min i16x8_mul
    i32x4_splat i32x4_add
    |sum, product, value| i32x4_add(sum, i32x4_dot_i16x8(product, value)),
    |sum| {
        let sum = i32x4_add(sum, i32x4_shuffle::<2, 3, 0, 1>(sum, sum));
        let sum = i32x4_add(sum, i32x4_shuffle::<1, 0, 3, 2>(sum, sum));
        i32x4_extract_lane::<0>(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::random;
    use super::*;
    use rand_xoshiro::rand_core::Rng;

    /// How many random inputs the kernels are compared on: a million where that is a matter of seconds.
    const INPUTS: usize = if cfg!(debug_assertions) {
        20_000
    } else {
        1_000_000
    };

    fn blocks(rng: &mut impl Rng, count: usize, number: impl Fn(u64) -> i16) -> Vec<Block> {
        (0..count)
            .map(|_| {
                let mut block = Block::ZERO;
                for four in block.0.chunks_mut(4) {
                    let bits = rng.next_u64();
                    for (i, lane) in four.iter_mut().enumerate() {
                        *lane = number(bits >> (16 * i) & 0xffff);
                    }
                }
                block
            })
            .collect()
    }

    /// Numbers around the range that is not clamped, and now and then any number at all.
    fn neuron(bits: u64) -> i16 {
        if bits.is_multiple_of(16) {
            bits as i16
        } else {
            (bits % 400) as i16 - 70
        }
    }

    #[test]
    fn every_kernel_updates_as_the_portable_one() {
        let mut rng = random(1);
        for height in 1..=8 {
            let count = 97u16;
            let columns = blocks(&mut rng, height * usize::from(count), |bits| bits as i16);
            let columns = Columns::new(columns, height);
            for _ in 0..INPUTS / 8 {
                let from = blocks(&mut rng, height, |bits| bits as i16);
                let choice = rng.next_u64();
                let mut list = |choice: u64| -> Vec<u16> {
                    // Mostly the short lists that have code of their own.
                    let length = if choice.is_multiple_of(8) {
                        choice / 8 % 40
                    } else {
                        choice % 4
                    };
                    (0..length)
                        .map(|_| (rng.next_u64() % u64::from(count)) as u16)
                        .collect()
                };
                let (add, sub) = (list(choice & 0xffff), list(choice >> 16 & 0xffff));
                let run = |kernel: Kernel| {
                    let mut to = [Block([-1; LANES]); 8];
                    kernel.update(&mut to[..height], &from, &columns, &add, &sub);
                    to
                };
                let expected = run(Kernel::PORTABLE);
                for kernel in Kernel::available() {
                    assert_eq!(run(kernel), expected, "{}, {height} blocks", kernel.name());
                }
            }
        }
    }

    #[test]
    fn every_kernel_puts_out_as_the_portable_one() {
        let mut rng = random(2);
        for i in 0..INPUTS {
            let height = i % 8 + 1;
            let own = blocks(&mut rng, height, neuron);
            let other = blocks(&mut rng, height, neuron);
            // Weights out of range as well: even what wraps must wrap alike.
            let weight = |bits: u64| match i % 16 {
                0 => bits as i16,
                _ => (bits % 255) as i16 - 127,
            };
            let weights = blocks(&mut rng, 2 * height, weight);
            let expected = Kernel::PORTABLE.output(&own, &other, &weights);
            for kernel in Kernel::available() {
                let found = kernel.output(&own, &other, &weights);
                assert_eq!(found, expected, "{}, {height} blocks", kernel.name());
            }
        }
    }

    #[test]
    fn the_portable_kernel_is_the_formula() {
        let mut rng = random(3);
        for height in [1, 4, 8] {
            let count = 10u16;
            let columns = blocks(&mut rng, height * usize::from(count), |bits| {
                (bits % 500) as i16 - 250
            });
            let from = blocks(&mut rng, height, neuron);
            let (add, sub) = ([3, 9, 0], [4, 1]);
            let mut to = vec![Block::ZERO; height];
            let matrix = Columns::new(columns.clone(), height);
            Kernel::PORTABLE.update(&mut to, &from, &matrix, &add, &sub);
            for neuron in 0..height * LANES {
                let cell = |blocks: &[Block], column: u16| {
                    i64::from(
                        blocks[usize::from(column) * height + neuron / LANES].0[neuron % LANES],
                    )
                };
                let plus: i64 = add.iter().map(|&column| cell(&columns, column)).sum();
                let minus: i64 = sub.iter().map(|&column| cell(&columns, column)).sum();
                let sum = cell(&from, 0) + plus - minus;
                assert_eq!(cell(&to, 0), i64::from(sum as i16));
            }
            let weights = blocks(&mut rng, 2 * height, |bits| (bits % 255) as i16 - 127);
            let lanes = |blocks: &[Block]| -> Vec<i64> {
                blocks
                    .iter()
                    .flat_map(|block| block.0)
                    .map(i64::from)
                    .collect()
            };
            let both = [lanes(&from), lanes(&to)].concat();
            let expected: i64 = both
                .iter()
                .zip(lanes(&weights))
                .map(|(&neuron, weight)| neuron.clamp(0, 255).pow(2) * weight)
                .sum();
            assert_eq!(Kernel::PORTABLE.output(&from, &to, &weights), expected);
        }
    }

    #[test]
    fn the_largest_sums_fit() {
        for height in [1, 8] {
            for weight in [127, -127] {
                for neurons in [255, 256, i16::MAX] {
                    let neurons = vec![Block([neurons; LANES]); height];
                    let weights = vec![Block([weight; LANES]); 2 * height];
                    let expected = i64::from(weight) * 255 * 255 * (2 * height * LANES) as i64;
                    for kernel in Kernel::available() {
                        assert_eq!(kernel.output(&neurons, &neurons, &weights), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_fill_blocks() {
        let numbers: Vec<i16> = (0..70).collect();
        let blocks = Block::many(&numbers);
        assert_eq!(blocks.len(), 3);
        assert_eq!(blocks[1].0[0], 32);
        assert_eq!(blocks[2].0[5], 69);
        assert_eq!(blocks[2].0[6..], [0; LANES - 6]);
    }
}
