//! Files that somebody else has named.

use fauve_game::pgn;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
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

/// What was opened by [`open_unpacked`].
#[derive(Debug)]
pub enum Unpacked {
    /// A file or a pipe, from its beginning.
    Plain(BufReader<File>),
    /// The content of one that was packed by gzip.
    Content(Vec<u8>),
}

/// Opens a file or a pipe to read; one that was packed by gzip is read to its end and unpacked.
///
/// # Errors
/// As for [`open`], or what is wrong with a packed file.
pub fn open_unpacked(path: &Path) -> io::Result<Unpacked> {
    let mut file = BufReader::new(open(path)?);
    if !pgn::is_packed(file.fill_buf()?) {
        return Ok(Unpacked::Plain(file));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Unpacked::Content(pgn::unpack(bytes)?))
}

/// Reads a file or a pipe to its end, and unpacks it if it was packed by gzip. Devices have no end.
///
/// # Errors
/// As for [`open`], or what is wrong with a packed file.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    pgn::unpack(bytes)
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_metadata: &Metadata) -> bool {
    false
}
