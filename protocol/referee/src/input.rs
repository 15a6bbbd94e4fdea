//! Files that somebody else has named.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Opens a file or a pipe to read. Devices have no end and are refused.
///
/// # Errors
/// What the system says, or that it is none of the two.
pub fn open(path: &Path) -> io::Result<File> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() && !is_pipe(&metadata) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "neither a file nor a pipe",
        ));
    }
    File::open(path)
}

/// Reads a file or a pipe to its end, and unpacks it if it was packed by gzip. Devices have no end.
///
/// # Errors
/// As for [`open`], or what is wrong with a packed file.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    fauve_game::pgn::unpack(bytes)
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_metadata: &Metadata) -> bool {
    false
}
