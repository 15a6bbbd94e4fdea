use crate::wire::output::Output;
use crate::wire::report::OutputFormat;
use fauve_engine::search::{Settings, Table};
use std::sync::Arc;

/// The context of a search, apart from the game.
#[derive(Clone)]
pub struct SearchContext {
    /// Destination of output lines.
    pub output: Arc<Output>,
    /// Output syntax of the protocol.
    pub format: Arc<dyn OutputFormat>,
    /// The transposition table.
    pub table: Arc<Table>,
    /// Search settings.
    pub settings: Settings,
    /// Whether `movetime` counts processor time.
    pub cpu_clock: bool,
    /// Whether lines include win, draw and loss per mille.
    pub show_wdl: bool,
    /// Whether the answer is only the next move of a turn.
    pub single_moves: bool,
    /// Whether the doubling cube is enabled.
    pub doubling: bool,
}

impl SearchContext {
    /// Prints a comment.
    pub(super) fn message(&self, text: &str) {
        self.output.say(&self.format.message(text));
    }
}
