//! The Universal Game Interface (ugi 1.0, kz04px/ugi): UCI with other commands for the handshake and the new game, clocks by
//! player instead of colour, and `query`. Everything else is in [`uci`](crate::wire::uci).

use crate::wire::report::{Best, OutputFormat, PvLine};
use std::sync::Arc;

/// The output syntax of UGI: that of UCI without the expected reply.
pub struct UgiFormat(pub Arc<dyn OutputFormat>);

impl OutputFormat for UgiFormat {
    fn pv(&self, line: &PvLine) -> String {
        self.0.pv(line)
    }

    fn current(&self, depth: u32, token: &str, number: usize) -> Option<String> {
        self.0.current(depth, token, number)
    }

    fn message(&self, text: &str) -> String {
        self.0.message(text)
    }

    fn best(&self, best: &Best) -> String {
        self.0.best(&Best {
            turn: best.turn.clone(),
            ponder: None,
        })
    }
}
