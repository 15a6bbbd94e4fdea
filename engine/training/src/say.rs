//! Standard output, which no run depends on.

use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write, stdout};
use std::sync::Mutex;

/// Why the first line that was lost could not be said.
static LOST: Mutex<Option<Error>> = Mutex::new(None);

/// `println!` for a program whose work is in its files: it goes on where that one panics.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::say::line(format_args!($($words)*))
    };
}

/// The same for standard error, where progress is told.
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr().lock(), $($words)*);
    }};
}

/// Says a line. Nobody may hear it, as behind `| head`: hours of training must not be lost for that, nor for a full disk.
pub fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(stdout().lock(), "{text}")
        && error.kind() != ErrorKind::BrokenPipe
        && let Ok(mut lost) = LOST.lock()
    {
        lost.get_or_insert(error);
    }
}

/// What went wrong with standard output, to be told when all else is done.
///
/// # Errors
/// When a line was lost although somebody would have heard it.
pub fn all_was_said() -> std::io::Result<()> {
    let lost = LOST.lock().ok().and_then(|mut lost| lost.take());
    lost.map_or(Ok(()), Err)
}
