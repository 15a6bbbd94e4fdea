//! Files that options name.

use std::fs::File;
use std::io::{self, Read};
use thiserror::Error;

/// No file of an option is longer, by far.
const LONGEST: u64 = 8 << 20;

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

/// The bytes of a file, cut off where no such file goes on.
///
/// # Errors
/// See [`FileError`]; nothing waits, whatever the file is.
pub fn read(path: &str) -> Result<Vec<u8>, FileError> {
    // Before the file is opened, because opening a FIFO waits.
    if !std::fs::metadata(path)?.is_file() {
        return Err(FileError::NotRegular);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
