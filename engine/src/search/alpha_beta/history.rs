//! Histories: statistics of steps and of evaluation errors that a thread gathers from the nodes it has searched.

use crate::core::Color;
use crate::eval::{CORRECTION_KEYS, CorrectionHistory, PairHistory, ThreatHistory};
use std::marker::PhantomData;

/// Bound of a single history value.
const LIMIT: i32 = 16_384;
/// Bound of [`HistoryScores::of`], the sum of three values.
pub const HISTORY_LIMIT: i32 = 3 * LIMIT;
/// Continuation history is off in games with more history indices than this: the tables would exceed the processor's
/// caches.
const MOST_PAIRED_INDICES: usize = 1024;
/// Distances, in steps back, of the earlier step of a continuation pair.
const PAIRS: [usize; 2] = [1, 2];

/// Number of values of [`Tactics::captured`](crate::eval::Tactics::captured).
const CAPTURED_KINDS: usize = 16;
/// Binary logarithm of the number of entries that the correction keys of a position share.
const ERROR_BITS: u32 = 14;
/// Bound of a correction value.
const ERROR_LIMIT: i32 = 1024;

/// Continuation-history index of a step on the line: its history index and side; or none, for a null move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContinuationKey(u32);

impl ContinuationKey {
    /// No step: before the root, and after a null move.
    pub const NONE: Self = Self(u32::MAX);
}

/// Quiet, capture, continuation and correction histories. Quiet steps have a value for each history index (Schaeffer, "The
/// history heuristic", 1983), and one for each index after the last step and after the one before it (continuation history,
/// <https://www.chessprogramming.org/History_Heuristic#Continuation_History>). Updates have gravity: a value moves towards the bound in
/// proportion to the remaining distance, so that it never exceeds it (<https://www.chessprogramming.org/History_Heuristic#History_Bonuses>).
pub struct History<G> {
    plain: Box<[i16]>,
    pairs: [Box<[i16]>; PAIRS.len()],
    /// Capture history, by side, history index and captured piece.
    captures: Box<[i16]>,
    /// Correction history: errors of static values, by side and by [`CorrectionHistory::correction_keys`]
    /// (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).
    errors: [Box<[i16]>; CORRECTION_KEYS],
    game: PhantomData<G>,
}

impl<G: PairHistory + ThreatHistory + CorrectionHistory> History<G> {
    /// Number of quiet-history values per side.
    const PLAIN: usize = G::THREAT_INDICES * G::HISTORY_SIZE;
    const PAIRED: bool = G::PAIR_HISTORY_SIZE <= MOST_PAIRED_INDICES;

    /// Creates histories with all values 0.
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
            captures: zeros(2 * G::HISTORY_SIZE * CAPTURED_KINDS),
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

    /// The continuation key of a step of a side.
    #[inline(always)]
    pub fn moved(side: Color, history_index: usize) -> ContinuationKey {
        ContinuationKey(
            (side.index() * G::PAIR_HISTORY_SIZE + G::pair_history_index(history_index)) as u32,
        )
    }

    /// Index of a pair of steps, the earlier one `back` steps before the end of the line.
    #[inline(always)]
    fn pair(line: &[ContinuationKey], back: usize, history_index: usize) -> Option<usize> {
        let earlier = *line.get(line.len().wrapping_sub(back))?;
        (Self::PAIRED && earlier != ContinuationKey::NONE).then(|| {
            earlier.0 as usize * G::PAIR_HISTORY_SIZE + G::pair_history_index(history_index)
        })
    }

    /// The scores of steps of a side after a line of steps.
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

    /// Adds a bonus (or, negative, a malus) to a quiet step after a line of steps.
    #[inline(always)]
    pub fn add(
        &mut self,
        side: Color,
        history_index: usize,
        threat_index: usize,
        line: &[ContinuationKey],
        bonus: i32,
    ) {
        let plain = side.index() * Self::PLAIN + threat_index * G::HISTORY_SIZE + history_index;
        apply_gravity(&mut self.plain[plain], bonus);
        for (pairs, back) in self.pairs.iter_mut().zip(PAIRS) {
            if let Some(pair) = Self::pair(line, back, history_index) {
                apply_gravity(&mut pairs[pair], bonus);
            }
        }
    }

    #[inline(always)]
    const fn capture_index(side: Color, history_index: usize, captured: usize) -> usize {
        (side.index() * G::HISTORY_SIZE + history_index) * CAPTURED_KINDS + captured
    }

    /// Capture-history score, within ±[`LIMIT`].
    #[inline(always)]
    pub fn capture(&self, side: Color, history_index: usize, captured: usize) -> i32 {
        i32::from(self.captures[Self::capture_index(side, history_index, captured)])
    }

    /// Adds a bonus (or, negative, a malus) to a capture.
    #[inline(always)]
    pub fn add_capture(&mut self, side: Color, history_index: usize, captured: usize, bonus: i32) {
        apply_gravity(
            &mut self.captures[Self::capture_index(side, history_index, captured)],
            bonus,
        );
    }

    /// Correction of the static value of a position with these correction keys, in centipawns; `weights` in 512ths, for the
    /// first key and for the others.
    #[inline(always)]
    pub fn correction(
        &self,
        side: Color,
        correction_keys: [u64; CORRECTION_KEYS],
        weights: [i32; 2],
    ) -> i32 {
        let mut sum = 0;
        for (n, (errors, correction_key)) in self.errors.iter().zip(correction_keys).enumerate() {
            sum += weights[n.min(1)] * i32::from(errors[error_index(side, correction_key)]);
        }
        sum / 512
    }

    /// Records that static values of positions with these correction keys were too low by this number of centipawns.
    #[inline(always)]
    pub fn correct(
        &mut self,
        side: Color,
        correction_keys: [u64; CORRECTION_KEYS],
        error: i32,
        depth: i32,
    ) {
        let bonus = (error * depth / 8).clamp(-ERROR_LIMIT / 4, ERROR_LIMIT / 4);
        for (errors, correction_key) in self.errors.iter_mut().zip(correction_keys) {
            let value = &mut errors[error_index(side, correction_key)];
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / ERROR_LIMIT) as i16;
        }
    }

    /// Halves the quiet history at the start of a new search.
    pub fn age(&mut self) {
        for value in &mut self.plain {
            *value /= 2;
        }
    }
}

/// Index of a correction key's entry. The key's high bits are well mixed.
#[inline(always)]
const fn error_index(side: Color, correction_key: u64) -> usize {
    side.index() << ERROR_BITS | (correction_key >> (64 - ERROR_BITS)) as usize
}

/// History scores at one node.
pub struct HistoryScores<'a, G> {
    plain: &'a [i16],
    pairs: [Option<&'a [i16]>; PAIRS.len()],
    game: PhantomData<G>,
}

impl<G: PairHistory> HistoryScores<'_, G> {
    /// Score of a history index, within ±[`HISTORY_LIMIT`].
    #[inline(always)]
    pub fn of(&self, history_index: usize, threat_index: usize) -> i32 {
        let mut value = i32::from(self.plain[threat_index * G::HISTORY_SIZE + history_index]);
        for pairs in self.pairs.into_iter().flatten() {
            value += i32::from(pairs[G::pair_history_index(history_index)]);
        }
        value
    }
}

/// Moves a history value by a bonus, within ±[`LIMIT`].
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
        let moved = |history_index| History::<Chess>::moved(Color::Black, history_index);
        let (line, other) = ([moved(7), moved(9)], [moved(9), moved(7)]);
        history.add(Color::White, 5, 0, &line, 1000);
        let get = |line: &[ContinuationKey]| history.after(Color::White, line).of(5, 0);
        assert_eq!((get(&line), get(&line[1..]), get(&[])), (3000, 2000, 1000));
        assert_eq!(
            (get(&other), get(&[ContinuationKey::NONE; 2])),
            (1000, 1000)
        );
        assert_eq!(history.after(Color::Black, &line).of(5, 0), 2000);
        // Under other threats the step has another quiet-history entry; continuation history counts all the same.
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
    fn errors_of_static_values_are_learned_by_correction_key() {
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
