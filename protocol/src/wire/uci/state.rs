use super::actions::greet;
use super::dialect::UciDialect;
use crate::wire::engine_session::EngineSession;
use crate::wire::go::Request;
use crate::wire::report::Dialect;
use crate::wire::ugi::UgiDialect;
use std::sync::Arc;

/// The state of the dialect.
#[derive(Clone)]
pub struct Uci {
    dialect: Arc<dyn Dialect>,
}

impl Default for Uci {
    fn default() -> Self {
        Self {
            dialect: Arc::new(UciDialect),
        }
    }
}

impl Uci {
    /// From here on the Universal Game Interface is spoken.
    pub(super) fn become_ugi(&mut self, shell: &EngineSession) {
        self.dialect = Arc::new(UgiDialect(Arc::new(UciDialect)));
        greet(shell, "ugiok");
    }

    /// Starts what `go` asks for.
    pub(super) fn go(&mut self, shell: &mut EngineSession, words: &[&str]) {
        shell.go(&Request::parse(words), &self.dialect);
    }
}
