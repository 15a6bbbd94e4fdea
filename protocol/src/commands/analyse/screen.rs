use crate::terminal::{PrintError, Printer};

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
        let width = std::env::var("COLUMNS")
            .ok()
            .and_then(|columns| columns.parse().ok())
            .unwrap_or(120);
        for line in &self.lines {
            let cut: String = line.chars().take(width).collect();
            writeln!(self.out, "\x1b[2K{cut}")?;
        }
        self.drawn = self.lines.len();
        self.out.flush()
    }

    /// Shows something for people; later lines stand below it.
    pub(super) fn message(&mut self, text: &str) -> Result<(), PrintError> {
        self.drawn = 0;
        writeln!(self.out, "{text}")
    }
}
