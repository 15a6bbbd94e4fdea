//! Play below full strength.

use super::control::Control;
use super::limits::{Limits, Settings};
use super::time::Budget;
use crate::core::zobrist::splitmix;
use crate::rules::{Rules, legal_steps};
use crate::search::Instant;
use std::time::Duration;

/// Limits that make the search err like a human player: it sees only a few turns ahead, misjudges positions, overlooks
/// quiet turns of both sides, and plays with less care the further it believes to be ahead or behind. It sees hanging
/// pieces and recaptures. All errors depend only on the position and the seed, so that they are consistent throughout a
/// game and the same on every machine.
///
/// The values for a given strength depend on the game and are measured:
/// [`StrengthScale`](crate::strength_scales::StrengthScale).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrengthLimit {
    /// Maximum number of nodes of a search.
    pub nodes: u64,
    /// Greatest iteration depth, in hundredths of a turn: 150 is one turn in half of the positions and two in the others.
    pub depth: u32,
    /// Amplitude of the evaluation error, in centipawns; its standard deviation is 0.58 of this.
    pub eval_noise: i32,
    /// Quiet steps overlooked, per mille. The same rate applies to mates (taken for mere checks, or not found at all where
    /// a turn has two steps) and to captures from the fourth turn of a line on; earlier captures and check evasions are
    /// always seen. In DiceChess the rate applies to root turns and to threats against kings in other positions; the
    /// capture of a king by one step is overlooked only at rates above 700, in proportion to the excess.
    pub blunder_rate: u32,
    /// Advantage, in centipawns, that is perceived as half of it; without noise no perceived value exceeds this figure.
    pub caution: i32,
    /// Seed of the errors.
    pub seed: u64,
}

/// Identifiers of the kinds of errors, which make the errors of one position independent. Overlooked steps have identifiers
/// of their own.
pub(super) mod noise_stream {
    /// Evaluation of a position.
    pub const VALUE: u64 = 4;
    /// Search depth.
    pub const DEPTH: u64 = 5;
    /// Thinking time.
    pub const THINKING_TIME: u64 = 6;
    /// Threats against the kings of DiceChess.
    pub const KING_THREAT: u64 = 7;
    /// The turn that led to a position.
    pub const TURN: u64 = 8;
    /// Recognition of mate.
    pub const MATE: u64 = 9;
    /// Possible capture of a king.
    pub const KING: u64 = 10;
}

/// Greatest blunder rate, per mille, at which every capture of a king by one step is seen in DiceChess.
const SEES_KINGS: u32 = 700;

/// Greatest iteration depth of a search with these limits in the position with this key, 1 to `most`.
pub(super) fn deepest<G: Rules>(
    limits: &Limits<G>,
    settings: &Settings,
    key: u64,
    most: u32,
) -> u32 {
    let seen_depth = settings
        .strength_limit
        .map(|strength_limit| strength_limit.depth_at(key));
    let deepest = limits.depth.into_iter().chain(seen_depth).min();
    deepest.unwrap_or(most).clamp(1, most)
}

impl StrengthLimit {
    /// Number of iterations for the position with this key, at least one.
    pub fn depth_at(&self, key: u64) -> u32 {
        let chance = splitmix(key ^ self.seed, noise_stream::DEPTH) % 100;
        (self.depth / 100 + u32::from(chance < u64::from(self.depth % 100))).max(1)
    }

    /// The perceived value of a value in centipawns, in the position with this key. The error is the sum of four uniform
    /// ones.
    #[cold]
    pub(super) fn misjudge(&self, key: u64, value: i32) -> i32 {
        let caution = i64::from(self.caution.max(1));
        let seems = i64::from(value) * caution / (caution + i64::from(value.abs()));
        let random = splitmix(key ^ self.seed, noise_stream::VALUE);
        let error: i32 = (0..4)
            .map(|i| (random >> (16 * i)) as u16 as i32 - 32_768)
            .sum();
        (seems + i64::from(error) * i64::from(self.eval_noise) / 65_536) as i32
    }

    /// Greatest perceived value, in centipawns.
    pub(super) fn max_perceived(&self) -> i32 {
        self.caution
            .max(1)
            .saturating_add(self.eval_noise.saturating_abs().saturating_mul(2))
    }

    /// Whether an error with this identifier is made in the position with this key.
    #[cold]
    pub(super) fn overlooks(&self, key: u64, number: u64) -> bool {
        self.happens(key, number, self.blunder_rate)
    }

    /// Whether the capture of a king by one step is overlooked in the position with this key.
    #[cold]
    pub(super) fn overlooks_king(&self, key: u64) -> bool {
        self.happens(
            key,
            noise_stream::KING,
            self.blunder_rate.saturating_sub(SEES_KINGS),
        )
    }

    /// Whether an event with this identifier happens in this position; it does in `rate` of a thousand.
    fn happens(&self, key: u64, number: u64, rate: u32) -> bool {
        splitmix(key ^ self.seed, number) % 1000 < u64::from(rate)
    }

    /// Thinking time like that of a person in the position with this key: varied, and always small compared with the clock.
    fn thought(&self, budget: &Budget, key: u64) -> Duration {
        let share = 0.3
            + 0.9 * (splitmix(key ^ self.seed, noise_stream::THINKING_TIME) % 1000) as f64 / 1000.0;
        budget.optimum.mul_f64(share).min(budget.maximum)
    }
}

/// Delays an answer that was found at once by a human thinking time, if there are a clock and a strength limit. Any other
/// limit cancels the delay.
pub(super) fn take_time<G: Rules>(
    position: &G,
    limits: &Limits<G>,
    settings: &Settings,
    start: Instant,
    control: &Control,
) {
    let (Some(strength_limit), Some(clock)) = (&settings.strength_limit, &limits.clock) else {
        return;
    };
    let is_bounded = limits.nodes.is_some()
        || limits.depth.is_some()
        || limits.mate.is_some()
        || limits.movetime.is_some()
        || limits.cputime.is_some();
    if is_bounded || limits.infinite {
        return;
    }
    let budget = Budget::new(clock, settings.move_overhead);
    let mut thought = strength_limit.thought(&budget, position.key());
    if legal_steps(position).len() == 1 {
        thought /= 10;
    }
    let start = if limits.ponder {
        control.ponder_hit_time().unwrap_or(start)
    } else {
        start
    };
    control.wait_until(start + thought);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    const HANDICAP: StrengthLimit = StrengthLimit {
        nodes: 1000,
        depth: 250,
        eval_noise: 100,
        blunder_rate: 300,
        caution: 1000,
        seed: 7,
    };

    /// The mean of `of` over many positions.
    fn mean(of: impl Fn(u64) -> f64) -> f64 {
        let keys = (0..20_000).map(|n| splitmix(99, n));
        keys.map(of).sum::<f64>() / 20_000.0
    }

    #[test]
    fn errors_are_as_large_and_as_frequent_as_said() {
        assert!((mean(|key| f64::from(HANDICAP.depth_at(key))) - 2.5).abs() < 0.02);
        assert!((mean(|key| f64::from(u8::from(HANDICAP.overlooks(key, 3)))) - 0.3).abs() < 0.02);
        let misses_king = |blunder_rate| {
            let strength_limit = StrengthLimit {
                blunder_rate,
                ..HANDICAP
            };
            mean(|key| f64::from(u8::from(strength_limit.overlooks_king(key))))
        };
        assert!(misses_king(700) < 1e-9 && (misses_king(998) - 0.298).abs() < 0.02);
        // A value of 1,000 centipawns is perceived as half of it.
        assert!((mean(|key| f64::from(HANDICAP.misjudge(key, -1000))) + 500.0).abs() < 2.0);
        let square = mean(|key| f64::from(HANDICAP.misjudge(key, 0)).powi(2));
        assert!((square.sqrt() - 57.7).abs() < 2.0, "{square}");
    }

    #[test]
    fn errors_are_the_same_each_time_and_others_with_another_seed() {
        let other = StrengthLimit {
            seed: 8,
            ..HANDICAP
        };
        let differing = mean(|key| {
            let seems = HANDICAP.misjudge(key, 30);
            assert_eq!(seems, HANDICAP.misjudge(key, 30));
            f64::from(u8::from(seems != other.misjudge(key, 30)))
        });
        assert!(differing > 0.9);
    }

    #[test]
    fn a_thought_fits_the_clock() {
        for left in [0, 20, 1000, 60_000, 600_000] {
            let clock = Clock {
                left: Duration::from_millis(left),
                increment: Duration::ZERO,
                turns_to_go: None,
            };
            let budget = Budget::new(&clock, Duration::from_millis(10));
            let mean = mean(|key| {
                let thought = HANDICAP.thought(&budget, key);
                assert!(thought <= budget.maximum);
                thought.as_secs_f64()
            });
            assert!(left < 1000 || mean > budget.optimum.as_secs_f64() / 2.0);
        }
    }
}
