use std::error::Error;
use std::fmt;
use std::io::{self, Stdout, Write};

/// Standard output of the subcommands: `writeln!(printer, …)?` writes to it, a line at a time.
///
/// Rust programs do not end by SIGPIPE, so every write can fail, and `println!` would panic then. A command hands the
/// error up, and the program ends: quietly if the reader has gone ([`PrintError::Closed`]), else with the reason.
#[derive(Debug)]
pub struct Printer(Stdout);

impl Default for Printer {
    fn default() -> Self {
        Self(io::stdout())
    }
}

impl Printer {
    /// What `write!` and `writeln!` call; what one call writes stays together.
    ///
    /// # Errors
    /// When standard output takes no more.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), PrintError> {
        Ok(self.0.lock().write_fmt(text)?)
    }

    /// Writes text as it is.
    ///
    /// # Errors
    /// When standard output takes no more.
    pub fn write_str(&mut self, text: &str) -> Result<(), PrintError> {
        Ok(self.0.lock().write_all(text.as_bytes())?)
    }

    /// Hands over what stands behind the last newline. [`cli`](crate::cli) does so once more when a
    /// command has ended.
    ///
    /// # Errors
    /// When standard output takes no more.
    pub fn flush(&mut self) -> Result<(), PrintError> {
        Ok(self.0.lock().flush()?)
    }
}

/// Why standard output took no more.
#[derive(Debug)]
pub enum PrintError {
    /// The reader has gone, as `head` does when it has enough: no fault of ours or the user's.
    Closed,
    /// It cannot be written: the disk is full, for instance.
    Failed(io::Error),
}

impl From<io::Error> for PrintError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Closed
        } else {
            Self::Failed(error)
        }
    }
}

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("standard output is closed"),
            Self::Failed(error) => write!(f, "standard output: {error}"),
        }
    }
}

impl Error for PrintError {}

/// Writes a line to standard error. Where even that is closed or full there is nobody left to tell, and the line is
/// lost (`eprintln!` would panic).
pub fn warn(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
