//! Files named by options.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// Errors of reading a file.
#[derive(Debug, Error)]
pub enum FileError {
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The path is a directory, a device or a pipe.
    #[error("not a regular file")]
    NotRegular,
}

/// Reads at most `longest` + 1 bytes of a file, so that the caller can detect one that is too long.
///
/// # Errors
/// See [`FileError`]. Never blocks, not even on a FIFO.
pub fn read(path: impl AsRef<Path>, longest: usize) -> Result<Vec<u8>, FileError> {
    // Checked before opening, because opening a FIFO blocks.
    if !std::fs::metadata(&path)?.is_file() {
        return Err(FileError::NotRegular);
    }
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(longest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
