//! Output of progress and results that never aborts a run.

use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write, stdout};
use std::sync::Mutex;

/// The first error of standard output.
static LOST: Mutex<Option<Error>> = Mutex::new(None);

/// `println!` for a program whose results are files: it continues where `println!` panics.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::say::line(format_args!($($words)*))
    };
}

/// `eprintln!` that ignores errors, for progress messages.
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr().lock(), $($words)*);
    }};
}

/// Prints a line and ignores errors: hours of training must not be lost to a closed pipe, as with `| head`, or a full disk.
pub fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(stdout().lock(), "{text}")
        && error.kind() != ErrorKind::BrokenPipe
        && let Ok(mut lost) = LOST.lock()
    {
        lost.get_or_insert(error);
    }
}

/// Returns the first error of standard output, to be reported at the end of the program.
///
/// # Errors
/// If a line was lost for another reason than a closed pipe.
pub fn all_was_said() -> std::io::Result<()> {
    let lost = LOST.lock().ok().and_then(|mut lost| lost.take());
    lost.map_or(Ok(()), Err)
}
