//! From floating point to the integers that the engine works with, and networks of these.

use crate::network::Layout;
use anyhow::{Context, Result, ensure};
use fauve_engine::eval::network::file::MAX_BYTES;
use fauve_engine::eval::network::kernels::QA;
use fauve_engine::eval::network::{Features, Network, NetworkError, Origin, Parameters, QB};
use std::ops::Range;
use std::path::Path;

/// The network of a file, as the engine works with it.
pub fn read_network<G: Features>(path: &Path) -> Result<Network<G>> {
    let read = || -> Result<_> { Ok(Network::from_bytes(&std::fs::read(path)?)?) };
    read().with_context(|| format!("cannot use {}", path.display()))
}

/// Writes a network, and says so.
pub fn write_network<G: Features>(parameters: &Parameters<G>, path: &Path) -> Result<()> {
    let bytes = parameters.to_bytes();
    ensure!(
        bytes.len() <= MAX_BYTES,
        "{} bytes: too many hidden neurons for a network file",
        bytes.len()
    );
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// Rounds the weights of a network that the engine can work with.
pub fn fitting<G: Features>(
    weights: &[f32],
    layout: Layout,
    origin: Origin,
) -> Result<Parameters<G>> {
    let parameters = quantise::<G>(weights, layout, origin)?;
    ensure!(
        sums_fit(&parameters),
        "the weights are too large for 16 bits"
    );
    Ok(parameters)
}

/// Rounds all weights.
pub fn quantise<G: Features>(
    weights: &[f32],
    layout: Layout,
    origin: Origin,
) -> std::result::Result<Parameters<G>, NetworkError> {
    let small = |range: Range<usize>, one: i16| -> Vec<i16> {
        let numbers = weights[range].iter();
        numbers
            .map(|weight| (weight * f32::from(one)).round() as i16)
            .collect()
    };
    let one = f32::from(QA) * f32::from(QB);
    let biases = weights[layout.output_biases()].iter();
    Parameters::new(
        origin,
        small(layout.rows(), QA),
        small(layout.hidden_biases(), QA),
        small(layout.outputs(), QB),
        biases.map(|bias| (bias * one).round() as i32).collect(),
    )
}

/// The nearest number to a weight that an integer stands for.
#[inline]
pub fn rounded(weight: f32, one: i16) -> f32 {
    (weight * f32::from(one)).round() / f32::from(one)
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
