//! The queue of lines that wait for a bounded search to end.

use std::collections::VecDeque;

/// Queue size, in bytes, above which no more input is read until some lines have been executed.
const MOST: usize = 64 << 20;

/// Waiting lines, oldest first.
#[derive(Debug, Default)]
pub struct Waiting {
    lines: VecDeque<String>,
    bytes: usize,
    /// Number of oldest lines that were waiting when `stop` arrived.
    stopped: usize,
}

impl Waiting {
    /// Whether no line is waiting.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether reading must wait until some lines have been executed.
    pub const fn is_full(&self) -> bool {
        self.bytes >= MOST
    }

    /// Adds a line.
    pub fn push(&mut self, line: &str) {
        self.bytes += line.len();
        self.lines.push_back(line.to_owned());
    }

    /// Removes and returns the oldest line, and whether the search that it starts is to be stopped at once.
    pub fn pop(&mut self) -> Option<(String, bool)> {
        let line = self.lines.pop_front()?;
        self.bytes -= line.len();
        let is_stopped = self.stopped > 0;
        self.stopped = self.stopped.saturating_sub(1);
        Some((line, is_stopped))
    }

    /// Records a `stop`: searches of the lines now waiting are stopped as soon as they start.
    pub fn stop(&mut self) {
        self.stopped = self.lines.len();
    }

    /// Removes all lines.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_applies_to_the_lines_before_it() {
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
    fn the_queue_is_full_at_its_limit() {
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
