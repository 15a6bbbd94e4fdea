use super::options::VARIANTS;
use super::search::Purpose;
use super::state::{Cecp, Mode, apply, is_final, side};
use super::text::letters_of;
use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;
use crate::wire::session::StartPosition;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::printable;

/// The course of a game.
impl Cecp {
    /// A new game of chess; the engine plays Black, or goes on analysing.
    pub(super) fn new_game(&mut self, session: &mut EngineSession) {
        self.stop(session);
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
        self.limit.forget();
        self.set_variant(session, Variant::Chess, false);
    }

    pub(super) fn variant(&mut self, session: &mut EngineSession, name: &str) {
        self.stop(session);
        let (variant, is_chess960) = match name {
            "normal" => (Variant::Chess, false),
            "fischerandom" => (Variant::Chess, true),
            "super" => (Variant::Superchess, false),
            _ => {
                let name = printable(name);
                session.output.say(&format!(
                    "Error (unknown variant, there are {VARIANTS}): {name}"
                ));
                return;
            }
        };
        self.set_variant(session, variant, is_chess960);
    }

    fn set_variant(&mut self, session: &mut EngineSession, variant: Variant, is_chess960: bool) {
        self.is_chess960 = is_chess960;
        session.set_option("UCI_Chess960", if is_chess960 { "true" } else { "false" });
        // XBoard sets the array up itself, and its holdings know no used-up pieces.
        session.set_option("Prologue", "false");
        session.set_option("Promotion Pool", "physical");
        if session.options.variant == variant {
            session.set_position(StartPosition::Start, &[]);
        } else {
            session.set_option("UCI_Variant", variant.name());
        }
        session.new_game();
        self.begin();
        self.analyze_anew(session);
    }

    pub(super) fn force(&mut self, session: &mut EngineSession) {
        self.stop(session);
        self.mode = Mode::Force;
    }

    pub(super) fn go(&mut self, session: &mut EngineSession) {
        if self.is_thinking(session) {
            // It plays the side on move already.
            return;
        }
        self.stop(session);
        self.mode = Mode::Play(side(session));
        self.think_unless_over(session, Purpose::Turn);
    }

    pub(super) fn play_other(&mut self, session: &mut EngineSession) {
        self.stop(session);
        self.mode = Mode::Play(!side(session));
    }

    pub(super) fn user_move(&mut self, session: &mut EngineSession, text: &str) {
        if self.mode != Mode::Analyze && self.is_thinking(session) {
            // The opponent's turn while the engine thinks: it is out of turn.
            session.output.say(&format!(
                "Illegal move (not your turn): {}",
                printable(text)
            ));
            return;
        }
        self.stop(session);
        let outcome = with_session!(&session.sessions, s => s.game().outcome());
        let refused = match outcome {
            Some(outcome) if is_final(outcome) => Some("game over".to_owned()),
            _ => apply(session, text).err().map(|error| error.to_string()),
        };
        if let Some(reason) = refused {
            session
                .output
                .say(&format!("Illegal move ({reason}): {}", printable(text)));
            self.analyze_anew(session);
            return;
        }
        self.excluded.clear();
        self.act(session);
    }

    pub(super) fn set_board(&mut self, session: &mut EngineSession, fen: &str) {
        self.stop(session);
        let rules = session.options.rules.clone();
        let base = StartPosition::Fen(fen.to_owned());
        let set = with_session!(&mut session.sessions, s => s.set_position(base, &[], &rules));
        match set {
            Ok(messages) => {
                session.print_messages(&messages);
                self.begin();
            }
            // The game is the one that it was, and what is left out of its analysis, too.
            Err(error) => session
                .output
                .say(&format!("tellusererror Illegal position: {error}")),
        }
        self.analyze_anew(session);
    }

    pub(super) fn take_back(&mut self, session: &mut EngineSession, turns: usize) {
        self.stop(session);
        for _ in 0..turns {
            if let Err(error) = with_session!(&mut session.sessions, s => s.undo()) {
                session.output.say(&format!("Error ({error}): undo"));
                break;
            }
        }
        self.excluded.clear();
        self.hint = None;
        self.is_declared = false;
        self.analyze_anew(session);
    }

    /// `result`: the game is over, whoever ended it.
    pub(super) fn end_game(&mut self, session: &mut EngineSession) {
        self.stop(session);
        self.mode = Mode::Force;
    }
}

/// How the engine thinks about its turns.
impl Cecp {
    pub(super) fn level(&mut self, session: &mut EngineSession, text: &str) {
        if self.limit.set_level(text).is_none() {
            refuse(session, "level needs TURNS MINUTES INCREMENT", text);
        }
    }

    pub(super) fn seconds_per_turn(&mut self, session: &mut EngineSession, text: &str) {
        if self.limit.set_per_turn(text).is_none() {
            refuse(session, "st needs seconds", text);
        }
    }

    pub(super) fn depth(&mut self, session: &mut EngineSession, text: &str) {
        if self.limit.set_depth(text).is_none() {
            refuse(session, "sd needs a depth", text);
        }
    }

    /// No more thinking on the opponent's time.
    pub(super) fn easy(&mut self, session: &mut EngineSession) {
        self.ponders = false;
        if let Some(search) = &self.search
            && search.stop_pondering()
        {
            session.search_thread.finish();
        }
    }

    pub(super) fn set_post(&mut self, posts: bool) {
        self.posts = posts;
        if let Some(search) = &self.search {
            search.post(posts);
        }
    }

    pub(super) fn move_now(&mut self, session: &mut EngineSession) {
        if self.is_thinking(session) {
            session.search_thread.stop();
        }
    }

    /// Answered when everything before is done: a search that will give a turn says the answer behind it.
    pub(super) fn ping(&mut self, session: &mut EngineSession, text: &str) {
        let pong = format!("pong {text}");
        let due = match &self.search {
            Some(search) => search.hold_pong(pong),
            None => Some(pong),
        };
        if let Some(pong) = due {
            session.output.say(&pong);
        }
    }

    pub(super) fn say_hint(&mut self, session: &mut EngineSession) {
        if let Some(hint) = &self.hint {
            let hint = if self.is_chess960 {
                letters_of(&session.sessions, hint)
            } else {
                hint.clone()
            };
            session.output.say(&format!("Hint: {hint}"));
        }
    }
}

fn refuse(session: &EngineSession, need: &str, text: &str) {
    session
        .output
        .say(&format!("Error ({need}): {}", printable(text)));
}
