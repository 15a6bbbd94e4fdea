//! The evaluation of DiceChess against outcomes: `dice-generate` plays games at depth 1, `dice-measure` says how well the probabilities
//! of a search, or of the evaluation, foretell how they end. See the README beside this crate.

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

pub use generate::Generate;
pub use measure::Measure;
pub use train::Train;

/// The network of a file, if one is named.
fn network_of(file: Option<&Path>) -> Result<Option<Network<DiceChess>>> {
    file.map(read_network::<DiceChess>).transpose()
}

/// The settings of a search with this network, or else with the engine's own.
fn settings(network: Option<Network<DiceChess>>) -> Settings {
    Settings {
        network: network.map(SharedNetwork::from),
        ..Settings::default()
    }
}
