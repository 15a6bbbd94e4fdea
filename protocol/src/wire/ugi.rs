//! The Universal Game Interface (ugi 1.0, kz04px/ugi): UCI with other words for the greeting and the new game, clocks
//! by player instead of colour, and `query`. The rest is [`uci`](crate::wire::uci)'s.

use crate::wire::report::{Best, OutputFormat, PvLine};
use std::sync::Arc;

/// How UGI writes reports: as UCI does, but it has no word for the expected reply.
pub struct UgiDialect(pub Arc<dyn OutputFormat>);

impl OutputFormat for UgiDialect {
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
