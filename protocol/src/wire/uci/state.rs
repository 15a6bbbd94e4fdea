use super::actions::greet;
use super::format::UciDialect;
use crate::wire::engine_session::EngineSession;
use crate::wire::go::Request;
use crate::wire::report::OutputFormat;
use crate::wire::ugi::UgiDialect;
use std::sync::Arc;

/// The state of the format.
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
    /// From here on the Universal Game Interface is spoken.
    pub(super) fn become_ugi(&mut self, shell: &EngineSession) {
        self.format = Arc::new(UgiDialect(Arc::new(UciDialect)));
        greet(shell, "ugiok");
    }

    /// Starts what `go` asks for.
    pub(super) fn go(&mut self, shell: &mut EngineSession, words: &[&str]) {
        shell.go(&Request::parse(words), &self.format);
    }
}
