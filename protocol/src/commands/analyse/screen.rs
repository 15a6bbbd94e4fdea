use crate::terminal::{PrintError, Printer, fit, size};

/// Principal variations on the screen: on a terminal they are drawn over each other.
pub(super) struct Screen {
    /// Standard output.
    pub(super) out: Printer,
    in_place: bool,
    lines: Vec<String>,
    drawn: usize,
}

impl Screen {
    /// A screen with nothing on it; `in_place` draws lines over each other.
    pub(super) fn new(in_place: bool) -> Self {
        Self {
            out: Printer::default(),
            in_place,
            lines: Vec::new(),
            drawn: 0,
        }
    }

    /// Shows a principal variation, by its number from 1.
    pub(super) fn line(&mut self, multipv: usize, text: String) -> Result<(), PrintError> {
        if !self.in_place {
            return writeln!(self.out, "{text}");
        }
        if self.lines.len() < multipv {
            self.lines.resize(multipv, String::new());
        }
        self.lines[multipv - 1] = text;
        if self.drawn > 0 {
            write!(self.out, "\x1b[{}A", self.drawn)?;
        }
        // A line that wraps, or one that scrolls, would not be drawn over.
        let (height, width) = size();
        let shown = self.lines.len().min(height.saturating_sub(2).max(1));
        for line in &self.lines[..shown] {
            writeln!(self.out, "\x1b[2K{}", fit(line, width))?;
        }
        self.drawn = shown;
        self.out.flush()
    }

    /// Shows something for people; later lines stand below it.
    pub(super) fn message(&mut self, text: &str) -> Result<(), PrintError> {
        self.drawn = 0;
        writeln!(self.out, "{text}")
    }
}
