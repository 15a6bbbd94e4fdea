//! The log of all lines between the referee and the programs, with times, to find a fault in one of them.

use crate::player::moment::Moment;
use fauve_engine::rules::printable;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The log of this process, if there is one.
static LOG: OnceLock<Log> = OnceLock::new();

struct Log {
    begin: Moment,
    file: Mutex<BufWriter<File>>,
}

/// Which way a line goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// To the program.
    To,
    /// From the program.
    From,
    /// From its standard error.
    Error,
}

/// Begins the log of this process; what is in the file is replaced.
///
/// # Errors
/// The system's, or that there is a log already.
pub fn begin(path: &Path) -> io::Result<()> {
    let file = File::create(path)?;
    let log = Log {
        begin: Moment::now(),
        file: Mutex::new(BufWriter::new(file)),
    };
    LOG.set(log)
        .map_err(|_| io::Error::from(io::ErrorKind::AlreadyExists))
}

/// What a program's lines are logged by.
#[derive(Clone, Debug)]
pub(super) struct Entry(Option<String>);

impl Entry {
    /// The next program, of this name: each process has a number.
    pub(super) fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let of = |_| {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            format!("{}#{number}", printable(name))
        };
        Self(LOG.get().map(of))
    }

    /// Logs a line, `12.345678 name#3 < bestmove e2e4`. A log that cannot be written stops nothing.
    pub(super) fn line(&self, way: Way, at: Moment, text: &str) {
        let (Some(log), Some(name)) = (LOG.get(), &self.0) else {
            return;
        };
        let way = match way {
            Way::To => '>',
            Way::From => '<',
            Way::Error => '!',
        };
        let time = at.since(log.begin).as_secs_f64();
        let mut file = log.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(file, "{time:.6} {name} {way} {text}").and_then(|()| file.flush());
    }
}
