//! What a thread learns about steps from the nodes that it has searched.

use crate::core::Color;
use crate::eval::{CORRECTION_KEYS, HistoryIndexing};
use std::marker::PhantomData;

/// The bound of every history value.
const LIMIT: i32 = 16_384;
/// The bound of [`HistoryScores::of`]: three values together.
pub const HISTORY_LIMIT: i32 = 3 * LIMIT;
/// Games with more shapes than this learn nothing about pairs of steps: the tables would not fit any cache.
const MOST_PAIRED_SHAPES: usize = 1024;
/// How many steps back the earlier step of a pair lies.
const PAIRS: [usize; 2] = [1, 2];

/// The number of different values of [`HistoryIndexing::captured`].
const VICTIMS: usize = 16;
/// The correction_keys of a position share so many entries, a power of two of this.
const ERROR_BITS: u32 = 14;
/// The bound of the errors.
const ERROR_LIMIT: i32 = 1024;

/// A step of the line to a node, as the pairs number it: its shape and side; or none, for a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContinuationKey(u32);

impl ContinuationKey {
    /// No step: before the root, and after a pass.
    pub const NONE: Self = Self(u32::MAX);
}

/// How well quiet steps have done: those of each shape (Schaeffer, "The history heuristic", 1983), and those of each shape
/// after the last step and after the one before it (continuation history,
/// <https://www.chessprogramming.org/History_Heuristic#Continuation_History>). With gravity: a value moves towards the bound
/// by the share of the way that is left, so that it never leaves it.
pub struct History<G> {
    plain: Box<[i16]>,
    pairs: [Box<[i16]>; PAIRS.len()],
    /// How well captures have done, by side, shape and what they take.
    captures: Box<[i16]>,
    /// By how much static values err, by side and a part of the position ([`HistoryIndexing::correction_keys`]).
    errors: [Box<[i16]>; CORRECTION_KEYS],
    game: PhantomData<G>,
}

impl<G: HistoryIndexing> History<G> {
    /// How many values of single shapes a side has.
    const PLAIN: usize = G::THREAT_INDICES * G::HISTORY_SIZE;
    const PAIRED: bool = G::PAIR_HISTORY_SIZE <= MOST_PAIRED_SHAPES;

    /// All values 0.
    pub fn new() -> Self {
        let zeros = |count: usize| vec![0; count].into_boxed_slice();
        let paired = if Self::PAIRED {
            2 * G::PAIR_HISTORY_SIZE * G::PAIR_HISTORY_SIZE
        } else {
            0
        };
        Self {
            plain: zeros(2 * G::THREAT_INDICES * G::HISTORY_SIZE),
            pairs: PAIRS.map(|_| zeros(paired)),
            captures: zeros(2 * G::HISTORY_SIZE * VICTIMS),
            errors: std::array::from_fn(|_| {
                zeros(if G::HAS_CORRECTION_KEYS {
                    2 << ERROR_BITS
                } else {
                    0
                })
            }),
            game: PhantomData,
        }
    }

    /// A step of a side, for the lines that are asked about.
    #[inline(always)]
    pub fn moved(side: Color, shape: usize) -> ContinuationKey {
        ContinuationKey((side.index() * G::PAIR_HISTORY_SIZE + G::pair_history_index(shape)) as u32)
    }

    /// Where a pair of steps is; the line ends with the earlier step.
    #[inline(always)]
    fn pair(line: &[ContinuationKey], back: usize, shape: usize) -> Option<usize> {
        let earlier = *line.get(line.len().wrapping_sub(back))?;
        (Self::PAIRED && earlier != ContinuationKey::NONE)
            .then(|| earlier.0 as usize * G::PAIR_HISTORY_SIZE + G::pair_history_index(shape))
    }

    /// What is known of the steps of a side that moves after a line of steps.
    #[inline(always)]
    pub fn after(&self, side: Color, line: &[ContinuationKey]) -> HistoryScores<'_, G> {
        HistoryScores {
            plain: &self.plain[side.index() * Self::PLAIN..][..Self::PLAIN],
            pairs: std::array::from_fn(|n| {
                let start = Self::pair(line, PAIRS[n], 0)?;
                Some(&self.pairs[n][start..][..G::PAIR_HISTORY_SIZE])
            }),
            game: PhantomData,
        }
    }

    /// Rewards (or, negative, punishes) a shape after a line of steps.
    #[inline(always)]
    pub fn add(
        &mut self,
        side: Color,
        shape: usize,
        threat_index: usize,
        line: &[ContinuationKey],
        bonus: i32,
    ) {
        let plain = side.index() * Self::PLAIN + threat_index * G::HISTORY_SIZE + shape;
        apply_gravity(&mut self.plain[plain], bonus);
        for (pairs, back) in self.pairs.iter_mut().zip(PAIRS) {
            if let Some(pair) = Self::pair(line, back, shape) {
                apply_gravity(&mut pairs[pair], bonus);
            }
        }
    }

    #[inline(always)]
    const fn capture_index(side: Color, shape: usize, victim: usize) -> usize {
        (side.index() * G::HISTORY_SIZE + shape) * VICTIMS + victim
    }

    /// How well captures of a victim by this shape have done, within ±[`LIMIT`].
    #[inline(always)]
    pub fn capture(&self, side: Color, shape: usize, victim: usize) -> i32 {
        i32::from(self.captures[Self::capture_index(side, shape, victim)])
    }

    /// Rewards (or, negative, punishes) a capture.
    #[inline(always)]
    pub fn add_capture(&mut self, side: Color, shape: usize, victim: usize, bonus: i32) {
        apply_gravity(
            &mut self.captures[Self::capture_index(side, shape, victim)],
            bonus,
        );
    }

    /// By how much the static value of a position with these correction_keys is to be corrected; `weights` in 512ths, the first
    /// structure's and the others'.
    #[inline(always)]
    pub fn correction(
        &self,
        side: Color,
        correction_keys: [u64; CORRECTION_KEYS],
        weights: [i32; 2],
    ) -> i32 {
        let mut sum = 0;
        for (n, (errors, structure)) in self.errors.iter().zip(correction_keys).enumerate() {
            sum += weights[n.min(1)] * i32::from(errors[error_index(side, structure)]);
        }
        sum / 512
    }

    /// Learns that static values of positions with these correction_keys were too low by so many centipawns.
    #[inline(always)]
    pub fn correct(
        &mut self,
        side: Color,
        correction_keys: [u64; CORRECTION_KEYS],
        error: i32,
        depth: i32,
    ) {
        let bonus = (error * depth / 8).clamp(-ERROR_LIMIT / 4, ERROR_LIMIT / 4);
        for (errors, structure) in self.errors.iter_mut().zip(correction_keys) {
            let value = &mut errors[error_index(side, structure)];
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / ERROR_LIMIT) as i16;
        }
    }

    /// A new search begins: what single shapes did in the last one counts half.
    pub fn age(&mut self) {
        for value in &mut self.plain {
            *value /= 2;
        }
    }
}

/// Where the errors of a structure are kept. Its key is well mixed in the high bits.
#[inline(always)]
const fn error_index(side: Color, structure: u64) -> usize {
    side.index() << ERROR_BITS | (structure >> (64 - ERROR_BITS)) as usize
}

/// What the history knows of the steps at one node.
pub struct HistoryScores<'a, G> {
    plain: &'a [i16],
    pairs: [Option<&'a [i16]>; PAIRS.len()],
    game: PhantomData<G>,
}

impl<G: HistoryIndexing> HistoryScores<'_, G> {
    /// The value of a shape, within ±[`HISTORY_LIMIT`].
    #[inline(always)]
    pub fn of(&self, shape: usize, threat_index: usize) -> i32 {
        let mut value = i32::from(self.plain[threat_index * G::HISTORY_SIZE + shape]);
        for pairs in self.pairs.into_iter().flatten() {
            value += i32::from(pairs[G::pair_history_index(shape)]);
        }
        value
    }
}

/// Moves a history value by a bonus within ±[`LIMIT`].
#[inline(always)]
fn apply_gravity(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::chess::Chess;

    #[test]
    fn values_stay_bounded() {
        let mut value = 0;
        for _ in 0..1000 {
            apply_gravity(&mut value, 1500);
            assert!(i32::from(value) <= LIMIT);
        }
        assert!(i32::from(value) > LIMIT * 9 / 10);
        (0..1000).for_each(|_| apply_gravity(&mut value, -1500));
        assert!(i32::from(value) < -LIMIT * 9 / 10);
    }

    #[test]
    fn steps_are_rated_by_what_came_before_them() {
        let mut history = History::<Chess>::new();
        let moved = |shape| History::<Chess>::moved(Color::Black, shape);
        let (line, other) = ([moved(7), moved(9)], [moved(9), moved(7)]);
        history.add(Color::White, 5, 0, &line, 1000);
        let get = |line: &[ContinuationKey]| history.after(Color::White, line).of(5, 0);
        assert_eq!((get(&line), get(&line[1..]), get(&[])), (3000, 2000, 1000));
        assert_eq!(
            (get(&other), get(&[ContinuationKey::NONE; 2])),
            (1000, 1000)
        );
        assert_eq!(history.after(Color::Black, &line).of(5, 0), 2000);
        // In other threats it is another step; what came before counts all the same.
        assert_eq!(history.after(Color::White, &line).of(5, 3), 2000);
        history.age();
        assert_eq!(history.after(Color::White, &line).of(5, 0), 2500);
    }

    #[test]
    fn captures_are_rated_by_what_they_take() {
        let mut history = History::<Chess>::new();
        history.add_capture(Color::White, 5, 3, 1000);
        assert_eq!(history.capture(Color::White, 5, 3), 1000);
        assert_eq!(history.capture(Color::White, 5, 4), 0);
        assert_eq!(history.capture(Color::Black, 5, 3), 0);
        history.add_capture(Color::White, 5, 3, -400);
        assert!(history.capture(Color::White, 5, 3) < 700);
    }

    #[test]
    fn errors_of_static_values_are_learned_by_structure() {
        let mut history = History::<Chess>::new();
        let (here, there) = ([1 << 60, 2 << 60, 3 << 60], [4 << 60, 5 << 60, 3 << 60]);
        for _ in 0..200 {
            history.correct(Color::White, here, 80, 6);
        }
        let correction =
            |correction_keys, weights| history.correction(Color::White, correction_keys, weights);
        let (pawns, all) = (correction(here, [64, 0]), correction(here, [64, 64]));
        assert!((20..=128).contains(&pawns), "{pawns}");
        assert!((3 * pawns - 2..=3 * pawns + 2).contains(&all), "{all}");
        assert!((pawns - 2..=pawns + 2).contains(&correction(there, [64, 64])));
        assert_eq!(history.correction(Color::Black, here, [64, 64]), 0);
    }
}
