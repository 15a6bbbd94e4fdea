//! Simultaneous perturbation stochastic approximation: all parameters are moved at once in a random direction, there and
//! back, and the difference of the two results is a noisy slope along it (J. C. Spall, "Implementation of the
//! simultaneous perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems
//! 34(3), 1998). Gains are given by what they are at the end, as Fishtest does.

use crate::plan::schedule::{Random, RngStream, derive};
use serde::{Deserialize, Serialize};

/// Exponent with which the gain falls as the number of pairs grows.
const ALPHA: f64 = 0.602;
/// Exponent with which the perturbation falls as the number of pairs grows.
const GAMMA: f64 = 0.101;
/// Number of pairs added to the count by which the gain falls, as a share of all pairs (Spall's stability constant).
const DELAY: f64 = 0.1;
/// Resolution of the random fraction by which a value is rounded to an integer.
const FRACTIONS: usize = 1 << 32;

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuned {
    /// Its name.
    pub name: String,
    /// The value at the beginning.
    pub start: f64,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
    /// The distance to each side at which it is tried in the last pair; larger before.
    pub step: f64,
}

/// What is tuned, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The parameters.
    pub parameters: Vec<Tuned>,
    /// The pairs of games altogether.
    pub pairs: u64,
    /// The pairs that are played from the same values.
    pub batch: u64,
    /// The gain at the end: by how many steps a game that is won moves a parameter.
    pub rate: f64,
    /// The seed of the directions.
    pub seed: u64,
}

impl Schedule {
    /// How far to each side a parameter is moved in a pair (from 1).
    fn perturbation(&self, parameter: &Tuned, pair: u64) -> f64 {
        parameter.step * (self.pairs as f64 / pair as f64).powf(GAMMA)
    }

    /// How far a game that is won in a pair moves a parameter: the gain divided by the perturbation.
    fn gain(&self, parameter: &Tuned, pair: u64) -> f64 {
        let delay = DELAY * self.pairs as f64;
        let fall = ((delay + self.pairs as f64) / (delay + pair as f64)).powf(ALPHA);
        self.rate * parameter.step.powi(2) * fall / self.perturbation(parameter, pair)
    }

    /// For each parameter the direction of a pair, 1 or -1, and a fraction of 1 for rounding.
    fn directions(&self, pair: u64) -> impl Iterator<Item = (f64, f64)> {
        let mut random = Random::new(derive(self.seed, RngStream::Direction, pair));
        self.parameters.iter().map(move |_| {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            (sign, random.below(FRACTIONS) as f64 / FRACTIONS as f64)
        })
    }

    /// The two settings that meet in a pair: the values moved in its direction, and moved back. What lies between two whole
    /// numbers is rounded up as often as it is near the upper one, for both alike: on average a small perturbation is kept.
    pub fn sides(&self, values: &[f64], pair: u64) -> [Vec<i32>; 2] {
        [1.0, -1.0].map(|side| {
            let moved = self.parameters.iter().zip(values);
            let moved = moved.zip(self.directions(pair));
            moved
                .map(|((parameter, value), (sign, fraction))| {
                    let value = value + side * sign * self.perturbation(parameter, pair);
                    ((value + fraction).floor() as i32).clamp(parameter.min, parameter.max)
                })
                .collect()
        })
    }

    /// Takes the result of a pair: the games that the first setting has won less those that it has lost.
    pub fn learn(&self, values: &mut [f64], pair: u64, result: i32) {
        let moved = values.iter_mut().zip(&self.parameters);
        for ((value, parameter), (sign, _)) in moved.zip(self.directions(pair)) {
            *value += self.gain(parameter, pair) * sign * f64::from(result);
            *value = value.clamp(f64::from(parameter.min), f64::from(parameter.max));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tuning::state::samples::schedule;

    #[test]
    fn gains_fall_to_what_was_asked_for() {
        let schedule = schedule();
        let (parameter, last) = (&schedule.parameters[0], schedule.pairs);
        assert!((schedule.perturbation(parameter, last) - parameter.step).abs() < 1e-12);
        let gain = schedule.rate * parameter.step;
        assert!((schedule.gain(parameter, last) - gain).abs() < 1e-12);
        for pair in 1..last {
            let next = pair + 1;
            assert!(
                schedule.perturbation(parameter, pair) > schedule.perturbation(parameter, next)
            );
        }
        assert!(schedule.gain(parameter, 1) > gain);
    }

    #[test]
    fn sides_lie_on_both_sides_and_inside_the_range() {
        let schedule = schedule();
        let values = [10.4, 0.0];
        let mut sums = [0.0; 2];
        for pair in 1..=schedule.pairs {
            let [plus, minus] = schedule.sides(&values, pair);
            assert_ne!(plus[0], minus[0], "pair {pair}");
            for (parameter, value) in schedule.parameters.iter().zip(plus.iter().chain(&minus)) {
                assert!((parameter.min..=parameter.max).contains(value));
            }
            for (sum, side) in sums.iter_mut().zip([plus, minus]) {
                *sum += f64::from(side[0]) / schedule.pairs as f64;
            }
        }
        let mean = f64::midpoint(sums[0], sums[1]);
        assert!((mean - values[0]).abs() < 0.1, "rounding is fair: {mean}");
    }

    #[test]
    fn a_won_pair_moves_towards_the_winner() {
        let schedule = schedule();
        let start = [10.0, 5.0];
        for pair in 1..50 {
            let [plus, minus] = schedule.sides(&start, pair);
            let mut values = start;
            schedule.learn(&mut values, pair, 2);
            assert_eq!(values[0] > start[0], plus[0] > minus[0]);
            let mut back = start;
            schedule.learn(&mut back, pair, -2);
            assert!((values[0] + back[0] - 2.0 * start[0]).abs() < 1e-9);
            let mut same = start;
            schedule.learn(&mut same, pair, 0);
            assert_eq!(same.map(f64::to_bits), start.map(f64::to_bits));
        }
    }
}
