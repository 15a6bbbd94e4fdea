use super::actions::greet;
use super::format::UciDialect;
use crate::wire::engine_session::EngineSession;
use crate::wire::go::Request;
use crate::wire::report::OutputFormat;
use crate::wire::ugi::UgiDialect;
use std::sync::Arc;

/// The state of the protocol: UCI or UGI output.
#[derive(Clone)]
pub struct Uci {
    format: Arc<dyn OutputFormat>,
}

impl Default for Uci {
    fn default() -> Self {
        Self {
            format: Arc::new(UciDialect),
        }
    }
}

impl Uci {
    /// Switches to the Universal Game Interface.
    pub(super) fn become_ugi(&mut self, shell: &EngineSession) {
        self.format = Arc::new(UgiDialect(Arc::new(UciDialect)));
        greet(shell, "ugiok");
    }

    /// Starts the search of a `go` command.
    pub(super) fn go(&mut self, shell: &mut EngineSession, words: &[&str]) {
        shell.go(&Request::parse(words), &self.format);
    }
}
