//! Files that options name.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// Why a file was not read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The system does not give the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A directory, a device or a pipe.
    #[error("not a regular file")]
    NotRegular,
}

/// The bytes of a file, cut off one byte after the `longest` that such a file can be.
///
/// # Errors
/// See [`FileError`]; nothing waits, whatever the file is.
pub fn read(path: impl AsRef<Path>, longest: usize) -> Result<Vec<u8>, FileError> {
    // Before the file is opened, because opening a FIFO waits.
    if !std::fs::metadata(&path)?.is_file() {
        return Err(FileError::NotRegular);
    }
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(longest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
