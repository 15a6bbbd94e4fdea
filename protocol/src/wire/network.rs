//! Networks from files: what the option `EvalFile` reads.

use fauve_engine::eval::network::{NetworkError, SharedNetwork};
use fauve_engine::eval::{Evaluate, Evaluator};
use fauve_engine::{Variant, with_game};
use std::fs::File;
use std::io::{self, Read};
use thiserror::Error;

/// No network file is longer, by far.
const LONGEST: u64 = 8 << 20;

/// Why a network was not read.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// The system does not give the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A directory, a device or a pipe.
    #[error("not a regular file")]
    NotRegular,
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
    // Before the file is opened, because opening a FIFO waits.
    if !std::fs::metadata(path)?.is_file() {
        return Err(EvalFileError::NotRegular);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
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
