//! What people read on a terminal: standard output and standard error, boards in colour, scores in words.

mod board;
mod editor;
mod printer;
mod screen;
mod text;

pub use board::{View, draw};
pub use editor::{Complete, Entry, LineEditor, Lines};
pub use printer::{PrintError, Printer, plain_error, plain_text, warn};
pub use screen::{can_redraw, fit, fit_terminal, size, width, wrap};
pub use text::{count, line_san, number, rules_lines, signed, wants_color};
