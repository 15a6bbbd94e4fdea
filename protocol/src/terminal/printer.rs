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
            Self::Failed(error) => write!(f, "standard output: {}", plain_error(error)),
        }
    }
}

impl Error for PrintError {}

/// Writes a line to standard error, without the numbers of system errors. Where even that is closed or full the line is lost
/// (`eprintln!` would panic).
pub fn warn(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", plain_text(&line.to_string()));
}

/// What the system says of an error, without its number: `No space left on device`.
pub fn plain_error(error: &io::Error) -> String {
    plain_text(&error.to_string())
}

/// A message without the numbers of system errors in it, `(os error 28)`.
pub fn plain_text(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, after)) = rest.split_once(" (os error ") {
        let digits = after
            .bytes()
            .take_while(|byte| byte.is_ascii_digit() || *byte == b'-')
            .count();
        match after[digits..].strip_prefix(')') {
            Some(behind) if digits > 0 => {
                text.push_str(before);
                rest = behind;
            }
            _ => {
                text.push_str(before);
                text.push_str(" (os error ");
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_system_errors_are_left_out() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(plain_error(&error), "No such file or directory");
        for (message, plain) in [
            ("a: b (os error 98); c (os error 2)", "a: b; c"),
            ("(os error x) (os error 5", "(os error x) (os error 5"),
        ] {
            assert_eq!(plain_text(message), plain);
        }
    }
}
