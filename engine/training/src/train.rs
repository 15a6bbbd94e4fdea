//! `train`: a network from data files.

use crate::chart::{Chart, Curve};
use crate::dataset::Dataset;
use crate::game::{GameName, Trainable, with_game};
use crate::optimiser::{Goal, Learner, Loss};
use crate::quantised::{quantise, sums_fit};
use crate::random::Random;
use crate::record::{Packed, Record};
use anyhow::{Context, Result, ensure};
use clap::Args;
use fauve_engine::eval::network::file::MAX_BYTES;
use fauve_engine::eval::network::{Network, Origin, Parameters, SCALE};
use indicatif::{ProgressBar, ProgressStyle};
use std::f64::consts::PI;
use std::path::PathBuf;
use std::time::Instant;

/// After this share of the steps weights are rounded: early enough that the network learns to live with it, late enough
/// that the rounding does not hinder it while it moves far.
const ROUND_FROM: f64 = 0.7;

/// Train a network on the positions of data files.
#[derive(Args, Clone, Debug)]
pub struct Train {
    /// The game of the data.
    pub game: GameName,
    /// Data files that `generate` wrote
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// The network
    #[arg(long)]
    pub out: PathBuf,
    /// The loss curve as SVG; beside the network without this
    #[arg(long)]
    pub curve: Option<PathBuf>,
    /// Hidden neurons: a multiple of 32 from 32 to 256
    #[arg(long, default_value_t = 128)]
    pub hidden: usize,
    /// How often each position is learned from
    #[arg(long, default_value_t = 8)]
    pub epochs: usize,
    /// Positions of a step
    #[arg(long, default_value_t = 16_384)]
    pub batch: usize,
    /// The first learning rate; it falls to 0 as a cosine
    #[arg(long, default_value_t = 0.002)]
    pub rate: f64,
    /// Weight decay per unit of the rate: more for less data
    #[arg(long, default_value_t = 0.4)]
    pub decay: f32,
    /// The share of the search's score in the target; the rest is the game's result
    #[arg(long, default_value_t = 0.8)]
    pub lambda: f32,
    /// What is made small
    #[arg(long, value_enum, default_value_t = Loss::Squared)]
    pub loss: Loss,
    /// First weights and the order of the positions depend on this
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all processors without this. The network does not depend on it
    #[arg(long)]
    pub threads: Option<usize>,
}

impl Train {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        ensure!(self.batch > 0, "a batch needs positions");
        ensure!(
            self.rate.is_finite() && self.rate > 0.0,
            "the rate is not positive"
        );
        ensure!((0.0..=1.0).contains(&self.lambda), "lambda is not in 0..1");
        ensure!(
            self.decay.is_finite() && self.decay >= 0.0,
            "the decay is negative"
        );
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build()?;
        threads.install(|| with_game!(self.game, G => self.train::<G>()))
    }

    fn train<G: Trainable>(&self) -> Result<()> {
        let data = Dataset::read(&self.data, G::NAME)?;
        println!(
            "{} positions to learn from, {} held out",
            data.training.len(),
            data.held_out.len()
        );
        let learned = self.learn::<G>(&data)?;
        let (mean, most) = learned.rounding;
        println!(
            "the engine's integers differ by {mean:.2} centipawns on average, {most:.1} at most"
        );
        let bytes = learned.parameters.to_bytes();
        ensure!(
            bytes.len() <= MAX_BYTES,
            "{} bytes: too many hidden neurons for a network file",
            bytes.len()
        );
        std::fs::write(&self.out, bytes)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        println!("wrote {}", self.out.display());
        self.draw(&learned.losses)
    }

    /// Trains, whatever the shape.
    pub fn learn<G: Trainable>(&self, data: &Dataset) -> Result<Learned<G>> {
        match self.hidden {
            32 => self.learn_shape::<G, 32>(data),
            64 => self.learn_shape::<G, 64>(data),
            96 => self.learn_shape::<G, 96>(data),
            128 => self.learn_shape::<G, 128>(data),
            160 => self.learn_shape::<G, 160>(data),
            192 => self.learn_shape::<G, 192>(data),
            224 => self.learn_shape::<G, 224>(data),
            256 => self.learn_shape::<G, 256>(data),
            other => anyhow::bail!("{other} hidden neurons: not a multiple of 32 up to 256"),
        }
    }

    fn learn_shape<G: Trainable, const H: usize>(&self, data: &Dataset) -> Result<Learned<G>> {
        let goal = Goal {
            lambda: self.lambda,
            loss: self.loss,
            decay: self.decay,
        };
        let mut learner = Learner::<H>::new(G::INPUTS, goal, self.seed);
        let positions = data.training.len();
        let steps = (self.epochs * positions.div_ceil(self.batch)).max(1);
        let style = ProgressStyle::with_template("{bar:30} {percent} %  {msg}  {eta} left")?;
        let progress = ProgressBar::new(steps as u64).with_style(style);
        let mut order: Vec<u32> = (0..u32::try_from(positions)?).collect();
        let mut batch: Vec<Packed> = Vec::with_capacity(self.batch);
        let mut losses = Vec::new();
        let mut step = 0;
        for epoch in 1..=self.epochs {
            let start = Instant::now();
            Random::new(self.seed, epoch as u64).shuffle(&mut order);
            let mut sum = 0.0;
            for numbers in order.chunks(self.batch) {
                batch.clear();
                batch.extend(numbers.iter().map(|&number| data.training[number as usize]));
                let rate = self.rate * 0.5 * (1.0 + (PI * step as f64 / steps as f64).cos());
                learner.rounds = step as f64 >= ROUND_FROM * steps as f64;
                sum += learner.learn::<G>(&batch, rate as f32);
                step += 1;
                progress.inc(1);
            }
            let speed = positions as f64 / start.elapsed().as_secs_f64();
            let loss = Losses {
                training: sum / positions as f64,
                held_out: learner.loss::<G>(&data.held_out),
            };
            let said = format!(
                "epoch {epoch}: loss {:.6}, held out {:.6}, {:.2} M positions/s",
                loss.training,
                loss.held_out,
                speed / 1e6
            );
            progress.set_message(said.clone());
            progress.suspend(|| println!("{said}"));
            losses.push(loss);
        }
        progress.finish_and_clear();
        let origin = Origin {
            seed: self.seed,
            positions: positions as u64,
        };
        let parameters = quantise::<G>(&learner.weights, learner.layout, origin)?;
        ensure!(
            sums_fit(&parameters),
            "the weights are too large for 16 bits"
        );
        let rounding = error_of_rounding::<G, H>(&learner, &parameters, &data.held_out);
        Ok(Learned {
            parameters,
            losses,
            rounding,
        })
    }

    fn draw(&self, losses: &[Losses]) -> Result<()> {
        let path = self
            .curve
            .clone()
            .unwrap_or_else(|| self.out.with_extension("svg"));
        let points = |loss: fn(&Losses) -> f64| -> Vec<(f64, f64)> {
            (1..).map(f64::from).zip(losses.iter().map(loss)).collect()
        };
        let curves = [
            Curve {
                name: "training",
                points: &points(|loss| loss.training),
            },
            Curve {
                name: "held out",
                points: &points(|loss| loss.held_out),
            },
        ];
        let chart = Chart {
            title: "Loss",
            axes: ["epoch", "mean loss"],
            curves: &curves,
            rises: false,
        };
        chart.write(&path)
    }
}

/// What comes out of a training.
pub struct Learned<G> {
    /// The network.
    pub parameters: Parameters<G>,
    /// The losses of each epoch.
    pub losses: Vec<Losses>,
    /// By how many centipawns integers and trained numbers differ, on average and at most.
    pub rounding: (f32, f32),
}

/// The mean losses of an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Of the positions learned from, each before its batch was learned.
    pub training: f64,
    /// Of the positions held out, after the epoch.
    pub held_out: f64,
}

/// By how many centipawns the engine and the numbers that were trained differ, on average and at most, in the first
/// held-out positions.
fn error_of_rounding<G: Trainable, const H: usize>(
    learner: &Learner<H>,
    parameters: &Parameters<G>,
    positions: &[Packed],
) -> (f32, f32) {
    const MOST: usize = 10_000;
    let network = Network::new(parameters);
    let errors: Vec<f32> = positions
        .iter()
        .take(MOST)
        .map(Record::unpack)
        .filter_map(|record| {
            let position = G::of_record(&record)?;
            let trained = learner.value::<G>(&record) * SCALE as f32;
            Some((trained - network.evaluate(&position) as f32).abs())
        })
        .collect();
    let mean = errors.iter().sum::<f32>() / errors.len().max(1) as f32;
    (mean, errors.into_iter().fold(0.0, f32::max))
}
