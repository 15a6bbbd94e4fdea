//! Tables of endings from files: what the option `DiceTables` reads.

use fauve_engine::eval::endings::{Endings, EndingsError};
use std::fs::File;
use std::io::{self, Read};
use thiserror::Error;

/// No file of tables is longer, by far.
const LONGEST: u64 = 8 << 20;

/// Why tables were not read.
#[derive(Debug, Error)]
pub enum DiceTablesError {
    /// The system does not give the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A directory, a device or a pipe.
    #[error("not a regular file")]
    NotRegular,
    /// The file's content.
    #[error(transparent)]
    Tables(#[from] EndingsError),
}

/// Reads the tables of a file.
///
/// # Errors
/// Everything that is not a whole file of tables.
pub fn read(path: &str) -> Result<Endings, DiceTablesError> {
    // Before the file is opened, because opening a FIFO waits.
    if !std::fs::metadata(path)?.is_file() {
        return Err(DiceTablesError::NotRegular);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(Endings::from_bytes(&bytes)?)
}
