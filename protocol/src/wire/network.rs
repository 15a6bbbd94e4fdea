//! Network files, read by the option `EvalFile`.

use crate::wire::file::{self, FileError};
use fauve_engine::eval::network::file::MAX_BYTES;
use fauve_engine::eval::network::{NetworkError, SharedNetwork};
use fauve_engine::eval::{Evaluate, Inspect};
use fauve_engine::{Variant, with_game};
use std::path::Path;
use thiserror::Error;

/// Bytes read of a file, at most: far more than a network has, so that the error about one that is too long states its length.
const LONGEST: usize = 8 * MAX_BYTES;

/// Errors of reading a network file.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content is invalid.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// Reads a network file and returns it with its game. If it is for no known game, the error is that of the current game.
///
/// # Errors
/// When the file cannot be read or is not a complete network of some game.
pub fn read(
    path: impl AsRef<Path>,
    present: Variant,
) -> Result<(SharedNetwork, Variant), EvalFileError> {
    let bytes = file::read(path, LONGEST)?;
    let of = |variant| with_game!(variant, G => <<G as Evaluate>::Evaluator as Inspect<G>>::read(&bytes));
    for &variant in Variant::ALL {
        match of(variant) {
            Ok(network) => return Ok((network, variant)),
            Err(NetworkError::NoNetworks | NetworkError::WrongGame { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok((of(present)?, present))
}
