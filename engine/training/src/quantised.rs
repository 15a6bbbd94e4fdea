//! Quantisation of floating-point weights to the engine's integers, and network files.

use crate::game::Trainable;
use crate::network::Layout;
use anyhow::{Context, Result, ensure};
use fauve_engine::eval::network::file::MAX_BYTES;
use fauve_engine::eval::network::kernels::QA;
use fauve_engine::eval::network::{HasNetwork, Network, NetworkError, Origin, Parameters, QB};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// Reads a file, but no more bytes than are needed to reject one that is too long for a network.
fn read_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a network as the engine uses it.
pub fn read_network<G: HasNetwork>(path: &Path) -> Result<Network<G>> {
    let read = || -> Result<_> { Ok(Network::from_bytes(&read_bytes(path)?)?) };
    read().with_context(|| format!("cannot use {}", path.display()))
}

/// Reads the weights of a network file for a learner of the given layout. Shared inputs start at zero, because their
/// weights have been added to the others. A network of fewer neurons keeps its values: the neurons that it lacks are random and count
/// for nothing at first ("Net2Net: Accelerating Learning via Knowledge Transfer", Chen, Goodfellow, Shlens 2016, section 2.3, with new
/// neurons in place of copies).
pub fn read_weights<G: HasNetwork>(path: &Path, layout: Layout, seed: u64) -> Result<Vec<f32>> {
    let read = || -> Result<_> {
        let parameters = Parameters::<G>::from_bytes(&read_bytes(path)?)?;
        let hidden = parameters.hidden();
        ensure!(
            hidden <= layout.hidden,
            "it has {hidden} hidden neurons, more than {}",
            layout.hidden
        );
        Ok(parameters)
    };
    let parameters = read().with_context(|| format!("cannot start from {}", path.display()))?;
    let hidden = parameters.hidden();
    let mut weights = layout.first_weights(seed);
    weights[layout.outputs()].fill(0.0);
    // All three are rows of numbers for the neurons; those of the file go to the beginning of each.
    let mut fill = |range: Range<usize>, numbers: &[i16], one: i16| {
        let rows = weights[range].chunks_exact_mut(layout.hidden);
        for (row, numbers) in rows.zip(numbers.chunks_exact(hidden)) {
            for (weight, &number) in row.iter_mut().zip(numbers) {
                *weight = f32::from(number) / f32::from(one);
            }
        }
    };
    fill(layout.rows(), parameters.weights(), QA);
    fill(layout.hidden_biases(), parameters.biases(), QA);
    fill(layout.outputs(), parameters.output(), QB);
    let one = f32::from(QA) * f32::from(QB);
    let biases = weights[layout.output_biases()].iter_mut();
    for (bias, &number) in biases.zip(parameters.output_biases()) {
        *bias = number as f32 / one;
    }
    // The file has no shared inputs.
    let inputs = parameters.weights().len() / hidden;
    weights[inputs * layout.hidden..layout.rows().end].fill(0.0);
    Ok(weights)
}

/// Writes a network, and reports it.
pub fn write_network<G: HasNetwork>(parameters: &Parameters<G>, path: &Path) -> Result<()> {
    let bytes = parameters.to_packed_bytes();
    ensure!(
        bytes.len() <= MAX_BYTES,
        "{} bytes: too many hidden neurons for a network file",
        bytes.len()
    );
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    say!("wrote {}", path.display());
    Ok(())
}

/// Quantises the weights, if the result fits the engine's integers.
pub fn fitting<G: HasNetwork>(
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

/// Adds the weights of the shared inputs to the inputs that share them, and removes the shared inputs.
pub fn folded<G: Trainable>(weights: &[f32], layout: Layout) -> (Vec<f32>, Layout) {
    let hidden = layout.hidden;
    let inputs = G::INPUTS;
    let mut rows = weights[..inputs * hidden].to_vec();
    for (input, row) in rows.chunks_exact_mut(hidden).enumerate() {
        G::each_shared(input, |shared| {
            for (weight, more) in row.iter_mut().zip(&weights[shared * hidden..]) {
                *weight += more;
            }
        });
    }
    rows.extend_from_slice(&weights[layout.rows().end..]);
    (rows, Layout { inputs, hidden })
}

/// Quantises all weights.
pub fn quantise<G: HasNetwork>(
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

/// Rounds a weight to the nearest multiple of `1 / one`.
#[inline]
pub fn rounded(weight: f32, one: i16) -> f32 {
    (weight * f32::from(one)).round() / f32::from(one)
}

/// Whether the sums of all neurons fit 16 bits in every position.
pub fn sums_fit<G: HasNetwork>(parameters: &Parameters<G>) -> bool {
    let hidden = parameters.hidden();
    (0..hidden).all(|neuron| {
        let mut weights: Vec<u32> = (parameters.weights().iter())
            .skip(neuron)
            .step_by(hidden)
            .map(|weight| u32::from(weight.unsigned_abs()))
            .collect();
        let most = G::MAX_ACTIVE.min(weights.len());
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let bias = u32::from(parameters.biases()[neuron].unsigned_abs());
        weights[..most].iter().sum::<u32>() + bias <= u32::from(i16::MAX.unsigned_abs())
    })
}
