//! Endgame-table files, read by the option `DiceTables`.

use crate::wire::file::{self, FileError};
use fauve_engine::eval::dice::endgames::{Endgames, EndgamesError, MAX_BYTES};
use std::path::Path;
use thiserror::Error;

/// Errors of reading an endgame-table file.
#[derive(Debug, Error)]
pub enum DiceTablesError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content is invalid.
    #[error(transparent)]
    Tables(#[from] EndgamesError),
}

/// Reads an endgame-table file.
///
/// # Errors
/// When the file cannot be read or is not a complete endgame-table file.
pub fn read(path: impl AsRef<Path>) -> Result<Endgames, DiceTablesError> {
    let bytes = file::read(path, MAX_BYTES)?;
    Ok(Endgames::from_bytes(&bytes)?)
}
