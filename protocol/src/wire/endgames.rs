//! Tables of endgames from files: what the option `DiceTables` reads.

use crate::wire::file::{self, FileError};
use fauve_engine::eval::endgames::{Endgames, EndgamesError, MAX_BYTES};
use std::path::Path;
use thiserror::Error;

/// Why tables were not read.
#[derive(Debug, Error)]
pub enum DiceTablesError {
    /// There is nothing to be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file's content.
    #[error(transparent)]
    Tables(#[from] EndgamesError),
}

/// Reads the tables of a file.
///
/// # Errors
/// Everything that is not a whole file of tables.
pub fn read(path: impl AsRef<Path>) -> Result<Endgames, DiceTablesError> {
    let bytes = file::read(path, MAX_BYTES)?;
    Ok(Endgames::from_bytes(&bytes)?)
}
