//! Lines that wait until the search before them has come to its end.

use std::collections::VecDeque;

/// In bytes: when more than this waits, no line is read until some have been obeyed.
const MOST: usize = 64 << 20;

/// Lines in the order in which they came.
#[derive(Debug, Default)]
pub struct Waiting {
    lines: VecDeque<String>,
    bytes: usize,
    /// How many of them, from the oldest on, were there when a `stop` came.
    stopped: usize,
}

impl Waiting {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether reading on has to wait until some have been obeyed.
    pub const fn is_full(&self) -> bool {
        self.bytes >= MOST
    }

    /// One more.
    pub fn push(&mut self, line: &str) {
        self.bytes += line.len();
        self.lines.push_back(line.to_owned());
    }

    /// The oldest, and whether what it starts is to be stopped at once.
    pub fn pop(&mut self) -> Option<(String, bool)> {
        let line = self.lines.pop_front()?;
        self.bytes -= line.len();
        let is_stopped = self.stopped > 0;
        self.stopped = self.stopped.saturating_sub(1);
        Some((line, is_stopped))
    }

    /// A `stop` has come: what is there by now is stopped as soon as it starts.
    pub fn stop(&mut self) {
        self.stopped = self.lines.len();
    }

    /// Forgets them all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_concerns_the_lines_before_it() {
        let mut waiting = Waiting::default();
        waiting.push("a");
        waiting.push("b");
        waiting.stop();
        waiting.push("c");
        let lines: Vec<_> = std::iter::from_fn(|| waiting.pop()).collect();
        let expected = [("a", true), ("b", true), ("c", false)];
        assert_eq!(lines, expected.map(|(line, stop)| (line.to_owned(), stop)));
        assert!(waiting.is_empty() && waiting.bytes == 0);
    }

    #[test]
    fn lines_are_not_taken_without_bounds() {
        let mut waiting = Waiting::default();
        let line = "x".repeat(MOST / 4);
        for _ in 0..4 {
            assert!(!waiting.is_full());
            waiting.push(&line);
        }
        assert!(waiting.is_full());
        waiting.pop();
        assert!(!waiting.is_full());
    }
}
