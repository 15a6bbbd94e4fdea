//! Networks from files: what the option `EvalFile` reads.

use crate::wire::file::{self, FileError};
use fauve_engine::eval::network::file::MAX_BYTES;
use fauve_engine::eval::network::{NetworkError, SharedNetwork};
use fauve_engine::eval::{Evaluate, Evaluator};
use fauve_engine::{Variant, with_game};
use thiserror::Error;

/// What is read of a file: far more than a network can have, so that the length of what is too long is told.
const LONGEST: usize = 8 * MAX_BYTES;

/// Why a network was not read.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// There is nothing to be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file's content.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// Reads the network of a file, whichever game it is for, and says which. What is wrong with a file that is for none is said
/// from the point of view of the present game.
///
/// # Errors
/// Everything that is not a whole network file of some game.
pub fn read(path: &str, present: Variant) -> Result<(SharedNetwork, Variant), EvalFileError> {
    let bytes = file::read(path, LONGEST)?;
    let of = |variant| with_game!(variant, G => <<G as Evaluate>::Evaluator as Evaluator<G>>::read(&bytes));
    for &variant in Variant::ALL {
        match of(variant) {
            Ok(network) => return Ok((network, variant)),
            Err(NetworkError::NoNetworks | NetworkError::WrongGame { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok((of(present)?, present))
}
