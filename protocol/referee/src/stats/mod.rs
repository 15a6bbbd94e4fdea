//! The statistics of a match: Elo with error bars, normalized Elo, likelihood of superiority and the sequential
//! probability ratio test, from the counts of game pairs.
//!
//! The formulas are those that fastchess and Fishtest use, so that figures compare: the score of a colour-swapped
//! pair (0, ½, 1, 1½ or 2 points) is one observation of a pentanomial distribution, which takes the correlation of
//! its two games into account. Sources: Michel Van den Bergh, "Comments on Normalized Elo" (generalised likelihood
//! ratios, propositions 1.1 and 4.1), and the logistic model of Elo.

pub mod ratings;

use ratings::HeadToHead;

/// The 97.5 % quantile of the normal distribution: two-sided 95 % error bars.
pub(crate) const Z95: f64 = 1.959963984540054;
/// Logistic Elo per natural unit of the normalized scale, 800 / ln 10.
const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;
/// The weight of an outcome that was never seen, so that likelihoods stay finite.
const UNSEEN: f64 = 1e-3;

/// The counts of a match from one player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Finished pairs by points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Of the pairs with one point, those of two draws.
    pub double_draws: u64,
}

impl Counts {
    /// Finished games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points won.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Finished pairs.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Adds a game, by half points (0, 1, 2).
    pub const fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds a pair, by the half points of its two games (0, 1, 2 each). The games are added apart.
    pub fn add_pair(&mut self, first: u8, second: u8) {
        self.pairs[usize::from((first + second).min(4))] += 1;
        self.double_draws += u64::from(first == 1 && second == 1);
    }

    /// Adds the counts of another match.
    pub fn add(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (sum, count) in self.pairs.iter_mut().zip(other.pairs) {
            *sum += count;
        }
        self.double_draws += other.double_draws;
    }

    /// The same match from the other player's point of view.
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            pairs,
            double_draws: self.double_draws,
        }
    }

    /// The share of pairs in which both players scored one point (what fastchess calls the draw ratio), or of drawn
    /// games while no pair is finished.
    pub fn draw_ratio(&self) -> f64 {
        if self.pair_count() > 0 {
            self.pairs[2] as f64 / self.pair_count() as f64
        } else {
            self.draws as f64 / self.games() as f64
        }
    }

    /// Pairs won to pairs lost.
    pub fn pairs_ratio(&self) -> f64 {
        (self.pairs[3] + self.pairs[4]) as f64 / (self.pairs[0] + self.pairs[1]) as f64
    }

    /// The distribution to compute with: the pairs, or the single games while no pair is finished.
    fn sample(&self) -> Sample {
        if self.pair_count() > 0 {
            Sample::new(&self.pairs, &[0.0, 0.25, 0.5, 0.75, 1.0], 2.0)
        } else {
            Sample::new(&[self.losses, self.draws, self.wins], &[0.0, 0.5, 1.0], 1.0)
        }
    }

    /// These counts as a meeting of two players, for their ratings.
    pub fn meeting(&self, players: [usize; 2]) -> HeadToHead {
        let games = self.games() as f64;
        let mean = self.points() / games.max(1.0);
        let [none, half, one, most, all] = self.pairs;
        let double_draws = self.double_draws.min(one);
        let decided = one - double_draws;
        // What is left when the games of the pairs are taken away; a pair of one point is two draws, or a win and a loss.
        let wins = self.wins.saturating_sub(2 * all + most + decided);
        let draws = self.draws.saturating_sub(half + most + 2 * double_draws);
        let losses = self.losses.saturating_sub(2 * none + half + decided);
        let singles = [(losses, 0.0), (draws, 0.5), (wins, 1.0)];
        let scatter =
            |(count, points): (u64, f64), size: f64| count as f64 * (points - size * mean).powi(2);
        let of_pairs = self.pairs.into_iter().zip([0.0, 0.5, 1.0, 1.5, 2.0]);
        let pairs = self.pair_count() as f64;
        let single = (wins + draws + losses) as f64;
        HeadToHead {
            players,
            games,
            points: self.points(),
            observations: pairs + single,
            squares: 4.0 * pairs + single,
            scatter: of_pairs.map(|pair| scatter(pair, 2.0)).sum::<f64>()
                + singles.map(|game| scatter(game, 1.0)).iter().sum::<f64>(),
        }
    }

    /// Elo and its kin; `None` before the first game.
    pub fn elo(&self) -> Option<Elo> {
        (self.games() > 0).then(|| self.sample().elo())
    }
}

/// A difference in strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// Logistic Elo; infinite if every point went to one side.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_error: f64,
    /// Normalized Elo: the score in units of its standard deviation per game.
    pub normalized: f64,
    /// Half the width of its 95 % interval.
    pub normalized_error: f64,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

/// An observed distribution of scores between 0 and 1.
struct Sample {
    counts: Vec<f64>,
    scores: Vec<f64>,
    /// Games per observation.
    games: f64,
}

impl Sample {
    fn new(counts: &[u64], scores: &[f64], games: f64) -> Self {
        Self {
            counts: counts.iter().map(|&count| count as f64).collect(),
            scores: scores.to_vec(),
            games,
        }
    }

    /// The mean score of an observation, and its variance.
    fn moments(&self) -> (f64, f64) {
        let total: f64 = self.counts.iter().sum();
        let shares: Vec<f64> = self.counts.iter().map(|count| count / total).collect();
        moments(&self.scores, &shares)
    }

    fn elo(&self) -> Elo {
        let total: f64 = self.counts.iter().sum();
        let (mean, variance) = self.moments();
        // Observations that are all the same (a single one is) do not say that there could be no other: one more, of
        // which nothing is known, stands for what was not seen.
        let variance = if variance > 0.0 {
            variance
        } else {
            let any = vec![1.0 / self.scores.len() as f64; self.scores.len()];
            let spread = self
                .scores
                .iter()
                .zip(any)
                .map(|(s, p)| p * (s - mean) * (s - mean));
            spread.sum::<f64>() / (total + 1.0)
        };
        let deviation = (variance / total).sqrt();
        let (low, high) = (mean - Z95 * deviation, mean + Z95 * deviation);
        Elo {
            elo: elo_of_score(mean),
            elo_error: if low > 0.0 && high < 1.0 {
                (elo_of_score(high) - elo_of_score(low)) / 2.0
            } else {
                f64::INFINITY
            },
            normalized: (mean - 0.5) / (self.games * variance).sqrt() * NORMALIZED_SCALE,
            normalized_error: Z95 / (self.games * total).sqrt() * NORMALIZED_SCALE,
            los: libm::erfc((0.5 - mean) / (deviation * std::f64::consts::SQRT_2)) / 2.0,
        }
    }
}

/// The mean and variance of a distribution.
fn moments(scores: &[f64], shares: &[f64]) -> (f64, f64) {
    let mean: f64 = scores.iter().zip(shares).map(|(s, p)| s * p).sum();
    let variance = scores
        .iter()
        .zip(shares)
        .map(|(s, p)| p * (s - mean) * (s - mean))
        .sum();
    (mean, variance)
}

/// The Elo difference at which this score is expected; infinite at the ends and beyond.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The score expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// What the bounds of a test are measured in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the number of games needed does not depend on the draw ratio.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
}

/// A sequential probability ratio test of "the difference is `elo0`" against "it is `elo1`".
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the alternative, above `elo0`.
    pub elo1: f64,
    /// The probability to accept `elo1` where `elo0` is true, in (0, 1).
    pub alpha: f64,
    /// The probability to accept `elo0` where `elo1` is true, in (0, 1).
    pub beta: f64,
    /// The unit of the differences.
    pub model: Model,
}

/// Parameters that make no test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The differences are not in order.
    #[error("SPRT: elo0 must be less than elo1")]
    Differences,
    /// The probabilities of error are none, or too large together.
    #[error("SPRT: alpha and beta must lie between 0 and 1, their sum below 1, such as 0.05")]
    Probabilities,
}

/// Which hypothesis a test has accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// `elo0`.
    H0,
    /// `elo1`.
    H1,
}

impl Sprt {
    /// Checks the parameters.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), SprtError> {
        let open = |p: f64| p > 0.0 && p < 1.0;
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            Err(SprtError::Differences)
        } else if !open(self.alpha) || !open(self.beta) || self.alpha + self.beta >= 1.0 {
            Err(SprtError::Probabilities)
        } else {
            Ok(())
        }
    }

    /// The log likelihood ratios at which the test stops: at or below the first `elo0` is accepted, at or above the
    /// second `elo1` (Wald's bounds).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The generalised log likelihood ratio of `elo1` to `elo0`; 0 before the first game.
    pub fn llr(&self, counts: &Counts) -> f64 {
        if counts.games() == 0 {
            return 0.0;
        }
        let mut sample = counts.sample();
        for count in &mut sample.counts {
            if *count == 0.0 {
                *count = UNSEEN;
            }
        }
        let total: f64 = sample.counts.iter().sum();
        let shares: Vec<f64> = sample.counts.iter().map(|count| count / total).collect();
        let likeliest = |elo: f64| match self.model {
            Model::Normalized => likeliest_with_t(
                &sample.scores,
                &shares,
                sample.games.sqrt() * elo / NORMALIZED_SCALE,
            ),
            Model::Logistic => {
                let expected = score_of_elo(elo);
                let offsets: Vec<f64> = sample.scores.iter().map(|s| s - expected).collect();
                tilt(&shares, &offsets)
            }
        };
        let (null, alternative) = (likeliest(self.elo0), likeliest(self.elo1));
        shares
            .iter()
            .zip(null.iter().zip(&alternative))
            .map(|(share, (p0, p1))| total * share * (p1 / p0).ln())
            .sum()
    }

    /// Whether the test is over.
    pub fn verdict(&self, counts: &Counts) -> Option<Verdict> {
        let llr = self.llr(counts);
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Verdict::H1)
        } else if llr <= lower {
            Some(Verdict::H0)
        } else {
            None
        }
    }
}

/// The distribution most likely to have given `shares` among those in which `offsets` have mean 0 (proposition 1.1).
fn tilt(shares: &[f64], offsets: &[f64]) -> Vec<f64> {
    let least = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let most = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The multiplier is the one zero of a function that falls from +∞ to -∞ between these two poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let slope = |theta: f64| -> f64 {
        shares
            .iter()
            .zip(offsets)
            .map(|(share, offset)| share * offset / (1.0 + theta * offset))
            .sum()
    };
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = f64::midpoint(low, high);
    shares
        .iter()
        .zip(offsets)
        .map(|(share, offset)| share / (1.0 + theta * offset))
        .collect()
}

/// The distribution most likely to have given `shares` among those whose mean lies `t` standard deviations above one
/// half: the fixed point of proposition 4.1, from the uniform distribution.
///
/// Lopsided results and bounds far from 0 lead away from there; then from the results themselves. Where that fails as well, the
/// distribution of that mean stands in, with the deviation that was observed.
fn likeliest_with_t(scores: &[f64], shares: &[f64], t: f64) -> Vec<f64> {
    let uniform = vec![1.0 / scores.len() as f64; scores.len()];
    let is_sound = |found: &Vec<f64>| {
        let (mean, variance) = moments(scores, found);
        let is_share = |share: &f64| *share > 0.0 && share.is_finite();
        found.iter().all(is_share) && (mean - 0.5 - t * variance.sqrt()).abs() < 1e-4
    };
    [uniform, shares.to_vec()]
        .into_iter()
        .map(|start| fixed_point(scores, shares, t, start))
        .find(is_sound)
        .unwrap_or_else(|| {
            let (_, variance) = moments(scores, shares);
            let mean = (0.5 + t * variance.sqrt()).clamp(1e-3, 1.0 - 1e-3);
            let offsets: Vec<f64> = scores.iter().map(|score| score - mean).collect();
            tilt(shares, &offsets)
        })
}

fn fixed_point(scores: &[f64], shares: &[f64], t: f64, mut current: Vec<f64>) -> Vec<f64> {
    for _ in 0..500 {
        let (mean, variance) = moments(scores, &current);
        let deviation = variance.sqrt();
        let offsets: Vec<f64> = scores
            .iter()
            .map(|score| {
                let unit = (score - mean) / deviation;
                score - 0.5 - 0.5 * t * deviation * (1.0 + unit * unit)
            })
            .collect();
        let next = tilt(shares, &offsets);
        let change = next
            .iter()
            .zip(&current)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        current = next;
        if change < 1e-10 {
            break;
        }
    }
    current
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(wins: u64, draws: u64, losses: u64, pairs: [u64; 5]) -> Counts {
        Counts {
            wins,
            draws,
            losses,
            pairs,
            double_draws: 0,
        }
    }

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!(
            (value - expected).abs() <= tolerance,
            "{value} is not {expected}"
        );
    }

    /// What fastchess printed for three matches (wins, draws, losses, pairs; Elo, its error, normalized Elo, its
    /// error, LOS in per cent, draw ratio, LLR of a normalized [0, 10] test), rounded to two digits.
    #[test]
    fn agrees_with_what_fastchess_prints() {
        let matches = [
            (
                counts(67, 110, 23, [1, 11, 47, 25, 16]),
                [77.71, 33.03, 117.50, 48.15, 100.00, 47.00, 1.71],
            ),
            (
                counts(102, 64, 34, [1, 15, 25, 33, 26]),
                [123.02, 40.58, 159.46, 48.15, 100.00, 25.00, 2.19],
            ),
            (
                counts(63, 98, 39, [2, 23, 32, 35, 8]),
                [41.89, 33.28, 61.39, 48.15, 99.38, 32.00, 0.92],
            ),
        ];
        let test = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalized,
        };
        for (counts, [elo, error, normalized, normalized_error, los, draws, llr]) in matches {
            let result = counts.elo().unwrap();
            close(result.elo, elo, 0.005);
            close(result.elo_error, error, 0.005);
            close(result.normalized, normalized, 0.005);
            close(result.normalized_error, normalized_error, 0.005);
            close(result.los * 100.0, los, 0.005);
            close(counts.draw_ratio() * 100.0, draws, 0.005);
            close(test.llr(&counts), llr, 0.006);
        }
    }
    /// By hand: 1 pair of each kind but three of one point, 7 in all. Mean ½, variance (2·¼ + 2·1/16)/7 = 5/56.
    #[test]
    fn an_even_match_by_hand() {
        let counts = counts(5, 4, 5, [1, 1, 3, 1, 1]);
        let result = counts.elo().unwrap();
        close(result.elo, 0.0, 1e-12);
        close(result.los, 0.5, 1e-12);
        let bar = 1.959963984540054 * (5.0f64 / 56.0 / 7.0).sqrt();
        let elo = 400.0 * ((0.5 + bar) / (0.5 - bar)).log10();
        close(result.elo_error, elo, 1e-9);
        close(counts.draw_ratio(), 3.0 / 7.0, 1e-12);
    }

    /// With two outcomes only, the generalised ratio is that of coin tosses: w·ln(s1/s0) + l·ln((1-s1)/(1-s0)).
    #[test]
    fn logistic_ratio_of_coin_tosses() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
        };
        let s1 = 1.0 / (1.0 + 10f64.powf(-20.0 / 400.0));
        let expected = 60.0 * (s1 / 0.5).ln() + 40.0 * ((1.0 - s1) / 0.5).ln();
        close(test.llr(&counts(60, 0, 40, [0; 5])), expected, 1e-3);
        close(
            test.llr(&counts(120, 0, 80, [40, 0, 0, 0, 60])),
            expected,
            1e-3,
        );
    }

    #[test]
    fn the_ratio_is_symmetric_and_stops_at_walds_bounds() {
        for model in [Model::Normalized, Model::Logistic] {
            let test = Sprt {
                elo0: -5.0,
                elo1: 5.0,
                alpha: 0.05,
                beta: 0.1,
                model,
            };
            let (lower, upper) = test.bounds();
            close(lower, (0.1f64 / 0.95).ln(), 1e-12);
            close(upper, (0.9f64 / 0.05).ln(), 1e-12);
            let few = counts(67, 110, 23, [1, 11, 47, 25, 16]);
            close(test.llr(&few), -test.llr(&few.reversed()), 1e-6);
            assert_eq!(test.verdict(&Counts::default()), None);
            let many = counts(6700, 11000, 2300, [100, 1100, 4700, 2500, 1600]);
            assert_eq!(test.verdict(&many), Some(Verdict::H1));
            assert_eq!(test.verdict(&many.reversed()), Some(Verdict::H0));
        }
    }

    #[test]
    fn a_test_with_bounds_far_from_0_decides_lopsided_matches() {
        for (elo0, elo1) in [
            (-600.0, -500.0),
            (-400.0, -300.0),
            (-100.0, 0.0),
            (0.0, 5.0),
            (300.0, 400.0),
        ] {
            for model in [Model::Normalized, Model::Logistic] {
                let test = Sprt {
                    elo0,
                    elo1,
                    alpha: 0.05,
                    beta: 0.05,
                    model,
                };
                test.check().unwrap();
                for pairs in 1..=400 {
                    let lost = counts(0, 0, 2 * pairs, [pairs, 0, 0, 0, 0]);
                    assert!(test.llr(&lost).is_finite(), "{test:?} {pairs}");
                    assert!(test.llr(&lost.reversed()).is_finite(), "{test:?} {pairs}");
                }
                let pairs = 100_000;
                let lost = counts(0, 0, 2 * pairs, [pairs, 0, 0, 0, 0]);
                assert_eq!(
                    test.verdict(&lost),
                    Some(Verdict::H0),
                    "{test:?} {}",
                    test.llr(&lost)
                );
                let won = lost.reversed();
                assert_eq!(
                    test.verdict(&won),
                    Some(Verdict::H1),
                    "{test:?} {}",
                    test.llr(&won)
                );
            }
        }
    }

    #[test]
    fn lopsided_and_empty_matches_give_no_nonsense() {
        assert_eq!(Counts::default().elo(), None);
        let won = counts(4, 0, 0, [0, 0, 0, 0, 2]).elo().unwrap();
        assert!(won.elo.is_infinite() && won.elo > 0.0);
        assert!(won.los > 0.97 && won.los < 1.0, "two pairs prove little");
        let drawn = counts(0, 4, 0, [0, 0, 2, 0, 0]).elo().unwrap();
        close(drawn.elo, 0.0, 0.0);
        close(drawn.los, 0.5, 0.0);
        close(drawn.normalized, 0.0, 0.0);
        assert!(drawn.elo_error > 10.0);
        let many = counts(0, 4000, 0, [0, 0, 2000, 0, 0]).elo().unwrap();
        assert!(many.elo_error > 0.0 && many.elo_error < 1.0);
        let one = counts(1, 1, 0, [0, 0, 0, 1, 0]).elo().unwrap();
        assert!(one.elo_error > 100.0 && one.los < 0.9, "{one:?}");
        let test = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalized,
        };
        for pairs in [[0, 0, 0, 0, 2], [2, 0, 0, 0, 0], [0, 0, 2, 0, 0]] {
            assert!(test.llr(&counts(1, 2, 1, pairs)).is_finite());
        }
    }
}
