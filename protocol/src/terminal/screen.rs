//! The terminal itself: its size, and lines that fit it.

use console::{Term, measure_text_width, truncate_str};
use std::borrow::Cow;
use std::io::{IsTerminal, stdout};

/// Columns where nobody says how many there are.
const COLUMNS: usize = 80;
/// Lines where nobody says how many there are.
const LINES: usize = 24;

/// Lines and columns of the terminal behind standard output, as the system has them now.
pub fn size() -> (usize, usize) {
    let size = Term::stdout().size_checked();
    size.map_or((LINES, COLUMNS), |(lines, columns)| {
        (usize::from(lines), usize::from(columns))
    })
}

/// Whether standard output is a terminal that takes control sequences.
pub fn can_redraw() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    stdout().is_terminal() && !is_dumb
}

/// A line that fits into this many columns, colours and all; what is cut off is shown by a dot.
pub fn fit(line: &str, columns: usize) -> Cow<'_, str> {
    truncate_str(line, columns, "\u{2026}")
}

/// The line as it is, cut to the terminal if standard output is one.
pub fn fit_terminal(line: &str) -> Cow<'_, str> {
    if stdout().is_terminal() {
        fit(line, size().1)
    } else {
        Cow::Borrowed(line)
    }
}

/// A paragraph in lines of this many columns, broken at its blanks.
pub fn wrap(text: &str, columns: usize) -> String {
    fauve_game::wrap::wrap(text.split_whitespace(), columns, width)
}

/// The columns that a text takes, without its colours.
pub fn width(text: &str) -> usize {
    measure_text_width(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit() {
        assert_eq!(fit("e2e4 e7e5 g1f3", 10), "e2e4 e7e5\u{2026}");
        assert_eq!(fit("\x1b[1mabc\x1b[0m", 3), "\x1b[1mabc\x1b[0m");
        assert_eq!(wrap("a bc  def\nghi", 6), "a bc\ndef\nghi");
    }
}
