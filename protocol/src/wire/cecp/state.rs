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
use fauve_engine::rules::{DrawReason, Outcome, Rules};
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
    /// Turns left out of the search of this position.
    pub(super) excluded: Vec<String>,
    /// The search that runs or has last run.
    pub(super) search: Option<Arc<CecpSearch>>,
    pub(super) hint: Option<String>,
    /// Whether this position is a draw that the engine has declared; the players may play on.
    pub(super) is_declared: bool,
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
            is_declared: false,
        }
    }
}

impl Cecp {
    /// What the game was is forgotten.
    pub(super) fn begin(&mut self) {
        self.excluded.clear();
        self.hint = None;
        self.is_declared = false;
    }

    /// After a turn of the opponent: says the end of the game, or does what the mode asks for.
    pub(super) fn act(&mut self, session: &mut EngineSession) {
        let outcome = with_session!(&session.sessions, s => s.game().outcome());
        let is_declared = std::mem::replace(&mut self.is_declared, outcome.is_some());
        match (self.mode, outcome) {
            (Mode::Analyze, _) => self.think_unless_over(session, Purpose::Lines),
            (Mode::Play(_), Some(outcome)) if !is_declared || is_final(outcome) => {
                session.output.say(&result_line(outcome));
            }
            (Mode::Play(color), _) if color == side(session) => self.think(session, Purpose::Turn),
            (Mode::Force, Some(outcome)) if is_final(outcome) => {
                session.output.say(&result_line(outcome));
            }
            (Mode::Force, _) => self.is_declared = false,
            (Mode::Play(_), _) => {}
        }
    }

    /// Thinks about a position in which there is a turn to make; says the result of a game that is over.
    pub(super) fn think_unless_over(&mut self, session: &mut EngineSession, purpose: Purpose) {
        match with_session!(&session.sessions, s => s.game().outcome()) {
            Some(outcome) if is_final(outcome) => {
                if purpose == Purpose::Turn {
                    session.output.say(&result_line(outcome));
                }
            }
            _ => self.think(session, purpose),
        }
    }

    fn think(&mut self, session: &mut EngineSession, purpose: Purpose) {
        let included = self.included(session);
        let is_empty = included.as_ref().is_some_and(Vec::is_empty);
        // A turn that must be made is any turn where all are excluded.
        let mut request = Request {
            searchmoves: included.unwrap_or_default(),
            ..Request::default()
        };
        let (posts, ponders) = match purpose {
            Purpose::Turn => {
                let own = side(session);
                let made = with_session!(&session.sessions, s => s.turns_of(own));
                self.limit.apply(&mut request, own, made);
                (self.posts, self.ponders)
            }
            Purpose::Lines => {
                if is_empty {
                    // All turns are excluded: there is nothing to analyse.
                    return;
                }
                request.infinite = true;
                (true, false)
            }
        };
        let search = Arc::new(CecpSearch::new(
            session.sessions.clone(),
            purpose,
            posts,
            ponders,
            self.is_chess960,
        ));
        self.search = Some(Arc::clone(&search));
        let format: Arc<dyn OutputFormat> = search.clone();
        session.search_thread.finish();
        session.resize_table();
        let context = session.context(&format);
        let think = session.prepare(&request, context.clone());
        let job = Box::new(move |control: &Control| {
            if let Some(answer) = think(control) {
                context.output.say(&answer);
            }
            search.finish(context, control);
            None
        });
        session.search_thread.start(job, request.length());
    }

    /// The input is at its end: what thinks about a turn may end, what ponders may not begin.
    pub fn end(&mut self, session: &mut EngineSession) {
        self.easy(session);
        session.search_thread.conclude(LONGEST_MATE);
    }

    /// The program is to end: what thinks about a turn answers.
    pub(super) fn quit(&mut self, session: &mut EngineSession) {
        if let Some(search) = &self.search {
            search.stop_pondering();
        }
        if self.is_thinking(session) {
            session.search_thread.finish_soon();
        }
    }

    /// Whether a search runs that will answer by itself.
    pub(super) fn is_thinking(&self, session: &mut EngineSession) -> bool {
        session.search_thread.is_running()
            && self
                .search
                .as_ref()
                .is_some_and(|search| search.will_answer())
    }

    /// Ends the running search without an answer.
    pub(super) fn stop(&mut self, session: &mut EngineSession) {
        if let Some(search) = &self.search {
            search.discard();
        }
        session.search_thread.finish();
        // The answer may have come just before.
        self.play_answer(session);
        self.search = None;
    }

    /// Plays the answer of a finished search on our own board.
    pub(super) fn play_answer(&mut self, session: &mut EngineSession) {
        let Some(answer) = self.search.as_ref().and_then(|search| search.take_answer()) else {
            return;
        };
        if let Err(error) = apply(session, &answer.token) {
            session.output.error(&format!("internal: {error}"));
        }
        self.hint = answer.hint;
        self.excluded.clear();
        self.is_declared = with_session!(&session.sessions, s => s.game().outcome()).is_some();
    }
}

/// The side to move.
pub(super) fn side(session: &EngineSession) -> Color {
    with_session!(&session.sessions, s => s.game().position().side_to_move())
}

/// Plays a token; castling may be written with letters.
pub(super) fn apply(session: &mut EngineSession, token: &str) -> Result<(), SessionError> {
    let own = token_of(&session.sessions, token);
    Ok(with_session!(&mut session.sessions, s => s.apply(&own))?)
}

/// Whether nothing can be played any more. The other ends are draws that a player claims or the engine declares: games of files
/// run past them, and so may a game here.
pub(super) fn is_final(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Win(..) | Outcome::Draw(DrawReason::Stalemate)
    )
}
