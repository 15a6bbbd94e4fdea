//! Standard output of the protocols, one whole line at a time and flushed at once, with its copy in the debug log.

use crate::terminal::{PrintError, Printer, warn};
use crate::wire::log::{Direction, Log};
use std::fmt;
use std::io;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something else than standard output that takes lines: one, or several separated by newlines.
pub type LineSink = Box<dyn FnMut(&str) + Send>;

/// Where the protocol's lines go. Shared by the listener and the search.
#[derive(Default)]
pub struct Output {
    /// What takes the place of standard output, if anything does.
    sink: Option<Mutex<LineSink>>,
    /// Held while lines are said, so that the log has them in their order.
    order: Mutex<()>,
    /// The debug log. Not held while lines are said: a reader that does not read must not keep the listener from `quit`.
    log: Mutex<Log>,
    /// Whether the protocol's comments begin with `#`, as those of CECP do, instead of `info string`.
    hash_comments: AtomicBool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    /// Lines go to `sink` instead of standard output.
    pub fn to(sink: LineSink) -> Self {
        Self {
            sink: Some(Mutex::new(sink)),
            ..Self::default()
        }
    }

    /// Writes lines (one, or several separated by newlines) to standard output. A protocol that cannot speak is at its
    /// end: the program ends, quietly if nobody listens any more, else with the reason on standard error.
    pub fn say(&self, text: &str) {
        let _order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        self.print(text);
        self.note(Direction::Out, text);
    }

    /// From now on what a person should read is said behind `#`.
    pub fn comment_with_hash(&self) {
        self.hash_comments.store(true, Ordering::Relaxed);
    }

    /// From now on what a person should read is said behind `info string`, as at the beginning.
    pub fn comment_with_info(&self) {
        self.hash_comments.store(false, Ordering::Relaxed);
    }

    /// `info string`, for what a person should read.
    pub fn info(&self, text: &str) {
        self.say(&self.comment(text));
    }

    /// `info string Error: `, for what could not be done.
    pub fn error(&self, text: &str) {
        self.info(&format!("Error: {text}"));
    }

    /// Notes a line that came in, if a log is open.
    pub fn note_input(&self, line: &str) {
        self.note(Direction::In, line);
    }

    /// Opens the debug log for appending, or closes it with an empty name.
    ///
    /// # Errors
    /// When the file cannot be opened; the old log, if any, is closed.
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

    /// Copies lines to the log. When it cannot be written that is said once, because the log is closed with it.
    fn note(&self, direction: Direction, text: &str) {
        let noted = self.log().note(direction, text);
        if let Err(error) = noted {
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
