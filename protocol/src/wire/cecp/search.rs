use super::text::{letters_of, result_line};
use crate::variants::{Sessions, with_session};
use crate::wire::go::Request;
use crate::wire::output::Output;
use crate::wire::report::{Best, OutputFormat, PvLine};
use crate::wire::session::SearchContext;
use fauve_engine::search::{Control, Score};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a mate counts in thinking lines; the number of turns is added.
const MATE: i32 = 100_000;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The engine's turn.
    Turn,
    /// Thinking lines, without an answer: an analysis, or thinking on the opponent's time.
    Lines,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// There is no answer yet.
    #[default]
    Thinking,
    /// There is no answer yet, and none is wanted any more.
    Discarded,
    /// The answer is being said.
    Answered,
    /// The answer is out, and the pongs that go with it.
    Finished,
}

/// The answer of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// The turn.
    pub(super) token: String,
    /// The expected reply.
    pub(super) hint: Option<String>,
}

/// Depth, centiseconds and nodes of a search so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    pub(super) depth: u32,
    pub(super) centiseconds: u64,
    pub(super) nodes: u64,
}

/// What the listener and the search thread know about one search.
#[derive(Debug, Default)]
struct State {
    stage: Stage,
    answer: Option<Answer>,
    /// Whether the answer is on our own board.
    is_played: bool,
    /// Whether to think on behind the answer, on the opponent's time.
    ponders: bool,
    /// Pongs to say behind the answer.
    pongs: Vec<String>,
    progress: Option<Progress>,
}

/// One search under this protocol: how its reports are written, and what has become of it.
#[derive(Debug)]
pub(super) struct CecpSearch {
    /// The game that is searched.
    sessions: Sessions,
    purpose: Purpose,
    /// Whether castling is written with letters.
    is_chess960: bool,
    /// Whether thinking lines are said.
    posts: Arc<AtomicBool>,
    state: Mutex<State>,
}

/// What the listener asks and tells.
impl CecpSearch {
    /// A search that has not begun.
    pub(super) fn new(
        sessions: Sessions,
        purpose: Purpose,
        posts: bool,
        ponders: bool,
        is_chess960: bool,
    ) -> Self {
        Self {
            sessions,
            purpose,
            is_chess960,
            posts: Arc::new(AtomicBool::new(posts)),
            state: Mutex::new(State {
                ponders,
                ..State::default()
            }),
        }
    }

    /// Whether an answer is still to come.
    pub(super) fn will_answer(&self) -> bool {
        let stage = self.lock().stage;
        self.purpose == Purpose::Turn && matches!(stage, Stage::Thinking | Stage::Discarded)
    }

    /// Its answer is not wanted any more, unless it is there already.
    pub(super) fn discard(&self) {
        let mut state = self.lock();
        if state.stage == Stage::Thinking {
            state.stage = Stage::Discarded;
        }
    }

    /// The answer, once.
    pub(super) fn take_answer(&self) -> Option<Answer> {
        let mut state = self.lock();
        let answer = state.answer.clone().filter(|_| !state.is_played)?;
        state.is_played = true;
        Some(answer)
    }

    /// Keeps a pong to say behind the answer. Gives it back where no answer will come.
    pub(super) fn hold_pong(&self, pong: String) -> Option<String> {
        let mut state = self.lock();
        let is_due = matches!(state.stage, Stage::Thinking | Stage::Answered);
        if self.purpose == Purpose::Lines || !is_due {
            return Some(pong);
        }
        state.pongs.push(pong);
        None
    }

    /// No thinking on the opponent's time. Says whether it was at that.
    pub(super) fn stop_pondering(&self) -> bool {
        let mut state = self.lock();
        std::mem::take(&mut state.ponders) && state.stage == Stage::Finished
    }

    /// Whether thinking lines are said from now on.
    pub(super) fn post(&self, posts: bool) {
        self.posts.store(posts, Ordering::Relaxed);
    }

    /// How far it has come.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.lock().progress
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the search thread does.
impl CecpSearch {
    /// Behind the answer: pings that came since are answered, later ones at once; then it may think on.
    pub(super) fn finish(&self, context: SearchContext, control: &Control) {
        if self.say_pongs(&context.output) {
            self.ponder(context, control);
        }
    }

    /// Says the pongs, and whether to think on.
    fn say_pongs(&self, output: &Output) -> bool {
        let mut state = self.lock();
        state.stage = Stage::Finished;
        // Under the lock, so that a later pong does not overtake these.
        for pong in state.pongs.drain(..) {
            output.say(&pong);
        }
        state.ponders
    }

    /// Searches the position after the answer and the expected reply until it is stopped: the search after the reply
    /// finds its results in the table. The thinking lines go on.
    fn ponder(&self, context: SearchContext, control: &Control) {
        let answer = self.lock().answer.clone();
        let Some(Answer {
            token,
            hint: Some(hint),
        }) = answer
        else {
            return;
        };
        let mut sessions = self.sessions.clone();
        for token in [token, hint] {
            if with_session!(&mut sessions, s => s.apply(&token)).is_err() {
                return;
            }
        }
        let format = Arc::new(Self {
            sessions: sessions.clone(),
            purpose: Purpose::Lines,
            is_chess960: self.is_chess960,
            posts: Arc::clone(&self.posts),
            state: Mutex::default(),
        });
        let context = SearchContext { format, ..context };
        let request = Request {
            infinite: true,
            ..Request::default()
        };
        let output = Arc::clone(&context.output);
        let (_, job) = with_session!(&sessions, s => s.go(&request, context));
        if let Some(answer) = job(control) {
            output.say(&answer);
        }
    }

    /// A line of turns as this protocol writes them.
    fn written(&self, line: &[String]) -> Vec<String> {
        if !self.is_chess960 {
            return line.to_vec();
        }
        let mut sessions = self.sessions.clone();
        let written = line.iter().map(|token| {
            let letters = letters_of(&sessions, token);
            // What is no turn here is no turn behind it either, and stays as it is.
            let _ = with_session!(&mut sessions, s => s.apply(token));
            letters
        });
        written.collect()
    }

    /// The end of the game that the answer makes, as a line.
    fn end_after(&self, token: &str) -> Option<String> {
        with_session!(&self.sessions, s => {
            let mut after = s.clone();
            after.apply(token).ok()?;
            after.game().outcome()
        })
        .map(result_line)
    }
}

impl OutputFormat for CecpSearch {
    fn pv(&self, line: &PvLine) -> String {
        let score = match line.score {
            Score::Cp(value) => value,
            Score::Mate(turns) if turns > 0 => MATE + turns,
            Score::Mate(turns) => turns - MATE,
        };
        let centiseconds = (line.time.as_millis() / 10) as u64;
        self.lock().progress = Some(Progress {
            depth: line.depth,
            centiseconds,
            nodes: line.nodes,
        });
        if !self.posts.load(Ordering::Relaxed) {
            return "#".to_owned();
        }
        let mut text = format!("{} {score} {centiseconds} {}", line.depth, line.nodes);
        for token in self.written(&line.pv) {
            let _ = write!(text, " {token}");
        }
        text
    }

    fn current(&self, _: u32, _: &str, _: usize) -> Option<String> {
        None
    }

    fn message(&self, text: &str) -> String {
        format!("# {text}")
    }

    fn best(&self, best: &Best) -> String {
        let mut state = self.lock();
        let mut lines = Vec::new();
        match &best.turn {
            Some(token) if self.purpose == Purpose::Turn && state.stage == Stage::Thinking => {
                let written = self.written(std::slice::from_ref(token));
                lines.push(format!("move {}", written.concat()));
                lines.extend(self.end_after(token));
                state.answer = Some(Answer {
                    token: token.clone(),
                    hint: best.ponder.clone(),
                });
            }
            _ => lines.push("# the search has ended".to_owned()),
        }
        state.stage = Stage::Answered;
        lines.append(&mut state.pongs);
        lines.join("\n")
    }
}
