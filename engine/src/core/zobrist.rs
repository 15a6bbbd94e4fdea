//! Random keys for position hashing (Zobrist, 1970), computed at compile time so that a look-up is one load.

/// The n-th number of the splitmix64 sequence of a seed (Steele, Lea and Flood, 2014). A `const fn`, so that key
/// tables are constants.
pub const fn splitmix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30).wrapping_mul(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D049BB133111EB);
    z ^ z >> 31
}

/// A table of `N` keys. Each caller takes a seed of its own, so that no two tables share keys.
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = splitmix(seed, i as u64);
        i += 1;
    }
    table
}
