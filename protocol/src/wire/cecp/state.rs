use super::clock::Limit;
use super::search::{CecpSearch, Purpose};
use super::text::{result_line, token_of};
use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;
use crate::wire::go::Request;
use crate::wire::report::OutputFormat;
use crate::wire::search_thread::LONGEST_MATE;
use crate::wire::session::SessionError;
use fauve_engine::core::Color;
use fauve_engine::rules::Rules;
use fauve_engine::search::Control;
use std::sync::Arc;

/// What the engine does between commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// It watches.
    Force,
    /// It plays this side.
    Play(Color),
    /// It thinks about the position for both sides.
    Analyze,
}

/// The state of the protocol.
pub struct Cecp {
    pub(super) mode: Mode,
    pub(super) limit: Limit,
    /// Whether thinking lines are said.
    pub(super) posts: bool,
    /// Whether it thinks on the opponent's time.
    pub(super) ponders: bool,
    /// Whether the variant is Chess960, in which castling is written with letters.
    pub(super) is_chess960: bool,
    /// Turns left out of the analysis.
    pub(super) excluded: Vec<String>,
    /// The search that runs or has last run.
    pub(super) search: Option<Arc<CecpSearch>>,
    pub(super) hint: Option<String>,
    /// Whether the end of the game was said.
    pub(super) is_over: bool,
}

impl Default for Cecp {
    fn default() -> Self {
        Self {
            mode: Mode::Force,
            limit: Limit::default(),
            posts: false,
            ponders: false,
            is_chess960: false,
            excluded: Vec::new(),
            search: None,
            hint: None,
            is_over: false,
        }
    }
}

impl Cecp {
    /// What the game was is forgotten.
    pub(super) fn begin(&mut self) {
        self.excluded.clear();
        self.hint = None;
        self.is_over = false;
    }

    /// Says the end of the game, or does what the mode asks for.
    pub(super) fn act(&mut self, shell: &mut EngineSession) {
        if let Some(outcome) = with_session!(&shell.sessions, s => s.game().outcome()) {
            if !self.is_over && matches!(self.mode, Mode::Play(_)) {
                shell.output.say(&result_line(outcome));
            }
            self.is_over = true;
            return;
        }
        self.is_over = false;
        match self.mode {
            Mode::Play(color) if color == side(shell) => self.think(shell, Purpose::Turn),
            Mode::Analyze => self.think(shell, Purpose::Lines),
            Mode::Play(_) | Mode::Force => {}
        }
    }

    fn think(&mut self, shell: &mut EngineSession, purpose: Purpose) {
        let mut request = Request::default();
        let (posts, ponders) = match purpose {
            Purpose::Turn => {
                let own = side(shell);
                let made = with_session!(&shell.sessions, s => s.turns_of(own));
                self.limit.apply(&mut request, own, made);
                (self.posts, self.ponders)
            }
            Purpose::Lines => {
                let included = self.included(shell);
                if included.as_ref().is_some_and(Vec::is_empty) {
                    // All turns are excluded: there is nothing to analyse.
                    return;
                }
                request.infinite = true;
                request.searchmoves = included.unwrap_or_default();
                (true, false)
            }
        };
        let search = Arc::new(CecpSearch::new(
            shell.sessions.clone(),
            purpose,
            posts,
            ponders,
            self.is_chess960,
        ));
        self.search = Some(Arc::clone(&search));
        let format: Arc<dyn OutputFormat> = search.clone();
        shell.search_thread.finish();
        shell.resize_table();
        let context = shell.context(&format);
        let think = shell.prepare(&request, context.clone());
        let job = Box::new(move |control: &Control| {
            if let Some(answer) = think(control) {
                context.output.say(&answer);
            }
            search.finish(context, control);
            None
        });
        shell.search_thread.start(job, request.length());
    }

    /// The input is at its end: what thinks about a turn may end, what ponders may not begin.
    pub fn end(&mut self, shell: &mut EngineSession) {
        self.easy(shell);
        shell.search_thread.conclude(LONGEST_MATE);
    }

    /// The program is to end: what thinks about a turn answers.
    pub(super) fn quit(&mut self, shell: &mut EngineSession) {
        if let Some(search) = &self.search {
            search.stop_pondering();
        }
        if self.is_thinking(shell) {
            shell.search_thread.finish_soon();
        }
    }

    /// Whether a search runs that will answer by itself.
    pub(super) fn is_thinking(&self, shell: &mut EngineSession) -> bool {
        shell.search_thread.is_running()
            && self
                .search
                .as_ref()
                .is_some_and(|search| search.will_answer())
    }

    /// Ends the running search without an answer.
    pub(super) fn stop(&mut self, shell: &mut EngineSession) {
        if let Some(search) = &self.search {
            search.discard();
        }
        shell.search_thread.finish();
        // The answer may have come just before.
        self.play_answer(shell);
        self.search = None;
    }

    /// Plays the answer of a finished search on our own board.
    pub(super) fn play_answer(&mut self, shell: &mut EngineSession) {
        let Some(answer) = self.search.as_ref().and_then(|search| search.take_answer()) else {
            return;
        };
        if let Err(error) = apply(shell, &answer.token) {
            shell.output.error(&format!("internal: {error}"));
        }
        self.hint = answer.hint;
        self.is_over = with_session!(&shell.sessions, s => s.game().outcome()).is_some();
    }
}

/// The side to move.
pub(super) fn side(shell: &EngineSession) -> Color {
    with_session!(&shell.sessions, s => s.game().position().side_to_move())
}

/// Plays a token; castling may be written with letters.
pub(super) fn apply(shell: &mut EngineSession, token: &str) -> Result<(), SessionError> {
    let own = token_of(&shell.sessions, token);
    Ok(with_session!(&mut shell.sessions, s => s.apply(&own))?)
}
