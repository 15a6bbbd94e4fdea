//! Standard output and the debug log: one whole line at a time, flushed at once.

use std::any::Any;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the protocol's lines go. Shared by the listener and the search.
#[derive(Debug, Default)]
pub struct Output {
    /// A copy of all traffic, `>>` to the engine and `<<` from it. The lock also keeps lines whole.
    log: Mutex<Option<File>>,
    /// Whether the protocol's comments begin with `#`, as those of CECP do, instead of `info string`.
    hash_comments: AtomicBool,
}

impl Output {
    /// Writes lines (one, or several separated by newlines) to standard output. When nobody listens any more the
    /// program ends quietly.
    pub fn say(&self, text: &str) {
        let mut log = self.lock();
        let mut stdout = io::stdout().lock();
        let written = stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.write_all(b"\n"))
            .and_then(|()| stdout.flush());
        if written.is_err() {
            std::process::exit(0);
        }
        note(&mut log, "<<", text);
    }

    /// From now on what a person should read is said behind `#`.
    pub fn comment_with_hash(&self) {
        self.hash_comments.store(true, Ordering::Relaxed);
    }

    /// `info string`, for what a person should read.
    pub fn info(&self, text: &str) {
        let mark = if self.hash_comments.load(Ordering::Relaxed) {
            "#"
        } else {
            "info string"
        };
        self.say(&format!("{mark} {text}"));
    }

    /// `info string Error: `, for what could not be done.
    pub fn error(&self, text: &str) {
        self.info(&format!("Error: {text}"));
    }

    /// Notes a line that came in, if a log is open.
    pub fn note_input(&self, line: &str) {
        note(&mut self.lock(), ">>", line);
    }

    /// Opens the debug log for appending, or closes it with an empty name.
    ///
    /// # Errors
    /// When the file cannot be opened; the old log, if any, is closed.
    pub fn log_to(&self, file: &str) -> io::Result<()> {
        let mut log = self.lock();
        *log = None;
        if !file.is_empty() {
            *log = Some(OpenOptions::new().create(true).append(true).open(file)?);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Option<File>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Appends to the log. A log that cannot be written (disk full) is given up: the game goes on.
fn note(log: &mut Option<File>, mark: &str, text: &str) {
    if let Some(file) = log {
        let mut lines = String::with_capacity(text.len() + 4);
        for line in text.lines() {
            lines.push_str(mark);
            lines.push(' ');
            lines.push_str(line);
            lines.push('\n');
        }
        if file.write_all(lines.as_bytes()).is_err() {
            *log = None;
        }
    }
}

/// Text of the user made fit for one line of ours: control characters escaped, cut to 60 characters.
pub fn printable(text: &str) -> String {
    let mut shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() {
        shown.push_str("...");
    }
    shown
}

/// What a panic said.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("for a reason unknown");
    printable(text)
}
