//! One training, whatever is learned from: the schedule of rates and rounding over the epochs.

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

/// After this share of the steps weights are rounded: early enough that the network learns to live with it, late enough
/// that the rounding does not hinder it while it moves far.
const ROUND_FROM: f64 = 0.7;

/// How a network learns.
#[derive(Args, Clone, Debug)]
pub struct Schedule {
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
    /// First weights and the order of the positions depend on this
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Go on from this network instead of from chance; a lower rate keeps more of what it knows
    #[arg(long)]
    pub start: Option<PathBuf>,
    /// Threads; all processors without this. The network does not depend on it
    #[arg(long)]
    pub threads: Option<usize>,
}

impl Schedule {
    /// Runs something with as many threads as were asked for.
    ///
    /// # Errors
    /// When the settings make no sense.
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

    /// What the file of a network says of how it was made.
    pub const fn origin(&self, positions: usize) -> Origin {
        Origin {
            seed: self.seed,
            positions: positions as u64,
        }
    }

    /// Trains a network with the given number of hidden neurons.
    ///
    /// # Errors
    /// With more than 2^32 positions, when there are no networks with that many neurons, and when the network to start from cannot be
    /// read or has another shape.
    pub fn run<G: HasNetwork, E: Example<G>>(
        &self,
        hidden: usize,
        training: &[E],
        held_out: &[E],
        (lambda, loss): (f32, Loss),
    ) -> Result<(Learner, Vec<Losses>)> {
        let kernel = Kernel::of(hidden)
            .with_context(|| format!("{hidden} hidden neurons: not a multiple of 32 up to 256"))?;
        let goal = Goal {
            lambda,
            loss,
            decay: self.decay,
        };
        let layout = Layout {
            inputs: G::INPUTS + E::SHARED,
            hidden,
        };
        let first = match &self.start {
            Some(path) => read_weights::<G>(path, layout)?,
            None => layout.first_weights(self.seed),
        };
        let mut learner = Learner::new(kernel, layout, goal, first);
        let (training, held_out) = (Examples::new(training), Examples::new(held_out));
        let losses = self.learn(&mut learner, &training, &held_out)?;
        Ok((learner, losses))
    }

    /// All epochs; the losses of each.
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
            let said = format!(
                "epoch {epoch}: loss {:.6}, held out {:.6}, {:.2} M positions/s",
                loss.training,
                loss.held_out,
                speed / 1e6
            );
            progress.set_message(said.clone());
            progress.suspend(|| say!("{said}"));
            losses.push(loss);
        }
        progress.finish_and_clear();
        Ok(losses)
    }
}

/// The mean losses of an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Of the positions learned from, each before its batch was learned.
    pub training: f64,
    /// Of the positions held out, after the epoch.
    pub held_out: f64,
}
