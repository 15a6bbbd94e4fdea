//! From floating point to the integers that the engine works with.

use crate::network::{Layout, Pass};
use crate::record::Record;
use crate::views::Views;
use fauve_engine::eval::network::features::Features;
use fauve_engine::eval::network::file::{NetworkError, Origin, Parameters};

/// The integer that stands for 1 in the hidden layer.
const QA: i32 = 255;
/// The integer that stands for 1 among the output weights.
const QB: i32 = 64;
/// Centipawns of an output of 1.
const SCALE: i32 = 400;

/// Rounds all weights.
pub fn quantise<G: Features>(
    weights: &[f32],
    layout: Layout,
    origin: Origin,
) -> Result<Parameters<G>, NetworkError> {
    let small = |range: std::ops::Range<usize>, one: i32| -> Vec<i16> {
        let numbers = weights[range].iter();
        numbers
            .map(|weight| (weight * one as f32).round() as i16)
            .collect()
    };
    let biases = &weights[layout.output_biases()];
    let biases = biases
        .iter()
        .map(|bias| (bias * (QA * QB) as f32).round() as i32);
    Parameters::new(
        origin,
        small(layout.rows(), QA),
        small(layout.hidden_biases(), QA),
        small(layout.outputs(), QB),
        biases.collect(),
    )
}

/// Whether no sum of a neuron can leave 16 bits, whatever position.
pub fn sums_fit<G: Features>(parameters: &Parameters<G>) -> bool {
    let largest = |numbers: &[i16]| {
        let amounts = numbers
            .iter()
            .map(|number| i64::from(number.unsigned_abs()));
        amounts.max().unwrap_or(0)
    };
    largest(parameters.weights()) * G::MAX_ACTIVE as i64 + largest(parameters.biases())
        <= i64::from(i16::MAX)
}

/// The value in centipawns as the engine computes it: integers only, straight from the definition.
pub fn centipawns<G: Features>(parameters: &Parameters<G>, record: &Record) -> i32 {
    let hidden = parameters.hidden();
    let views = Views::of::<G>(record);
    let weights = &parameters.output()[views.bucket * 2 * hidden..][..2 * hidden];
    let mut sum = 0;
    for (half, inputs) in [&views.own, &views.other].into_iter().enumerate() {
        for neuron in 0..hidden {
            let total: i32 = inputs
                .iter()
                .map(|&input| i32::from(parameters.weights()[usize::from(input) * hidden + neuron]))
                .sum();
            let active = (total + i32::from(parameters.biases()[neuron])).clamp(0, QA);
            sum += i64::from(active * active * i32::from(weights[half * hidden + neuron]));
        }
    }
    let bias = i64::from(parameters.output_biases()[views.bucket]);
    ((sum / i64::from(QA) + bias) * i64::from(SCALE) / i64::from(QA * QB)) as i32
}

/// The value of a network of `H` hidden neurons in centipawns, in floating point.
pub fn float_centipawns<G: Features, const H: usize>(
    weights: &[f32],
    layout: Layout,
    record: &Record,
) -> f32 {
    Pass::<H>::forward(weights, layout, &Views::of::<G>(record)).value * SCALE as f32
}
