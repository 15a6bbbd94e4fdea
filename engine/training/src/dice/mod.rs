//! The evaluation of DiceChess against outcomes: `dice-generate` plays games, and `dice-measure` tests how well the
//! probabilities of a search, or of the evaluation, predict their results. See the README beside this crate.

mod file;
mod generate;
mod measure;
mod position;
mod train;

#[cfg(test)]
mod tests;

use crate::quantised::read_network;
use anyhow::Result;
use fauve_engine::eval::network::{Network, SharedNetwork};
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::search::Settings;
use std::path::Path;

pub use generate::{Generate, RANDOM_TURN};
pub use measure::Measure;
pub use position::BYTES as RECORD_BYTES;
pub use train::Train;

/// Reads a network, if a file is given.
fn network_of(file: Option<&Path>) -> Result<Option<Network<DiceChess>>> {
    file.map(read_network::<DiceChess>).transpose()
}

/// Search settings with this network, or else with the engine's own.
fn settings(network: Option<Network<DiceChess>>) -> Settings {
    Settings {
        network: network.map(SharedNetwork::from),
        ..Settings::default()
    }
}
