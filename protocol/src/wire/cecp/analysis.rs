use super::search::Purpose;
use super::state::{Cecp, Mode};
use super::text::token_of;
use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;

/// Thinking about the position for both sides.
impl Cecp {
    pub(super) fn analyze(&mut self, shell: &mut EngineSession) {
        self.stop(shell);
        self.mode = Mode::Analyze;
        self.think_unless_over(shell, Purpose::Lines);
    }

    pub(super) fn leave_analysis(&mut self, shell: &mut EngineSession) {
        if self.mode == Mode::Analyze {
            self.force(shell);
        }
    }

    /// `stat01: time nodes ply left total`, what an analysis has done so far.
    pub(super) fn say_progress(&mut self, shell: &mut EngineSession) {
        if let Some(search) = &self.search
            && let Some(done) = search.progress()
        {
            shell.output.say(&format!(
                "stat01: {} {} {} 0 0",
                done.centiseconds, done.nodes, done.depth
            ));
        }
    }

    pub(super) fn exclude(&mut self, shell: &mut EngineSession, text: &str) {
        let named = named(shell, text);
        self.excluded.retain(|token| !named.contains(token));
        self.excluded.extend(named);
        self.analyze_anew(shell);
    }

    pub(super) fn include(&mut self, shell: &mut EngineSession, text: &str) {
        let named = named(shell, text);
        self.excluded.retain(|token| !named.contains(token));
        self.analyze_anew(shell);
    }

    /// The turns that a search of this position is restricted to; `None`: it is not restricted.
    pub(super) fn included(&self, shell: &EngineSession) -> Option<Vec<String>> {
        if self.excluded.is_empty() {
            return None;
        }
        let legal = with_session!(&shell.sessions, s => s.legal("")).unwrap_or_default();
        let included = legal
            .into_iter()
            .filter(|token| !self.excluded.contains(token));
        Some(included.collect())
    }

    /// Analyses the position as it is now, if the mode is that.
    pub(super) fn analyze_anew(&mut self, shell: &mut EngineSession) {
        if self.mode == Mode::Analyze {
            self.stop(shell);
            self.think_unless_over(shell, Purpose::Lines);
        }
    }
}

/// The turns that `exclude` and `include` mean: one, or `all`.
fn named(shell: &EngineSession, text: &str) -> Vec<String> {
    match text {
        "all" => with_session!(&shell.sessions, s => s.legal("")).unwrap_or_default(),
        token => vec![token_of(&shell.sessions, token)],
    }
}
