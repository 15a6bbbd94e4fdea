use super::search::Purpose;
use super::state::{Cecp, Mode};
use super::text::token_of;
use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;

/// Thinking about the position for both sides.
impl Cecp {
    pub(super) fn analyze(&mut self, session: &mut EngineSession) {
        self.stop(session);
        self.mode = Mode::Analyze;
        self.think_unless_over(session, Purpose::Lines);
    }

    pub(super) fn leave_analysis(&mut self, session: &mut EngineSession) {
        if self.mode == Mode::Analyze {
            self.force(session);
        }
    }

    /// `stat01: time nodes ply left total`, what an analysis has done so far.
    pub(super) fn say_progress(&mut self, session: &mut EngineSession) {
        if let Some(search) = &self.search
            && let Some(done) = search.progress()
        {
            session.output.say(&format!(
                "stat01: {} {} {} 0 0",
                done.centiseconds, done.nodes, done.depth
            ));
        }
    }

    pub(super) fn exclude(&mut self, session: &mut EngineSession, text: &str) {
        let named = named(session, text);
        self.excluded.retain(|token| !named.contains(token));
        self.excluded.extend(named);
        self.analyze_anew(session);
    }

    pub(super) fn include(&mut self, session: &mut EngineSession, text: &str) {
        let named = named(session, text);
        self.excluded.retain(|token| !named.contains(token));
        self.analyze_anew(session);
    }

    /// The turns that a search of this position is restricted to; `None`: it is not restricted.
    pub(super) fn included(&self, session: &EngineSession) -> Option<Vec<String>> {
        if self.excluded.is_empty() {
            return None;
        }
        let legal = with_session!(&session.sessions, s => s.legal("")).unwrap_or_default();
        let included = legal
            .into_iter()
            .filter(|token| !self.excluded.contains(token));
        Some(included.collect())
    }

    /// Analyses the position as it is now, if the mode is that.
    pub(super) fn analyze_anew(&mut self, session: &mut EngineSession) {
        if self.mode == Mode::Analyze {
            self.stop(session);
            self.think_unless_over(session, Purpose::Lines);
        }
    }
}

/// The turns that `exclude` and `include` mean: one, or `all`.
fn named(session: &EngineSession, text: &str) -> Vec<String> {
    match text {
        "all" => with_session!(&session.sessions, s => s.legal("")).unwrap_or_default(),
        token => vec![token_of(&session.sessions, token)],
    }
}
