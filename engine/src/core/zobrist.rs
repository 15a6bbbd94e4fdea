//! Random keys for position hashing (Zobrist, 1970), computed at compile time so that a look-up is one load.

/// The n-th number of the splitmix64 sequence of a seed (Steele, Lea and Flood, 2014). A `const fn`, so that key
/// tables are constants.
///
/// ```
/// use fauve_engine::core::zobrist::splitmix;
///
/// // The public generator: started with 0 its first output is known everywhere.
/// assert_eq!(splitmix(0, 0), 0xe220_a839_7b1d_cdaf);
/// const SIDE_KEY: u64 = splitmix(0x5349_4445, 0);
/// assert_ne!(SIDE_KEY, splitmix(0x5349_4445, 1));
/// ```
pub const fn splitmix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30).wrapping_mul(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D049BB133111EB);
    z ^ z >> 31
}

/// A table of `N` keys. Each caller takes a seed of its own, so that no two tables share keys.
///
/// ```
/// use fauve_engine::core::{Square, zobrist};
///
/// static KNIGHTS: [u64; 64] = zobrist::keys(0x6b6e_6967);
///
/// // Moving a piece changes the key by two look-ups, and moving it back restores the key.
/// let [g1, f3]: [Square; 2] = ["g1".parse()?, "f3".parse()?];
/// let before = KNIGHTS[g1.index()];
/// let after = before ^ KNIGHTS[g1.index()] ^ KNIGHTS[f3.index()];
/// assert_eq!(after, KNIGHTS[f3.index()]);
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = splitmix(seed, i as u64);
        i += 1;
    }
    table
}
