//! The network during training: in floating point, with its derivative.
//!
//! One vector holds all weights, so that the optimiser does not depend on the layout: input weights (a row of `H` for each
//! input), hidden biases, output weights (for each bucket those of the side to move, then the opponent's), output biases.
//! The value is in units of [`SCALE`](fauve_engine::eval::network::HasNetwork::SCALE) centipawns.

use crate::random::Random;
use crate::views::Views;
use fauve_engine::eval::network::features::BUCKETS;
use std::ops::Range;

/// Positions of the weights of a network in the vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of hidden neurons.
    pub hidden: usize,
}

impl Layout {
    /// Input weights.
    pub const fn rows(self) -> Range<usize> {
        0..self.inputs * self.hidden
    }

    /// Biases of the hidden neurons.
    pub const fn hidden_biases(self) -> Range<usize> {
        let start = self.rows().end;
        start..start + self.hidden
    }

    /// Output weights.
    pub const fn outputs(self) -> Range<usize> {
        let start = self.hidden_biases().end;
        start..start + BUCKETS * 2 * self.hidden
    }

    /// Output biases.
    pub const fn output_biases(self) -> Range<usize> {
        let start = self.outputs().end;
        start..start + BUCKETS
    }

    /// Number of all weights.
    pub const fn len(self) -> usize {
        self.output_biases().end
    }

    /// Random initial weights, small enough that no neuron is saturated.
    pub fn first_weights(self, seed: u64) -> Vec<f32> {
        // Number of active inputs of an average position.
        const ACTIVE: f64 = 24.0;
        let mut random = Random::new(seed, u64::MAX);
        let mut weights = vec![0.0; self.len()];
        let mut draw = |range: Range<usize>, width: f64| {
            for weight in &mut weights[range] {
                *weight = ((2.0 * random.unit() - 1.0) * width) as f32;
            }
        };
        draw(self.rows(), (1.0 / ACTIVE).sqrt());
        draw(self.outputs(), (1.0 / self.hidden as f64).sqrt());
        // The middle of a neuron's range.
        weights[self.hidden_biases()].fill(0.3);
        weights
    }
}

/// The value of a position for given weights and layout.
type Value = fn(&[f32], Layout, &Views) -> f32;
/// Adds the gradient of one position to a sum, for given weights and layout. The function argument receives the value of
/// the position and returns the derivative of the loss by it.
type Learn = fn(&[f32], &mut [f32], Layout, &Views, &mut dyn FnMut(f32) -> f32);

/// The computations of a network, compiled for its number of hidden neurons; other code need not depend on that number.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Evaluates a position.
    pub value: Value,
    /// Adds the gradient of a position.
    pub learn: Learn,
}

impl Kernel {
    /// The computations for a number of hidden neurons; `None` if networks of that size are not supported.
    pub const fn of(hidden: usize) -> Option<Self> {
        Some(match hidden {
            32 => Self::compiled::<32>(),
            64 => Self::compiled::<64>(),
            96 => Self::compiled::<96>(),
            128 => Self::compiled::<128>(),
            160 => Self::compiled::<160>(),
            192 => Self::compiled::<192>(),
            224 => Self::compiled::<224>(),
            256 => Self::compiled::<256>(),
            _ => return None,
        })
    }

    const fn compiled<const H: usize>() -> Self {
        Self {
            value: |weights, layout, views| Pass::<H>::forward(weights, layout, views).value,
            learn: |weights, gradient, layout, views, slope| {
                let pass = Pass::<H>::forward(weights, layout, views);
                let slope = slope(pass.value);
                pass.backward(weights, gradient, layout, views, slope);
            },
        }
    }
}

/// Forward pass of a network of `H` hidden neurons on one position.
pub struct Pass<const H: usize> {
    /// Hidden neurons before activation: the perspective of the side to move, then the opponent's.
    sums: [[f32; H]; 2],
    /// Value for the side to move.
    pub value: f32,
}

impl<const H: usize> Pass<H> {
    /// Evaluates a position.
    #[inline]
    pub fn forward(weights: &[f32], layout: Layout, views: &Views) -> Self {
        let rows = &weights[layout.rows()];
        let bias: &[f32; H] = weights[layout.hidden_biases()]
            .try_into()
            .expect("a bias for each neuron");
        let sums = [&views.own, &views.other].map(|inputs| sum_rows(rows, bias, inputs));
        let (output, bias) = output::<H>(layout, views.bucket);
        let mut lanes = [0.0; LANES];
        for (sums, weights) in sums.iter().zip(weights[output].chunks_exact(H)) {
            for (sums, weights) in sums.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
                for lane in 0..LANES {
                    let active = sums[lane].clamp(0.0, 1.0);
                    lanes[lane] += active * active * weights[lane];
                }
            }
        }
        let value = lanes.iter().sum::<f32>() + weights[bias] + views.base;
        Self { sums, value }
    }

    /// Adds to `gradient` the derivative of the loss by each weight; `slope` is its derivative by the value.
    #[inline]
    pub fn backward(
        &self,
        weights: &[f32],
        gradient: &mut [f32],
        layout: Layout,
        views: &Views,
        slope: f32,
    ) {
        let (output, bias) = output::<H>(layout, views.bucket);
        gradient[bias] += slope;
        let mut slopes = [[0.0; H]; 2];
        let halves = weights[output.clone()]
            .chunks_exact(H)
            .zip(gradient[output].chunks_exact_mut(H));
        for ((sums, slopes), (weights, gradient)) in self.sums.iter().zip(&mut slopes).zip(halves) {
            for neuron in 0..H {
                let sum = sums[neuron];
                let active = sum.clamp(0.0, 1.0);
                gradient[neuron] += slope * active * active;
                // Where the activation is clipped, `active` or the comparison makes the slope zero.
                let open = if sum < 1.0 { 2.0 * active } else { 0.0 };
                slopes[neuron] = slope * weights[neuron] * open;
            }
        }
        for half in &slopes {
            let biases = &mut gradient[layout.hidden_biases()];
            for (bias, slope) in biases.iter_mut().zip(half) {
                *bias += slope;
            }
        }
        let rows = &mut gradient[layout.rows()];
        for (inputs, slopes) in [&views.own, &views.other].into_iter().zip(&slopes) {
            for &input in inputs {
                let row = &mut rows[usize::from(input) * H..][..H];
                for (weight, slope) in row.iter_mut().zip(slopes) {
                    *weight += slope;
                }
            }
        }
    }
}

/// Number of separate partial sums. The compiler may not reorder floating-point additions, so they are written out.
const LANES: usize = 16;
/// Number of neurons summed at a time: their sums fit into registers.
const TILE: usize = 32;

#[inline]
fn sum_rows<const H: usize>(rows: &[f32], bias: &[f32; H], inputs: &[u16]) -> [f32; H] {
    let mut sums = *bias;
    for (tile, sums) in sums.chunks_exact_mut(TILE).enumerate() {
        let mut kept = [0.0; TILE];
        kept.copy_from_slice(sums);
        for &input in inputs {
            let row = &rows[usize::from(input) * H + tile * TILE..][..TILE];
            for (sum, weight) in kept.iter_mut().zip(row) {
                *sum += weight;
            }
        }
        sums.copy_from_slice(&kept);
    }
    sums
}

/// Ranges of the output weights and the bias of a bucket.
const fn output<const H: usize>(layout: Layout, bucket: usize) -> (Range<usize>, usize) {
    let start = layout.outputs().start + bucket * 2 * H;
    (start..start + 2 * H, layout.output_biases().start + bucket)
}
