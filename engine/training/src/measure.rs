//! `measure`: how well networks and the engine's own evaluation predict held-out games.

use crate::chart::{Chart, Curve};
use crate::dataset::Dataset;
use crate::game::{GameName, Odds, Trainable, present, with_game};
use crate::optimiser::{log_loss, log_odds, sigmoid, target};
use crate::quantised::read_network;
use crate::record::{Packed, Verdict};
use anyhow::{Result, ensure};
use clap::Args;
use fauve_engine::eval::network::Network;
use rayon::prelude::*;
use std::ops::Range;
use std::path::PathBuf;

/// Measure networks and the engine's own evaluation on the held-out games of data files.
#[derive(Args)]
pub struct Measure {
    /// The game of the data.
    game: GameName,
    /// Data files written by `generate`
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// A network file; several are compared with the first
    #[arg(long)]
    network: Vec<PathBuf>,
    /// Weight of the search's score in the target, as in `train`
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    #[command(flatten)]
    odds: Odds,
    /// Write the calibration as SVG
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Print this number of the largest mistakes of the first network (or else of the engine's own evaluation)
    #[arg(long, default_value_t = 10)]
    mistakes: usize,
}

/// Number of calibration bins, by predicted probability.
const BINS: usize = 20;

/// A named evaluation in centipawns for the side to move.
struct Judge<G> {
    name: String,
    network: Option<Network<G>>,
}

impl<G: Trainable> Judge<G> {
    /// Log odds of positions.
    fn values(&self, positions: &[Packed], odds: f32) -> Vec<f32> {
        positions
            .par_iter()
            .map(|packed| {
                let position = G::of_record(packed);
                let value = position.map_or(0, |position| match &self.network {
                    Some(network) => network.evaluate(&position),
                    None => present(&position),
                });
                log_odds::<G>(value as f32 / G::SCALE as f32, odds)
            })
            .collect()
    }
}

impl Measure {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        ensure!((0.0..=1.0).contains(&self.lambda), "lambda is not in 0..1");
        with_game!(self.game, G => self.measure::<G>())
    }

    fn measure<G: Trainable>(&self) -> Result<()> {
        let mut judges = Vec::new();
        for path in &self.network {
            let name = path.file_name().unwrap_or_default().display().to_string();
            let network = read_network::<G>(path)?;
            let origin = network.origin();
            say!(
                "{name}: {} hidden, {} positions, seed {}",
                network.hidden(),
                origin.positions,
                origin.seed
            );
            judges.push(Judge {
                name,
                network: Some(network),
            });
        }
        judges.push(Judge {
            name: "engine".to_owned(),
            network: None,
        });
        let odds = self.odds.of::<G>();
        let data = Dataset::read::<G>(&self.data)?;
        let (positions, games) = (&data.held_out, &data.held_out_games);
        say!(
            "{} positions of {} games held out",
            positions.len(),
            games.len()
        );
        let values: Vec<Vec<f32>> = judges
            .iter()
            .map(|judge| judge.values(positions, odds))
            .collect();
        let losses: Vec<_> = values
            .iter()
            .map(|values| log_losses(values, positions, self.lambda, odds))
            .collect();
        for (judge, (values, losses)) in judges.iter().zip(values.iter().zip(&losses)) {
            self.print(&judge.name, values, losses, (positions, odds));
        }
        for (judge, loss) in judges.iter().zip(&losses).skip(1) {
            let (mean, error) = difference(&losses[0], loss, games);
            say!(
                "{} against {}: log loss {mean:+.5} ± {:.5} ({})",
                judges[0].name,
                judge.name,
                2.0 * error,
                if mean < 0.0 { "less" } else { "more" }
            );
        }
        if let Some(path) = &self.plot {
            let lines: Vec<_> = values
                .iter()
                .map(|values| calibration(values, positions))
                .collect();
            let mut curves: Vec<_> = judges
                .iter()
                .zip(&lines)
                .map(|(judge, points)| Curve {
                    name: &judge.name,
                    points,
                })
                .collect();
            curves.push(Curve {
                name: "perfect",
                points: &[(0.0, 0.0), (1.0, 1.0)],
            });
            Chart {
                title: "Calibration",
                axes: ["predicted chance", "points scored"],
                curves: &curves,
                rises: true,
            }
            .write(path)?;
        }
        for (packed, value) in largest_mistakes(&values[0], positions, self.mistakes, odds) {
            let verdict = Verdict::of(&packed);
            say!(
                "{:+6.0} instead of {:+6} ({:?}): {}",
                value * odds,
                verdict.score,
                verdict.result,
                G::text_of(&packed).unwrap_or_default()
            );
        }
        Ok(())
    }

    fn print(
        &self,
        name: &str,
        values: &[f32],
        losses: &[f64],
        (positions, odds): (&[Packed], f32),
    ) {
        let count = losses.len().max(1) as f64;
        let mean = losses.iter().sum::<f64>() / count;
        let mut squares = 0.0;
        let (mut result_loss, mut results) = (0.0, 0);
        for (&value, packed) in values.iter().zip(positions) {
            let verdict = Verdict::of(packed);
            squares += f64::from(sigmoid(value) - target(verdict, self.lambda, odds)).powi(2);
            if let Some(points) = verdict.result.points() {
                result_loss += f64::from(log_loss(value, points));
                results += 1;
            }
        }
        say!(
            "{name}: log loss {mean:.5}, squared {:.6}; against the result alone log loss {:.5}",
            squares / count,
            result_loss / f64::from(results.max(1))
        );
    }
}

/// Log loss of each position.
fn log_losses(values: &[f32], positions: &[Packed], lambda: f32, odds: f32) -> Vec<f64> {
    values
        .iter()
        .zip(positions)
        .map(|(&value, packed)| {
            f64::from(log_loss(value, target(Verdict::of(packed), lambda, odds)))
        })
        .collect()
}

/// Mean of `first - second` and its standard error. Games are independent of each other, positions of a game are not.
fn difference(first: &[f64], second: &[f64], games: &[Range<usize>]) -> (f64, f64) {
    let count = first.len().max(1) as f64;
    let sum = |game: &Range<usize>| -> f64 {
        game.clone()
            .map(|position| first[position] - second[position])
            .sum()
    };
    let mean = games.iter().map(sum).sum::<f64>() / count;
    let variance: f64 = games
        .iter()
        .map(|game| (sum(game) - mean * game.len() as f64).powi(2))
        .sum();
    (mean, variance.sqrt() / count)
}

/// Calibration: points scored by predicted probability, at the mean prediction of each bin. Positions with an open result
/// do not count.
fn calibration(values: &[f32], positions: &[Packed]) -> Vec<(f64, f64)> {
    let mut bins = [(0.0, 0.0, 0.0); BINS];
    for (&value, packed) in values.iter().zip(positions) {
        let Some(points) = Verdict::of(packed).result.points() else {
            continue;
        };
        let chance = sigmoid(value);
        let bin = &mut bins[((chance * BINS as f32) as usize).min(BINS - 1)];
        bin.0 += f64::from(chance);
        bin.1 += f64::from(points);
        bin.2 += 1.0;
    }
    bins.into_iter()
        .filter(|bin| bin.2 > 0.0)
        .map(|(chances, points, count)| (chances / count, points / count))
        .collect()
}

/// The positions whose predicted probability differs most from that of the search.
fn largest_mistakes(
    values: &[f32],
    positions: &[Packed],
    count: usize,
    odds: f32,
) -> Vec<(Packed, f32)> {
    let mistake = |i: usize| {
        let score = f32::from(Verdict::of(&positions[i]).score) / odds;
        (sigmoid(values[i]) - sigmoid(score)).abs()
    };
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by(|&a, &b| mistake(b).total_cmp(&mistake(a)).then(a.cmp(&b)));
    order
        .into_iter()
        .take(count)
        .map(|i| (positions[i], values[i]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameResult, Record};
    use crate::tests::some_records;

    #[test]
    fn errors_grow_with_the_dependence_within_games() {
        let first = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
        let second = [0.0; 8];
        let alone: Vec<_> = (0..8).map(|i| i..i + 1).collect();
        let pairs: Vec<_> = (0..4).map(|i| 2 * i..2 * i + 2).collect();
        let (mean, error) = difference(&first, &second, &alone);
        assert!((mean - 0.5).abs() < 1e-12);
        assert!((error - (8.0f64 * 0.25).sqrt() / 8.0).abs() < 1e-12);
        let (same, larger) = difference(&first, &second, &pairs);
        assert!((same - mean).abs() < 1e-12);
        assert!((larger - error * 2f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn calibration_is_what_was_scored() {
        let records: Vec<Packed> = [GameResult::Win, GameResult::Draw, GameResult::Open]
            .into_iter()
            .zip(some_records())
            .map(|(result, record)| Record { result, ..record }.pack())
            .collect();
        let points = calibration(&[0.0; 3], &records);
        assert_eq!(points, [(0.5, 0.75)]);
    }

    #[test]
    fn the_largest_mistakes_come_first() {
        let records: Vec<Packed> = [100, -300, 0]
            .into_iter()
            .zip(some_records())
            .map(|(score, record)| Record { score, ..record }.pack())
            .collect();
        let mistakes = largest_mistakes(&[0.25, 0.5, 0.1], &records, 2, 400.0);
        let scores: Vec<_> = (mistakes.iter())
            .map(|(packed, _)| Verdict::of(packed).score)
            .collect();
        assert_eq!(scores, [-300, 0]);
    }
}
