//! Calibration: whether 70 % of the positions rated 70 % are won.

use super::file::read;
use super::position::Record;
use super::train::Lost;
use super::{network_of, settings};
use crate::chart::{Chart, Curve};
use crate::random::Random;
use anyhow::{Context, Result, ensure};
use clap::Args;
use fauve_engine::eval::network::Network;
use fauve_engine::rules::Game;
use fauve_engine::rules::dice::{DiceChess, Options};
use fauve_engine::search::{Control, Limits, Searcher, Settings, Table};
use rayon::prelude::*;
use std::path::PathBuf;

/// Number of turns at the start of a game from which positions are chosen, each turn equally likely.
const LAST: usize = 40;

/// Measure calibration and log loss of winning probabilities on games from `dice-generate`, with at most one position of
/// each game.
#[derive(Args)]
pub struct Measure {
    /// The file of games
    file: PathBuf,
    /// Number of positions, each from another game; needs two to three times as many games
    #[arg(long, default_value_t = 20_000)]
    positions: usize,
    /// Search depth of a rating, in turns; 0: the evaluation alone
    #[arg(long, default_value_t = 1)]
    depth: u32,
    /// Number of bins of equal count
    #[arg(long, default_value_t = 10)]
    bins: usize,
    /// Seed of the choice of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Network of the search [default: the engine's own]
    #[arg(long)]
    network: Option<PathBuf>,
    /// Write the calibration as SVG
    #[arg(long)]
    plot: Option<PathBuf>,
}

/// A bin of positions with similar ratings.
pub struct Bin {
    /// Mean rating, 0 to 1.
    pub rated: f64,
    /// Mean result, 0 to 1.
    pub won: f64,
    /// Standard error of the mean result.
    pub error: f64,
}

impl Measure {
    /// Runs the command.
    ///
    /// # Errors
    /// If the file cannot be read, or the plot cannot be written.
    pub fn run(self) -> Result<()> {
        ensure!(self.bins > 0, "there is at least one bin");
        let network = network_of(self.network.as_deref())?;
        let settings = settings(network.clone());
        let (_, games) = read(&self.file)?;
        let chosen: Vec<Record> = games
            .iter()
            .filter_map(|game| choose(&game.records, self.seed, game.id))
            .take(self.positions)
            .collect();
        let mut pairs: Vec<(f64, f64)> = chosen
            .par_iter()
            .map_init(
                || Table::new(1),
                |table, record| match self.depth {
                    0 => rate_at_once(record, network.as_ref()),
                    depth => rate(record, depth, &settings, table.as_ref().ok()?),
                },
            )
            .flatten()
            .collect();
        ensure!(
            pairs.len() >= self.bins,
            "{} positions are too few for {} bins",
            pairs.len(),
            self.bins
        );
        say!(
            "{} positions, depth {}: log loss {:.4}, of the mean alone {:.4}",
            pairs.len(),
            self.depth,
            log_loss(&pairs),
            entropy(&pairs)
        );
        let bins = bins(&mut pairs, self.bins);
        for bin in &bins {
            say!(
                "rated {:>5.1} %  won {:>5.1} % ± {:.1}  gap {:>+5.1}",
                bin.rated * 100.0,
                bin.won * 100.0,
                bin.error * 100.0,
                (bin.won - bin.rated) * 100.0
            );
        }
        let gap = bins.iter().map(|bin| (bin.won - bin.rated).abs());
        say!("largest gap {:.2} points", gap.fold(0.0, f64::max) * 100.0);
        if let Some(path) = &self.plot {
            let found: Vec<(f64, f64)> = bins.iter().map(|bin| (bin.rated, bin.won)).collect();
            let chart = Chart {
                title: "DiceChess: calibration",
                axes: ["rated", "won"],
                curves: &[
                    Curve {
                        name: "games",
                        points: &found,
                    },
                    Curve {
                        name: "as rated",
                        points: &[(0.0, 0.0), (1.0, 1.0)],
                    },
                ],
                rises: true,
            };
            chart.write(path).context("the plot")?;
        }
        Ok(())
    }
}

/// The position of a game before a turn that is chosen independently of the game; `None` if the game was shorter. A choice
/// among the existing positions would favour those of short games, whose shortness a player cannot foresee, and make
/// ratings look too cautious.
fn choose(game: &[Record], seed: u64, number: u64) -> Option<Record> {
    game.get(Random::new(seed, number).below(LAST)).copied()
}

/// Rating of a position and points of its game, for the side that rolls.
fn rate(record: &Record, depth: u32, settings: &Settings, table: &Table) -> Option<(f64, f64)> {
    let game = Game::new(record.position()?, Options::default());
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    table.clear();
    let control = Control::default();
    let answer = Searcher::new(table, settings, &control).run(&game, &limits, &mut |_| {});
    Some((answer.win_chance?, f64::from(record.points())))
}

/// Rating of a position by the evaluation alone, and points of its game, for the side that rolls.
fn rate_at_once(record: &Record, network: Option<&Network<DiceChess>>) -> Option<(f64, f64)> {
    let example = Lost::new(*record)?;
    let rated = match network {
        Some(network) => example.by(network),
        None => example.at_present(),
    };
    Some((f64::from(rated?), f64::from(record.points())))
}

/// Mean log loss of ratings against results.
pub fn log_loss(pairs: &[(f64, f64)]) -> f64 {
    let loss = |&(rated, won): &(f64, f64)| {
        let rated = rated.clamp(1e-6, 1.0 - 1e-6);
        -(won * rated.ln() + (1.0 - won) * (1.0 - rated).ln())
    };
    pairs.iter().map(loss).sum::<f64>() / pairs.len().max(1) as f64
}

/// Log loss of a constant rating equal to the mean result.
fn entropy(pairs: &[(f64, f64)]) -> f64 {
    let mean = pairs.iter().map(|pair| pair.1).sum::<f64>() / pairs.len().max(1) as f64;
    log_loss(
        &pairs
            .iter()
            .map(|&(_, won)| (mean, won))
            .collect::<Vec<_>>(),
    )
}

/// Bins of equal count, by increasing rating.
pub fn bins(pairs: &mut [(f64, f64)], count: usize) -> Vec<Bin> {
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    (0..count)
        .map(|n| {
            let part = &pairs[n * pairs.len() / count..(n + 1) * pairs.len() / count];
            let size = part.len().max(1) as f64;
            let mean = |pick: fn(&(f64, f64)) -> f64| part.iter().map(pick).sum::<f64>() / size;
            let won = mean(|pair| pair.1);
            Bin {
                rated: mean(|pair| pair.0),
                won,
                error: (won * (1.0 - won) / size).sqrt(),
            }
        })
        .collect()
}
