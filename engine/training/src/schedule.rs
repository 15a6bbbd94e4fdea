//! Training schedule, independent of the kind of examples: learning rates and rounding over the epochs.

use crate::network::{Kernel, Layout};
use crate::optimiser::{Example, Examples, Goal, Learner, Loss, Positions};
use crate::quantised::read_weights;
use crate::random::Random;
use anyhow::{Context, Result, ensure};
use clap::Args;
use fauve_engine::eval::network::{HasNetwork, Origin};
use indicatif::{ProgressBar, ProgressStyle};
use std::f64::consts::PI;
use std::path::PathBuf;
use std::time::Instant;

/// Share of the steps after which weights are rounded: early enough that the network adapts to rounding, late enough that
/// rounding does not hinder large changes.
const ROUND_FROM: f64 = 0.7;

/// Settings of a training.
#[derive(Args, Clone, Debug)]
pub struct Schedule {
    /// Number of epochs
    #[arg(long, default_value_t = 8)]
    pub epochs: usize,
    /// Positions per step (batch size)
    #[arg(long, default_value_t = 16_384)]
    pub batch: usize,
    /// Initial learning rate; it decays to 0 as a cosine
    #[arg(long, default_value_t = 0.002)]
    pub rate: f64,
    /// Weight decay per unit of the rate; use more with less data
    #[arg(long, default_value_t = 0.4)]
    pub decay: f32,
    /// Seed of the initial weights and of the order of the positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Network to start from instead of random weights; a lower rate preserves more of it. One of fewer neurons is widened
    #[arg(long)]
    pub start: Option<PathBuf>,
    /// Number of threads [default: all processors]; it does not affect the network
    #[arg(long)]
    pub threads: Option<usize>,
}

impl Schedule {
    /// Runs `work` with the requested number of threads.
    ///
    /// # Errors
    /// If the settings are invalid.
    pub fn with_threads<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        ensure!(self.batch > 0, "a batch needs positions");
        ensure!(
            self.rate.is_finite() && self.rate > 0.0,
            "the rate is not positive"
        );
        ensure!(
            self.decay.is_finite() && self.decay >= 0.0,
            "the decay is negative"
        );
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build()?
            .install(work)
    }

    /// The origin that is stored in a network file.
    pub const fn origin(&self, positions: usize) -> Origin {
        Origin {
            seed: self.seed,
            positions: positions as u64,
        }
    }

    /// Trains a network with the given number of hidden neurons.
    ///
    /// # Errors
    /// If there are more than 2^32 positions, if networks of this size are not supported, or if the network to start from
    /// cannot be read or has more neurons.
    pub fn run<G: HasNetwork, E: Example<G>>(
        &self,
        hidden: usize,
        training: &[E],
        held_out: &[E],
        (lambda, loss, odds): (f32, Loss, f32),
    ) -> Result<(Learner, Vec<Losses>)> {
        let kernel = Kernel::of(hidden)
            .with_context(|| format!("{hidden} hidden neurons: not a multiple of 32 up to 256"))?;
        let goal = Goal {
            lambda,
            loss,
            odds,
            decay: self.decay,
        };
        let layout = Layout {
            inputs: G::INPUTS + E::SHARED,
            hidden,
        };
        let first = match &self.start {
            Some(path) => read_weights::<G>(path, layout, self.seed)?,
            None => layout.first_weights(self.seed),
        };
        let mut learner = Learner::new(kernel, layout, goal, first);
        let (training, held_out) = (Examples::new(training), Examples::new(held_out));
        let losses = self.learn(&mut learner, &training, &held_out)?;
        Ok((learner, losses))
    }

    /// Runs all epochs; returns the losses of each.
    fn learn(
        &self,
        learner: &mut Learner,
        training: &dyn Positions,
        held_out: &dyn Positions,
    ) -> Result<Vec<Losses>> {
        let positions = training.count();
        let steps = (self.epochs * positions.div_ceil(self.batch)).max(1);
        let style = ProgressStyle::with_template("{bar:30} {percent} %  {msg}  {eta} left")?;
        let progress = ProgressBar::new(steps as u64).with_style(style);
        let mut order: Vec<u32> = (0..u32::try_from(positions)?).collect();
        let mut losses = Vec::new();
        let mut step = 0;
        for epoch in 1..=self.epochs {
            let start = Instant::now();
            Random::new(self.seed, epoch as u64).shuffle(&mut order);
            let mut sum = 0.0;
            for batch in order.chunks(self.batch) {
                let rate = self.rate * 0.5 * (1.0 + (PI * step as f64 / steps as f64).cos());
                learner.rounds = step as f64 >= ROUND_FROM * steps as f64;
                sum += learner.learn(training, batch, rate as f32);
                step += 1;
                progress.inc(1);
            }
            let speed = positions as f64 / start.elapsed().as_secs_f64();
            let loss = Losses {
                training: sum / positions as f64,
                held_out: learner.loss(held_out),
            };
            let line = format!(
                "epoch {epoch}: loss {:.6}, held out {:.6}, {:.2} M positions/s",
                loss.training,
                loss.held_out,
                speed / 1e6
            );
            progress.set_message(line.clone());
            progress.suspend(|| say!("{line}"));
            losses.push(loss);
        }
        progress.finish_and_clear();
        Ok(losses)
    }
}

/// Mean losses of an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Training positions, each before its batch was trained on.
    pub training: f64,
    /// Held-out positions, after the epoch.
    pub held_out: f64,
}
