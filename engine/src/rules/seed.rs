use crate::core::zobrist::splitmix;
use crate::rules::Roll;
use std::fmt;
use std::str::FromStr;

/// The seed of a game's dice: with it every roll is a fixed public function of the turn, so that programs which never
/// talked to each other roll the same dice. Its text is hexadecimal.
///
/// ```
/// use fauve_engine::rules::DiceSeed;
/// let seed: DiceSeed = "2A".parse()?;
/// assert_eq!(seed, DiceSeed(42));
/// assert_eq!(seed.to_string(), "2a");
/// assert_eq!(format!("{seed:016}"), "000000000000002a");
/// assert!("".parse::<DiceSeed>().is_err() && "+1".parse::<DiceSeed>().is_err());
/// # Ok::<(), fauve_engine::rules::SeedError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DiceSeed(pub u64);

/// The error for a text that is not a seed (1 to 16 hexadecimal digits).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedError;

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dice seed is 1 to 16 hexadecimal digits")
    }
}

impl std::error::Error for SeedError {}

impl FromStr for DiceSeed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        let is_hex = (1..=16).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
        match u64::from_str_radix(text, 16) {
            Ok(seed) if is_hex => Ok(Self(seed)),
            _ => Err(SeedError),
        }
    }
}

impl fmt::Display for DiceSeed {
    /// Hexadecimal digits, with the width and padding asked for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

impl DiceSeed {
    /// The roll of turn `n` (0 for White's first turn, 1 for Black's answer, …).
    ///
    /// Let `x` be the (n+1)-th output of the splitmix64 generator started with the seed: with wrapping 64-bit
    /// arithmetic
    ///
    /// ```text
    /// z = seed + (n + 1) * 0x9E3779B97F4A7C15
    /// z = (z xor (z >> 30)) * 0xBF58476D1CE4E5B9
    /// z = (z xor (z >> 27)) * 0x94D049BB133111EB
    /// x = z xor (z >> 31)
    /// ```
    ///
    /// If `x` is 18446744073709551456 or more (the largest multiple of 216 below 2^64), replace it by the first output
    /// of the generator started with `x`, again and again. Then the dice are `x / 36 mod 6 + 1`, `x / 6 mod 6 + 1` and
    /// `x mod 6 + 1`.
    ///
    /// ```
    /// use fauve_engine::rules::DiceSeed;
    ///
    /// // The first output for seed 0 is 0xe220a8397b1dcdaf.
    /// assert_eq!(DiceSeed(0).roll(0).to_string(), "PNN");
    /// let rolls: Vec<String> = (0..4).map(|n| DiceSeed(42).roll(n).to_string()).collect();
    /// assert_eq!(rolls, ["PNK", "PNR", "PPR", "PPR"]);
    /// ```
    pub fn roll(self, n: u64) -> Roll {
        const LIMIT: u64 = u64::MAX / 216 * 216;
        let mut x = splitmix(self.0, n);
        while x >= LIMIT {
            x = splitmix(x, 0);
        }
        let face = |divisor: u64| (x / divisor % 6) as u8 + 1;
        Roll::new([face(36), face(6), face(1)]).expect("every face is 1 to 6")
    }
}
