//! What people read on a terminal: standard output and standard error, boards in colour, scores in words.

mod printer;
mod text;

pub use printer::{PrintError, Printer, warn};
pub use text::{board, expectation, from_white, score_text};
