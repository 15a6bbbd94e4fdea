use super::clock::Whose;
use super::state::Cecp;
use super::text::is_castling;
use crate::variants::with_session;
use crate::wire::engine_session::EngineSession;
use crate::wire::input::Flow;
use fauve_engine::rules::printable;

/// What a command does. The text is what stands behind its word.
#[derive(Clone, Copy)]
enum Action {
    /// Something.
    Do(fn(&mut Cecp, &mut EngineSession, &str)),
    /// Nothing: it says what this engine does not need to know.
    Ignore,
    /// The end.
    Quit,
}

/// The commands.
const COMMANDS: &[(&str, Action)] = &[
    ("xboard", Action::Ignore),
    (
        "protover",
        Action::Do(|_, session, _| Cecp::features(session)),
    ),
    ("accepted", Action::Ignore),
    ("rejected", Action::Ignore),
    ("new", Action::Do(|this, session, _| this.new_game(session))),
    ("variant", Action::Do(Cecp::variant)),
    ("quit", Action::Quit),
    ("random", Action::Ignore),
    ("force", Action::Do(|this, session, _| this.force(session))),
    ("go", Action::Do(|this, session, _| this.go(session))),
    (
        "playother",
        Action::Do(|this, session, _| this.play_other(session)),
    ),
    ("white", Action::Ignore),
    ("black", Action::Ignore),
    ("level", Action::Do(Cecp::level)),
    ("st", Action::Do(Cecp::seconds_per_turn)),
    ("sd", Action::Do(Cecp::depth)),
    ("nps", Action::Ignore),
    (
        "time",
        Action::Do(|this, _, text| this.limit.set_clock(Whose::Own, text)),
    ),
    (
        "otim",
        Action::Do(|this, _, text| this.limit.set_clock(Whose::Opponents, text)),
    ),
    ("usermove", Action::Do(Cecp::user_move)),
    ("?", Action::Do(|this, session, _| this.move_now(session))),
    ("ping", Action::Do(Cecp::ping)),
    ("draw", Action::Ignore),
    (
        "result",
        Action::Do(|this, session, _| this.end_game(session)),
    ),
    ("setboard", Action::Do(Cecp::set_board)),
    (
        "hint",
        Action::Do(|this, session, _| this.say_hint(session)),
    ),
    ("bk", Action::Ignore),
    (
        "undo",
        Action::Do(|this, session, _| this.take_back(session, 1)),
    ),
    (
        "remove",
        Action::Do(|this, session, _| this.take_back(session, 2)),
    ),
    ("hard", Action::Do(|this, _, _| this.ponders = true)),
    ("easy", Action::Do(|this, session, _| this.easy(session))),
    ("post", Action::Do(|this, _, _| this.set_post(true))),
    ("nopost", Action::Do(|this, _, _| this.set_post(false))),
    (
        "analyze",
        Action::Do(|this, session, _| this.analyze(session)),
    ),
    (
        "exit",
        Action::Do(|this, session, _| this.leave_analysis(session)),
    ),
    (
        ".",
        Action::Do(|this, session, _| this.say_progress(session)),
    ),
    ("exclude", Action::Do(Cecp::exclude)),
    ("include", Action::Do(Cecp::include)),
    (
        "memory",
        Action::Do(|_, session, text| session.set_option("Hash", text)),
    ),
    (
        "cores",
        Action::Do(|_, session, text| session.set_option("Threads", text)),
    ),
    ("egtpath", Action::Ignore),
    (
        "option",
        Action::Do(|_, session, text| Cecp::option(session, text)),
    ),
    ("name", Action::Ignore),
    ("rating", Action::Ignore),
    ("ics", Action::Ignore),
    ("computer", Action::Ignore),
    ("pause", Action::Ignore),
    ("resume", Action::Ignore),
    ("bye", Action::Ignore),
];

impl Cecp {
    /// Obeys one line.
    pub fn handle(&mut self, session: &mut EngineSession, line: &str) -> Flow {
        session.output.comment_with_hash();
        if line.is_empty() || line.starts_with('#') {
            return Flow::Continue;
        }
        self.play_answer(session);
        let (word, text) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, text)| (word, text.trim()));
        match COMMANDS.iter().find(|(name, _)| *name == word) {
            Some((_, Action::Do(act))) => act(self, session, text),
            Some((_, Action::Ignore)) => {}
            Some((_, Action::Quit)) => {
                self.quit(session);
                return Flow::Quit;
            }
            None if is_move(session, word) => self.user_move(session, word),
            None => session
                .output
                .say(&format!("Error (unknown command): {}", printable(line))),
        }
        Flow::Continue
    }
}

/// Whether a word is a bare move, as GUIs send it that did not accept the feature usermove.
fn is_move(session: &EngineSession, word: &str) -> bool {
    with_session!(&session.sessions, s => s.clone().apply(word)).is_ok() || is_castling(word)
}
