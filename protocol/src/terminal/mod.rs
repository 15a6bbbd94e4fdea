//! What people read on a terminal: standard output and standard error, boards in colour, scores in words.

mod printer;
mod text;

pub use printer::{PrintError, Printer, warn};
pub use text::{expectation, from_white, paint_board, score_text, wants_color};
