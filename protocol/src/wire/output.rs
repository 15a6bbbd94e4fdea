//! Protocol output: whole lines, flushed at once and copied to the debug log.

use crate::terminal::{PrintError, Printer, plain_error, plain_text, warn};
use crate::wire::log::{Direction, Log};
use std::fmt;
use std::io;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A replacement for standard output; each call gets one line, or several separated by newlines.
pub type LineSink = Box<dyn FnMut(&str) + Send>;

/// Destination of protocol lines, shared by the protocol loop and the search thread.
#[derive(Default)]
pub struct Output {
    /// Replacement for standard output, if any.
    sink: Option<Mutex<LineSink>>,
    /// Held while lines are printed, so that the log has them in order.
    order: Mutex<()>,
    /// The debug log. Not locked while lines are printed: a GUI that does not read must not keep the protocol loop from `quit`.
    log: Mutex<Log>,
    /// Whether comments begin with `#`, as in CECP, instead of `info string`.
    hash_comments: AtomicBool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    /// Creates an output that passes lines to `sink` instead of standard output.
    pub fn to(sink: LineSink) -> Self {
        Self {
            sink: Some(Mutex::new(sink)),
            ..Self::default()
        }
    }

    /// Prints one line, or several separated by newlines. If standard output cannot be written, the program ends: silently if
    /// it was closed, otherwise with the error on standard error.
    pub fn say(&self, text: &str) {
        let _order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        self.print(text);
        self.note(Direction::Out, text);
    }

    /// Prefixes comments with `#` from now on.
    pub fn comment_with_hash(&self) {
        self.hash_comments.store(true, Ordering::Relaxed);
    }

    /// Prefixes comments with `info string` from now on, the default.
    pub fn comment_with_info(&self) {
        self.hash_comments.store(false, Ordering::Relaxed);
    }

    /// Prints a comment: `info string TEXT`.
    pub fn info(&self, text: &str) {
        self.say(&self.comment(text));
    }

    /// Prints an error: `info string Error: TEXT`.
    pub fn error(&self, text: &str) {
        self.info(&format!("Error: {}", plain_text(text)));
    }

    /// Copies an input line to the debug log, if one is open.
    pub fn note_input(&self, line: &str) {
        self.note(Direction::In, line);
    }

    /// Opens the debug log for appending, or closes it with an empty name.
    ///
    /// # Errors
    /// When the file cannot be opened; the old log is closed even then.
    pub fn log_to(&self, file: &str) -> io::Result<()> {
        let mut log = self.log();
        *log = Log::default();
        *log = Log::open(file)?;
        Ok(())
    }

    fn comment(&self, text: &str) -> String {
        let mark = if self.hash_comments.load(Ordering::Relaxed) {
            "#"
        } else {
            "info string"
        };
        format!("{mark} {text}")
    }

    /// Copies lines to the log. A write error is printed only once, because it closes the log.
    fn note(&self, direction: Direction, text: &str) {
        let noted = self.log().note(direction, text);
        if let Err(error) = noted {
            let error = plain_error(&error);
            let text = format!("Error: Debug Log File: {error}; the log ends here");
            self.print(&self.comment(&text));
        }
    }

    fn print(&self, text: &str) {
        match &self.sink {
            Some(sink) => sink.lock().unwrap_or_else(PoisonError::into_inner)(text),
            None => print_or_exit(text),
        }
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn print_or_exit(text: &str) {
    let mut printer = Printer::default();
    let printed = writeln!(printer, "{text}").and_then(|()| printer.flush());
    match printed {
        Ok(()) => {}
        Err(PrintError::Closed) => exit(0),
        Err(error) => {
            warn(format_args!("fauve: {error}"));
            exit(1);
        }
    }
}
