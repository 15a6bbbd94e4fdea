use crate::wire::output::Output;
use crate::wire::report::OutputFormat;
use fauve_engine::search::{Settings, Table};
use std::sync::Arc;

/// What a search needs beside the game.
#[derive(Clone)]
pub struct SearchContext {
    /// Where lines go.
    pub output: Arc<Output>,
    /// How they look.
    pub format: Arc<dyn OutputFormat>,
    /// The transposition table.
    pub table: Arc<Table>,
    /// Threads, overhead and so on.
    pub settings: Settings,
    /// Whether `movetime` counts processor time.
    pub cpu_clock: bool,
    /// Whether lines carry win, draw and loss.
    pub show_wdl: bool,
    /// Whether the answer is the next single move only.
    pub single_moves: bool,
    /// Whether there is a doubling cube.
    pub doubling: bool,
}

impl SearchContext {
    /// Says something for people.
    pub(super) fn message(&self, text: &str) {
        self.output.say(&self.format.message(text));
    }
}
