//! Debug log: a copy of all protocol traffic, `>>` to the engine and `<<` from it.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};

/// The direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the engine.
    In,
    /// From the engine.
    Out,
}

/// The debug log, if one is open.
#[derive(Debug, Default)]
pub struct Log(Option<File>);

impl Log {
    /// Opens a file for appending; an empty name means no log.
    ///
    /// # Errors
    /// When the file cannot be opened, or could block on its reader (a FIFO, a socket).
    pub fn open(name: &str) -> io::Result<Self> {
        if name.is_empty() {
            return Ok(Self::default());
        }
        // Checked before opening, because opening a FIFO blocks.
        if std::fs::metadata(name).is_ok_and(|metadata| !never_waits(&metadata)) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a regular file",
            ));
        }
        let file = OpenOptions::new().create(true).append(true).open(name)?;
        Ok(Self(Some(file)))
    }

    /// Appends lines, if a log is open.
    ///
    /// # Errors
    /// When the log cannot be written (disk full); it is closed then, so that the game can continue.
    pub fn note(&mut self, direction: Direction, text: &str) -> io::Result<()> {
        let Some(file) = &mut self.0 else {
            return Ok(());
        };
        let mark = match direction {
            Direction::In => ">>",
            Direction::Out => "<<",
        };
        let mut lines = String::with_capacity(text.len() + 4);
        for line in text.lines() {
            lines.push_str(mark);
            lines.push(' ');
            lines.push_str(line);
            lines.push('\n');
        }
        file.write_all(lines.as_bytes())
            .inspect_err(|_| self.0 = None)
    }
}

/// Whether opening and writing such a file never blocks: regular files, and devices such as a terminal.
#[cfg(unix)]
fn never_waits(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.is_file() || metadata.file_type().is_char_device()
}

/// Whether opening and writing such a file never blocks.
#[cfg(not(unix))]
fn never_waits(metadata: &Metadata) -> bool {
    metadata.is_file()
}
