//! `train`: trains a network on data files.

use crate::chart::draw_losses;
use crate::dataset::Dataset;
use crate::game::{GameName, Odds, Trainable, with_game};
use crate::optimiser::{Learner, Loss, fitted_odds};
use crate::quantised::{fitting, folded, write_network};
use crate::record::{Packed, Verdict};
use crate::schedule::{Losses, Schedule};
use anyhow::{Result, ensure};
use clap::Args;
use fauve_engine::eval::network::{Network, Parameters};
use std::path::PathBuf;

/// Train a network on the positions of data files.
#[derive(Args, Clone, Debug)]
pub struct Train {
    /// The game of the data.
    pub game: GameName,
    /// Data files written by `generate`
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// Output file of the network
    #[arg(long)]
    pub out: PathBuf,
    /// Output file of the loss curve, as SVG [default: beside the network]
    #[arg(long)]
    pub curve: Option<PathBuf>,
    /// Hidden neurons: a multiple of 32 from 32 to 256
    #[arg(long, default_value_t = 128)]
    pub hidden: usize,
    #[command(flatten)]
    pub schedule: Schedule,
    /// Weight of the search's score in the target; the rest is the game's result
    #[arg(long, default_value_t = 0.8)]
    pub lambda: f32,
    #[command(flatten)]
    pub odds: Odds,
    /// Loss function
    #[arg(long, value_enum, default_value_t = Loss::Squared)]
    pub loss: Loss,
}

/// The number of positions by which the odds are fitted.
const FITTED: usize = 400_000;

impl Train {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        ensure!((0.0..=1.0).contains(&self.lambda), "lambda is not in 0..1");
        self.schedule
            .with_threads(|| with_game!(self.game, G => self.train::<G>()))
    }

    fn train<G: Trainable>(&self) -> Result<()> {
        let data = Dataset::read::<G>(&self.data)?;
        say!(
            "{} positions to learn from, {} held out",
            data.training.len(),
            data.held_out.len()
        );
        let every = data.training.len().div_ceil(FITTED);
        let some = data.training.iter().step_by(every).map(Verdict::of);
        if let Some(fitted) = fitted_odds(&some.collect::<Vec<_>>()) {
            let odds = self.odds.of::<G>();
            say!(
                "{fitted:.0} centipawns multiply the odds by e in these games, {odds:.0} in this training"
            );
        }
        let learned = self.learn::<G>(&data)?;
        let (mean, most) = learned.rounding;
        say!("the engine's integers differ by {mean:.2} centipawns on average, {most:.1} at most");
        write_network(&learned.parameters, &self.out)?;
        draw_losses(&self.out, self.curve.as_deref(), &learned.losses)
    }

    /// Trains a network of the requested layout.
    pub fn learn<G: Trainable>(&self, data: &Dataset) -> Result<Learned<G>> {
        let (learner, losses) = self.schedule.run::<G, Packed>(
            self.hidden,
            &data.training,
            &data.held_out,
            (self.lambda, self.loss, self.odds.of::<G>()),
        )?;
        let origin = self.schedule.origin(data.training.len());
        let (weights, layout) = folded::<G>(&learner.weights, learner.layout);
        let parameters = fitting::<G>(&weights, layout, origin)?;
        let rounding = error_of_rounding::<G>(&learner, &parameters, &data.held_out);
        Ok(Learned {
            parameters,
            losses,
            rounding,
        })
    }
}

/// Result of a training.
pub struct Learned<G> {
    /// The quantised network.
    pub parameters: Parameters<G>,
    /// Losses of each epoch.
    pub losses: Vec<Losses>,
    /// Mean and greatest difference between the quantised and the trained network, in centipawns.
    pub rounding: (f32, f32),
}

/// Mean and greatest difference between the engine's integers and the trained network, in centipawns, over the first
/// held-out positions.
fn error_of_rounding<G: Trainable>(
    learner: &Learner,
    parameters: &Parameters<G>,
    positions: &[Packed],
) -> (f32, f32) {
    const MOST: usize = 10_000;
    let network = Network::new(parameters);
    let errors: Vec<f32> = positions
        .iter()
        .take(MOST)
        .filter_map(|record| {
            let position = G::of_record(record)?;
            let trained = learner.value(&G::views_of(record)) * G::SCALE as f32;
            Some((trained - position.raw_value(&network) as f32).abs())
        })
        .collect();
    let mean = errors.iter().sum::<f32>() / errors.len().max(1) as f32;
    (mean, errors.into_iter().fold(0.0, f32::max))
}
