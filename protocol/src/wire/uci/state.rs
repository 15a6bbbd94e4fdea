use super::actions::greet;
use super::format::UciFormat;
use crate::wire::engine_session::EngineSession;
use crate::wire::go::Request;
use crate::wire::report::OutputFormat;
use crate::wire::ugi::UgiFormat;
use std::sync::Arc;

/// The state of the protocol: UCI or UGI output.
#[derive(Clone)]
pub struct Uci {
    format: Arc<dyn OutputFormat>,
}

impl Default for Uci {
    fn default() -> Self {
        Self {
            format: Arc::new(UciFormat),
        }
    }
}

impl Uci {
    /// Switches to the Universal Game Interface.
    pub(super) fn become_ugi(&mut self, session: &EngineSession) {
        self.format = Arc::new(UgiFormat(Arc::new(UciFormat)));
        greet(session, "ugiok");
    }

    /// Starts the search of a `go` command.
    pub(super) fn go(&mut self, session: &mut EngineSession, words: &[&str]) {
        session.go(&Request::parse(words), &self.format);
    }
}
