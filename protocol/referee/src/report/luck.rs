//! The luck of the dice taken out of a result.

use crate::stats::Z95;

/// A result less the luck in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjusted {
    /// The mean of points less luck, per game.
    pub mean: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// The mean of points per game.
    pub raw_mean: f64,
    /// Half the width of its 95 % interval.
    pub raw_error: f64,
    /// The mean of luck per game, in points.
    pub luck: f64,
    /// By how much of a point of luck points are corrected.
    pub coefficient: f64,
}

impl Adjusted {
    /// Of pairs of points and luck per game. The coefficient is the one that leaves the least variance (the slope of
    /// the regression of points on luck); with few pairs it is 1. `None` for fewer than two pairs.
    pub fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        let count = pairs.len() as f64;
        if pairs.len() < 2 {
            return None;
        }
        let mean = |pick: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / count;
        let points = mean(&|pair| pair.0);
        let luck = mean(&|pair| pair.1);
        let covariance = mean(&|pair| (pair.0 - points) * (pair.1 - luck));
        let variance = mean(&|pair| (pair.1 - luck).powi(2));
        let coefficient = if pairs.len() >= 10 && variance > 0.0 {
            covariance / variance
        } else {
            1.0
        };
        let adjusted = points - coefficient * luck;
        let bar = |square: f64| Z95 * (square / count).sqrt();
        Some(Self {
            mean: adjusted,
            error: bar(mean(&|pair| {
                (pair.0 - coefficient * pair.1 - adjusted).powi(2)
            })),
            raw_mean: points,
            raw_error: bar(mean(&|pair| (pair.0 - points).powi(2))),
            luck,
            coefficient,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luck_that_explains_everything_leaves_no_error() {
        let pairs: Vec<(f64, f64)> = (0..40)
            .map(|i| {
                let luck = f64::from(i % 5 - 2) / 10.0;
                (0.6 + luck, luck)
            })
            .collect();
        let adjusted = Adjusted::of(&pairs).unwrap();
        assert!((adjusted.mean - 0.6).abs() < 1e-12);
        assert!(adjusted.error < 1e-9 && adjusted.raw_error > 0.01);
        assert!((adjusted.coefficient - 1.0).abs() < 1e-9);
        assert_eq!(Adjusted::of(&pairs[..1]), None);
    }
}
