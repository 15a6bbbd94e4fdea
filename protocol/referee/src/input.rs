//! Files that somebody else has named.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Reads a file or a pipe to its end. Devices have none.
///
/// # Errors
/// What the system says, or that it is none of the two.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() && !is_pipe(&metadata) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "neither a file nor a pipe",
        ));
    }
    let mut text = Vec::new();
    File::open(path)?.read_to_end(&mut text)?;
    Ok(text)
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_metadata: &Metadata) -> bool {
    false
}
