use crate::core::zobrist::splitmix;
use crate::rules::Roll;

/// The roll of turn `n` (0 for White's first turn, 1 for Black's answer, …) of a game with a dice seed: a fixed
/// public function, so that programs which never talked to each other roll the same dice.
///
/// Let `x` be the (n+1)-th output of the splitmix64 generator started with `seed`: with wrapping 64-bit arithmetic
///
/// ```text
/// z = seed + (n + 1) * 0x9E3779B97F4A7C15
/// z = (z xor (z >> 30)) * 0xBF58476D1CE4E5B9
/// z = (z xor (z >> 27)) * 0x94D049BB133111EB
/// x = z xor (z >> 31)
/// ```
///
/// If `x` is 18446744073709551456 or more (the largest multiple of 216 below 2^64), replace it by the first output of
/// the generator started with `x`, again and again. Then the dice are `x / 36 mod 6 + 1`, `x / 6 mod 6 + 1` and
/// `x mod 6 + 1`.
///
/// ```
/// use fauve_engine::rules::dice::seeded_roll;
///
/// // The first output for seed 0 is 0xe220a8397b1dcdaf.
/// assert_eq!(seeded_roll(0, 0).to_string(), "PNN");
/// let rolls: Vec<String> = (0..4).map(|n| seeded_roll(42, n).to_string()).collect();
/// assert_eq!(rolls, ["PNK", "PNR", "PPR", "PPR"]);
/// ```
pub fn seeded_roll(seed: u64, n: u64) -> Roll {
    const LIMIT: u64 = u64::MAX / 216 * 216;
    let mut x = splitmix(seed, n);
    while x >= LIMIT {
        x = splitmix(x, 0);
    }
    let face = |divisor: u64| (x / divisor % 6) as u8 + 1;
    Roll::new([face(36), face(6), face(1)]).expect("every face is 1 to 6")
}
