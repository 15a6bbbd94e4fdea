//! A training step: the gradient of a batch on all processors, then Adam with decoupled weight decay (Loshchilov and
//! Hutter, "Decoupled weight decay regularization", ICLR 2019).

use crate::game::Trainable;
use crate::network::{Kernel, Layout};
use crate::quantised::rounded;
use crate::record::{Packed, Verdict};
use crate::views::Views;
use clap::ValueEnum;
use fauve_engine::eval::network::kernels::QA;
use fauve_engine::eval::network::{HasNetwork, QB};
use rayon::prelude::*;
use std::marker::PhantomData;

/// Number of parts of a batch. Each has its own gradient, and these are added in order, so that the result does not depend
/// on the number of threads.
const PARTS: usize = 8;
/// Number of weights that a thread updates at a time.
const STRETCH: usize = 4096;
/// Bound of every weight, so that it fits its integer: an output weight times 64 fits a signed byte, and the sum of all
/// inputs that can be active at once, times 255, fits 16 bits (checked when the network is written).
const BOUND: f32 = 1.98;

const BETA: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// Loss function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Loss {
    /// Squared difference of the winning probabilities.
    Squared,
    /// Log loss (cross entropy), which gives more weight to decided positions.
    Log,
}

impl Loss {
    /// The loss of a predicted value against a target probability, and its derivative by the value.
    #[inline]
    fn of(self, value: f32, target: f32) -> (f32, f32) {
        let chance = sigmoid(value);
        let error = chance - target;
        match self {
            Self::Squared => (error * error, 2.0 * error * chance * (1.0 - chance)),
            Self::Log => (log_loss(value, target), error),
        }
    }
}

/// The winning probability of log odds.
#[inline]
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The log loss of a predicted value against a target probability; finite for all finite values.
#[inline]
pub fn log_loss(value: f32, target: f32) -> f32 {
    // ln(1 + e^v) - t v, with the exponent kept negative.
    value.max(0.0) + (-value.abs()).exp().ln_1p() - target * value
}

/// The log odds of a network's output, where `odds` centipawns multiply the odds of winning by e.
#[inline]
pub fn log_odds<G: HasNetwork>(output: f32, odds: f32) -> f32 {
    output * (G::SCALE as f32 / odds)
}

/// Target of a position: the search's score, by `odds` as in [`log_odds`], with weight `lambda`, the game's result with the rest.
/// With an open result it is the score alone.
#[inline]
pub fn target(verdict: Verdict, lambda: f32, odds: f32) -> f32 {
    let score = sigmoid(f32::from(verdict.score) / odds);
    match verdict.result.points() {
        Some(points) => lambda * score + (1.0 - lambda) * points,
        None => score,
    }
}

/// The centipawns that multiply the odds of winning by e, as the scores and results of positions have it: the maximum of the
/// likelihood, by bisection. `None` if nothing can be said, as where all results are open.
pub fn fitted_odds(verdicts: &[Verdict]) -> Option<f32> {
    // The slope of the log likelihood falls as the log odds of a centipawn grow.
    let slope = |each: f64| {
        let one = |verdict: &Verdict| {
            let (score, points) = (f64::from(verdict.score), verdict.result.points()?);
            Some((f64::from(points) - 1.0 / (1.0 + (-each * score).exp())) * score)
        };
        verdicts.iter().filter_map(one).sum::<f64>()
    };
    let (mut low, mut high) = (1e-5, 0.1);
    if slope(low) <= 0.0 || slope(high) >= 0.0 {
        return None;
    }
    for _ in 0..20 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some((1.0 / low) as f32)
}

/// A position for training.
pub trait Example<G>: Copy + Sync {
    /// Number of additional inputs: see [`Trainable::SHARED`].
    const SHARED: usize = 0;

    /// The network's inputs.
    fn views(&self) -> Views;

    /// The loss of a network value, and its derivative by the value.
    fn loss(&self, value: f32, goal: Goal) -> (f32, f32);
}

impl<G: Trainable> Example<G> for Packed {
    const SHARED: usize = G::SHARED;

    #[inline]
    fn views(&self) -> Views {
        G::views_of(self)
    }

    #[inline]
    fn loss(&self, value: f32, goal: Goal) -> (f32, f32) {
        let wanted = target(Verdict::of(self), goal.lambda, goal.odds);
        let (loss, slope) = goal.loss.of(log_odds::<G>(value, goal.odds), wanted);
        (loss, log_odds::<G>(slope, goal.odds))
    }
}

/// Training positions by number. This trait lets the learner be compiled once for all games.
pub trait Positions: Sync {
    /// Number of positions.
    fn count(&self) -> usize;

    /// The network's inputs for a position.
    fn views(&self, number: usize) -> Views;

    /// The loss of a network value for a position, and its derivative by the value.
    fn loss(&self, number: usize, value: f32, goal: Goal) -> (f32, f32);
}

/// Examples of a game as [`Positions`].
pub struct Examples<'a, G, E>(&'a [E], PhantomData<fn() -> G>);

impl<'a, G, E: Example<G>> Examples<'a, G, E> {
    /// Wraps all given examples.
    pub const fn new(examples: &'a [E]) -> Self {
        Self(examples, PhantomData)
    }
}

impl<G, E: Example<G>> Positions for Examples<'_, G, E> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn views(&self, number: usize) -> Views {
        self.0[number].views()
    }

    fn loss(&self, number: usize, value: f32, goal: Goal) -> (f32, f32) {
        self.0[number].loss(value, goal)
    }
}

/// Objective of the training, independent of the learning rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// Weight of the score in the target.
    pub lambda: f32,
    /// Loss function.
    pub loss: Loss,
    /// Centipawns that multiply the odds of winning by e.
    pub odds: f32,
    /// Weight decay per unit of the learning rate.
    pub decay: f32,
}

/// A network in training.
pub struct Learner {
    /// Layout of the weights.
    pub layout: Layout,
    kernel: Kernel,
    /// Unrounded weights, which change by steps much smaller than those of the integers.
    moving: Vec<f32>,
    /// Weights with which positions are evaluated. Once [`Learner::rounds`] is set they are rounded to representable
    /// values, so that the training takes rounding into account.
    pub weights: Vec<f32>,
    /// Whether weights are rounded from the next step on.
    pub rounds: bool,
    goal: Goal,
    moments: [Vec<f32>; 2],
    gradients: Vec<Vec<f32>>,
    steps: i32,
}

impl Learner {
    /// Creates a learner with initial weights `first` of this layout, whose number of hidden neurons is that of the kernel.
    pub fn new(kernel: Kernel, layout: Layout, goal: Goal, first: Vec<f32>) -> Self {
        assert_eq!(layout.len(), first.len());
        let zeros = || vec![0.0; layout.len()];
        Self {
            layout,
            kernel,
            moving: first.clone(),
            weights: first,
            rounds: false,
            goal,
            moments: [zeros(), zeros()],
            gradients: vec![zeros(); PARTS],
            steps: 0,
        }
    }

    /// Trains on the positions with the numbers in `batch`; returns the sum of their losses before.
    pub fn learn(&mut self, positions: &dyn Positions, batch: &[u32], rate: f32) -> f64 {
        let (layout, weights, goal) = (self.layout, &self.weights, self.goal);
        let learn = self.kernel.learn;
        let losses: Vec<f64> = batch
            .par_chunks(batch.len().div_ceil(PARTS).max(1))
            .zip(&mut self.gradients)
            .map(|(part, gradient)| {
                gradient.fill(0.0);
                let mut sum = 0.0;
                for &number in part {
                    let views = positions.views(number as usize);
                    learn(weights, gradient, layout, &views, &mut |value| {
                        let (loss, slope) = positions.loss(number as usize, value, goal);
                        sum += f64::from(loss);
                        slope
                    });
                }
                sum
            })
            .collect();
        self.update(losses.len(), 1.0 / batch.len().max(1) as f32, rate);
        losses.iter().sum()
    }

    /// Updates the weights with the sum of the first `parts` gradients, multiplied by `scale`.
    fn update(&mut self, parts: usize, scale: f32, rate: f32) {
        self.steps += 1;
        let [bias_1, bias_2] = BETA.map(|beta| 1.0 - beta.powi(self.steps));
        let layout = self.layout;
        let (gradients, goal, rounds) = (&self.gradients[..parts], self.goal, self.rounds);
        let [first, second] = &mut self.moments;
        self.moving
            .par_chunks_mut(STRETCH)
            .zip(self.weights.par_chunks_mut(STRETCH))
            .zip(first.par_chunks_mut(STRETCH))
            .zip(second.par_chunks_mut(STRETCH))
            .enumerate()
            .for_each(|(stretch, (((moving, weights), first), second))| {
                let start = stretch * STRETCH;
                let mut sums = [0.0; STRETCH];
                let sums = &mut sums[..moving.len()];
                for gradient in gradients {
                    for (sum, slope) in sums.iter_mut().zip(&gradient[start..]) {
                        *sum += slope;
                    }
                }
                for (i, weight) in moving.iter_mut().enumerate() {
                    let slope = sums[i] * scale;
                    first[i] = BETA[0] * first[i] + (1.0 - BETA[0]) * slope;
                    second[i] = BETA[1] * second[i] + (1.0 - BETA[1]) * slope * slope;
                    let step = first[i] / bias_1 / ((second[i] / bias_2).sqrt() + EPSILON);
                    let at = start + i;
                    let (is_output, is_row) =
                        (layout.outputs().contains(&at), layout.rows().contains(&at));
                    let decay = if is_output || is_row { goal.decay } else { 0.0 };
                    *weight -= rate * (step + decay * *weight);
                    let is_output_bias = layout.output_biases().contains(&at);
                    if !is_output_bias {
                        *weight = weight.clamp(-BOUND, BOUND);
                    }
                    weights[i] = if rounds && !is_output_bias {
                        rounded(*weight, if is_output { QB } else { QA })
                    } else {
                        *weight
                    };
                }
            });
    }

    /// Mean loss over positions that are not trained on.
    pub fn loss(&self, positions: &dyn Positions) -> f64 {
        let count = positions.count();
        let sums: Vec<f64> = (0..count.div_ceil(STRETCH))
            .into_par_iter()
            .map(|part| {
                (part * STRETCH..count.min((part + 1) * STRETCH))
                    .map(|number| {
                        let value = self.value(&positions.views(number));
                        f64::from(positions.loss(number, value, self.goal).0)
                    })
                    .sum()
            })
            .collect();
        sums.iter().sum::<f64>() / count.max(1) as f64
    }

    /// Value of a position in units of [`HasNetwork::SCALE`] centipawns.
    pub fn value(&self, views: &Views) -> f32 {
        (self.kernel.value)(&self.weights, self.layout, views)
    }
}
