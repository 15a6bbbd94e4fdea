//! The Chess Engine Communication Protocol, version 2, as XBoard and WinBoard speak it (Mann and Muller,
//! "Chess Engine Communication Protocol"): chess as variant `normal`, Superchess as variant `super`, whose array and
//! holdings come by `setboard` and whose promotion pool is the physical one.

use crate::variants::{Sessions, with_session};
use crate::wire::go::Request;
use crate::wire::listener::Flow;
use crate::wire::options::{Definition, Kind, definitions};
use crate::wire::output::{Output, printable};
use crate::wire::report::{Best, Dialect, PvLine};
use crate::wire::session::{Base, Context};
use crate::wire::shell::Shell;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{DrawReason, Outcome};
use fauve_engine::search::{Control, Score};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The names of the games on this wire.
const VARIANTS: &str = "normal,super";
/// What a mate counts in thinking lines; the number of turns is added.
const MATE: i32 = 100_000;
/// The longest time that is told apart from longer ones, in seconds.
const LONGEST: f64 = 1e9;

/// What a command does. The text is what stands behind its word.
type Action = fn(&mut Cecp, &mut Shell, &str) -> Flow;

/// The commands. Those that only say what this engine does not need to know do nothing.
const COMMANDS: &[(&str, Action)] = &[
    ("xboard", Cecp::nothing),
    ("protover", Cecp::protover),
    ("accepted", Cecp::nothing),
    ("rejected", Cecp::nothing),
    ("new", Cecp::new_game),
    ("variant", Cecp::variant),
    ("quit", |_, _, _| Flow::Quit),
    ("random", Cecp::nothing),
    ("force", Cecp::force),
    ("go", Cecp::go),
    ("playother", Cecp::play_other),
    ("white", Cecp::nothing),
    ("black", Cecp::nothing),
    ("level", Cecp::level),
    ("st", Cecp::seconds_per_turn),
    ("sd", Cecp::depth),
    ("nps", Cecp::nothing),
    ("time", |this, _, text| this.clock(0, text)),
    ("otim", |this, _, text| this.clock(1, text)),
    ("usermove", Cecp::user_move),
    ("?", Cecp::move_now),
    ("ping", Cecp::ping),
    ("draw", Cecp::nothing),
    ("result", Cecp::result),
    ("setboard", Cecp::set_board),
    ("hint", Cecp::hint),
    ("bk", Cecp::nothing),
    ("undo", |this, shell, _| this.take_back(shell, 1)),
    ("remove", |this, shell, _| this.take_back(shell, 2)),
    ("hard", |this, _, _| {
        this.ponders = true;
        Flow::Continue
    }),
    ("easy", Cecp::easy),
    ("post", |this, _, _| this.set_post(true)),
    ("nopost", |this, _, _| this.set_post(false)),
    ("analyze", Cecp::analyze),
    ("exit", Cecp::exit),
    (".", Cecp::progress),
    ("exclude", |this, shell, text| {
        this.exclude(shell, text, true)
    }),
    ("include", |this, shell, text| {
        this.exclude(shell, text, false)
    }),
    ("memory", |_, shell, text| Cecp::set(shell, "Hash", text)),
    ("cores", |_, shell, text| Cecp::set(shell, "Threads", text)),
    ("egtpath", Cecp::nothing),
    ("option", Cecp::option),
    ("name", Cecp::nothing),
    ("rating", Cecp::nothing),
    ("ics", Cecp::nothing),
    ("computer", Cecp::nothing),
    ("pause", Cecp::nothing),
    ("resume", Cecp::nothing),
    ("bye", Cecp::nothing),
];

/// What the engine does between commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// It watches.
    Force,
    /// It plays this side.
    Play(Color),
    /// It thinks about the position for both sides.
    Analyze,
}

/// How time is given.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Level {
    /// Turns per period; 0: the whole game.
    turns: u32,
    /// Time per period.
    base: Duration,
    /// Time that each turn adds.
    increment: Duration,
}

/// The state of the dialect.
pub struct Cecp {
    mode: Mode,
    level: Level,
    /// `st`: the time of a turn.
    per_turn: Option<Duration>,
    /// `sd`: the depth.
    depth: Option<u32>,
    /// The clocks, the engine's first.
    clocks: [Option<Duration>; 2],
    post: bool,
    /// Whether it thinks on the opponent's time.
    ponders: bool,
    /// Own turns since the game or the position was set up, for periods.
    own_turns: u32,
    /// Turns left out of the analysis.
    excluded: Vec<String>,
    /// The search that runs or has last run.
    search: Option<Arc<Style>>,
    hint: Option<String>,
    /// Whether the end of the game was said.
    over: bool,
}

impl Default for Cecp {
    fn default() -> Self {
        Self {
            mode: Mode::Force,
            level: Level {
                turns: 40,
                base: Duration::from_mins(5),
                increment: Duration::ZERO,
            },
            per_turn: None,
            depth: None,
            clocks: [None, None],
            post: false,
            ponders: false,
            own_turns: 0,
            excluded: Vec::new(),
            search: None,
            hint: None,
            over: false,
        }
    }
}

impl Cecp {
    /// Obeys one line.
    pub fn handle(&mut self, shell: &mut Shell, line: &str) -> Flow {
        shell.output.comment_with_hash();
        if line.is_empty() || line.starts_with('#') {
            return Flow::Continue;
        }
        self.take_answer(shell);
        let (word, text) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, text)| (word, text.trim()));
        if let Some((_, action)) = COMMANDS.iter().find(|(name, _)| *name == word) {
            return action(self, shell, text);
        }
        // A bare move, as GUIs send it that did not accept the feature usermove.
        if with_session!(&shell.sessions, s => s.clone().apply(word)).is_ok()
            || castling(word).is_some()
        {
            return self.user_move(shell, word);
        }
        shell
            .output
            .say(&format!("Error (unknown command): {}", printable(line)));
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn nothing(&mut self, _: &mut Shell, _: &str) -> Flow {
        Flow::Continue
    }

    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn protover(&mut self, shell: &mut Shell, _: &str) -> Flow {
        let mut lines = vec![format!(
            "feature ping=1 setboard=1 usermove=1 analyze=1 memory=1 smp=1 exclude=1 colors=0 sigint=0 sigterm=0 \
             debug=1 variants=\"{VARIANTS}\" myname=\"Fauve {}\"",
            env!("CARGO_PKG_VERSION")
        )];
        for definition in definitions() {
            lines.extend(feature(&definition));
        }
        lines.push("feature done=1".to_owned());
        shell.output.say(&lines.join("\n"));
        Flow::Continue
    }

    /// A new game of chess; the engine plays Black.
    fn new_game(&mut self, shell: &mut Shell, _: &str) -> Flow {
        self.stop(shell);
        self.mode = Mode::Play(Color::Black);
        self.depth = None;
        self.clocks = [None, None];
        self.set_variant(shell, Variant::Chess);
        Flow::Continue
    }

    fn variant(&mut self, shell: &mut Shell, name: &str) -> Flow {
        self.stop(shell);
        let variant = match name {
            "normal" => Variant::Chess,
            "super" => Variant::Superchess,
            _ => {
                let name = printable(name);
                shell.output.say(&format!(
                    "Error (unknown variant, there are {VARIANTS}): {name}"
                ));
                return Flow::Continue;
            }
        };
        self.set_variant(shell, variant);
        Flow::Continue
    }

    fn set_variant(&mut self, shell: &mut Shell, variant: Variant) {
        // XBoard sets the array up itself, and its holdings know no used-up men.
        shell.set_option("Prologue", "false");
        shell.set_option("Promotion Pool", "physical");
        if shell.options.variant == variant {
            shell.set_position(Base::Start, &[]);
        } else {
            shell.set_option("UCI_Variant", variant.name());
        }
        shell.new_game();
        self.begin();
    }

    /// What the game was is forgotten.
    fn begin(&mut self) {
        self.own_turns = 0;
        self.excluded.clear();
        self.hint = None;
        self.over = false;
    }

    fn force(&mut self, shell: &mut Shell, _: &str) -> Flow {
        self.stop(shell);
        self.mode = Mode::Force;
        Flow::Continue
    }

    fn go(&mut self, shell: &mut Shell, _: &str) -> Flow {
        self.stop(shell);
        self.mode = Mode::Play(side(shell));
        self.act(shell);
        Flow::Continue
    }

    fn play_other(&mut self, shell: &mut Shell, _: &str) -> Flow {
        self.stop(shell);
        self.mode = Mode::Play(!side(shell));
        Flow::Continue
    }

    /// `level TURNS MINUTES[:SECONDS] INCREMENT`.
    fn level(&mut self, shell: &mut Shell, text: &str) -> Flow {
        let words: Vec<&str> = text.split_whitespace().collect();
        let level = match words.as_slice() {
            [turns, base, increment] => turns.parse().ok().and_then(|turns| {
                let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
                let minutes = seconds_of(minutes)?.as_secs_f64();
                Some(Level {
                    turns,
                    base: Duration::from_secs_f64((minutes * 60.0).min(LONGEST))
                        + seconds_of(seconds)?,
                    increment: seconds_of(increment)?,
                })
            }),
            _ => None,
        };
        match level {
            Some(level) => {
                self.level = level;
                self.per_turn = None;
                self.clocks = [None, None];
            }
            None => shell.output.say(&format!(
                "Error (level needs TURNS MINUTES INCREMENT): {}",
                printable(text)
            )),
        }
        Flow::Continue
    }

    fn seconds_per_turn(&mut self, shell: &mut Shell, text: &str) -> Flow {
        match seconds_of(text) {
            Some(time) => self.per_turn = Some(time),
            None => shell
                .output
                .say(&format!("Error (st needs seconds): {}", printable(text))),
        }
        Flow::Continue
    }

    fn depth(&mut self, shell: &mut Shell, text: &str) -> Flow {
        match text.parse::<u32>() {
            Ok(depth) => self.depth = Some(depth.max(1)),
            Err(_) => shell
                .output
                .say(&format!("Error (sd needs a depth): {}", printable(text))),
        }
        Flow::Continue
    }

    fn clock(&mut self, whose: usize, text: &str) -> Flow {
        if let Ok(centiseconds) = text.parse::<f64>()
            && centiseconds.is_finite()
        {
            let seconds = (centiseconds / 100.0).clamp(0.0, LONGEST);
            self.clocks[whose] = Some(Duration::from_secs_f64(seconds));
        }
        Flow::Continue
    }

    fn user_move(&mut self, shell: &mut Shell, text: &str) -> Flow {
        if self.mode != Mode::Analyze && self.is_thinking(shell) {
            // The opponent's turn while the engine thinks: it is out of turn.
            shell.output.say(&format!(
                "Illegal move (not your turn): {}",
                printable(text)
            ));
            return Flow::Continue;
        }
        self.stop(shell);
        let outcome = with_session!(&shell.sessions, s => s.game().outcome());
        // A claim of a draw is left to the players; what the rules end at once is over.
        let refused = match outcome {
            Some(_) => Some("game over".to_owned()),
            None => apply(shell, text).err(),
        };
        match refused {
            Some(reason) => shell
                .output
                .say(&format!("Illegal move ({reason}): {}", printable(text))),
            None => self.excluded.clear(),
        }
        self.act(shell);
        Flow::Continue
    }

    /// Says the end of the game, or does what the mode asks for.
    fn act(&mut self, shell: &mut Shell) {
        if let Some(outcome) = with_session!(&shell.sessions, s => s.game().outcome()) {
            if !self.over && matches!(self.mode, Mode::Play(_)) {
                shell.output.say(&result_line(outcome));
            }
            self.over = true;
            return;
        }
        self.over = false;
        match self.mode {
            Mode::Play(color) if color == side(shell) => self.think(shell, false),
            Mode::Analyze => self.think(shell, true),
            _ => {}
        }
    }

    fn think(&mut self, shell: &mut Shell, endless: bool) {
        let style = Arc::new(Style::new(
            shell.sessions.clone(),
            endless,
            Arc::new(AtomicBool::new(self.post || endless)),
        ));
        let mut request = Request::default();
        if endless {
            request.infinite = true;
            if !self.excluded.is_empty() {
                let legal = with_session!(&shell.sessions, s => s.legal("")).unwrap_or_default();
                request.searchmoves = legal
                    .into_iter()
                    .filter(|token| !self.excluded.contains(token))
                    .collect();
            }
        } else {
            request.depth = self.depth;
            match self.per_turn {
                Some(time) => request.movetime = Some(time),
                None => self.set_clocks(&mut request, side(shell)),
            }
        }
        self.search = Some(Arc::clone(&style));
        let dialect: Arc<dyn Dialect> = style.clone();
        shell.worker.finish();
        let context = shell.context(&dialect);
        let think = shell.prepare(&request, context.clone());
        style.lock().ponders = self.ponders && !endless;
        shell.worker.start(Box::new(move |control| {
            think(control);
            if style.finish(&context.output) {
                style.ponder(context, control);
            }
        }));
    }

    /// No more thinking on the opponent's time.
    fn easy(&mut self, shell: &mut Shell, _: &str) -> Flow {
        self.ponders = false;
        let is_pondering = self.search.as_ref().is_some_and(|search| {
            let mut state = search.lock();
            std::mem::take(&mut state.ponders) && state.finished
        });
        if is_pondering {
            shell.worker.finish();
        }
        Flow::Continue
    }

    fn set_clocks(&self, request: &mut Request, own: Color) {
        let [mine, theirs] = self.clocks.map(|clock| clock.unwrap_or(self.level.base));
        request.time[own.index()] = Some(mine);
        request.time[own.other().index()] = Some(theirs);
        request.increment = [Some(self.level.increment); 2];
        if self.level.turns > 0 {
            request.moves_to_go = Some(self.level.turns - self.own_turns % self.level.turns);
        }
    }

    /// Whether a search runs that will answer by itself.
    fn is_thinking(&self, shell: &mut Shell) -> bool {
        shell.worker.control().is_some()
            && self
                .search
                .as_ref()
                .is_some_and(|search| !search.endless && !search.lock().answered)
    }

    /// Ends the running search without an answer.
    fn stop(&mut self, shell: &mut Shell) {
        if let Some(search) = &self.search {
            search.lock().discarded = true;
        }
        shell.worker.finish();
        // The answer may have come just before.
        self.take_answer(shell);
        self.search = None;
    }

    /// Plays the answer of a finished search on our own board.
    fn take_answer(&mut self, shell: &mut Shell) {
        let Some(search) = &self.search else { return };
        let (token, hint) = {
            let mut state = search.lock();
            let token = state.token.clone().filter(|_| !state.played);
            state.played |= token.is_some();
            (token, state.hint.clone())
        };
        if let Some(token) = token {
            if let Err(error) = apply(shell, &token) {
                shell.output.error(&format!("internal: {error}"));
            }
            self.own_turns += 1;
            self.hint = hint;
            self.over = with_session!(&shell.sessions, s => s.game().outcome()).is_some();
        }
    }

    fn move_now(&mut self, shell: &mut Shell, _: &str) -> Flow {
        if self.is_thinking(shell)
            && let Some(control) = shell.worker.control()
        {
            control.stop();
        }
        Flow::Continue
    }

    /// Answered when everything before is done: a search that will give a turn says the answer behind it.
    fn ping(&mut self, shell: &mut Shell, text: &str) -> Flow {
        let pong = format!("pong {text}");
        if let Some(search) = &self.search
            && !search.endless
        {
            let mut state = search.lock();
            if !state.finished && !state.discarded {
                state.pongs.push(pong);
                return Flow::Continue;
            }
        }
        shell.output.say(&pong);
        Flow::Continue
    }

    fn result(&mut self, shell: &mut Shell, _: &str) -> Flow {
        self.stop(shell);
        self.mode = Mode::Force;
        self.over = true;
        Flow::Continue
    }

    fn set_board(&mut self, shell: &mut Shell, fen: &str) -> Flow {
        self.stop(shell);
        let rules = shell.options.rules.clone();
        let base = Base::Fen(fen.to_owned());
        let set = with_session!(&mut shell.sessions, s => s.set_position(base, &[], &rules));
        match set {
            Ok(messages) => shell.say_all(&messages),
            Err(error) => shell
                .output
                .say(&format!("tellusererror Illegal position: {error}")),
        }
        self.begin();
        if self.mode == Mode::Analyze {
            self.act(shell);
        }
        Flow::Continue
    }

    fn hint(&mut self, shell: &mut Shell, _: &str) -> Flow {
        if let Some(hint) = &self.hint {
            shell.output.say(&format!("Hint: {hint}"));
        }
        Flow::Continue
    }

    fn take_back(&mut self, shell: &mut Shell, turns: usize) -> Flow {
        self.stop(shell);
        for _ in 0..turns {
            if let Err(error) = with_session!(&mut shell.sessions, s => s.undo()) {
                shell.output.say(&format!("Error ({error}): undo"));
                break;
            }
        }
        self.excluded.clear();
        self.hint = None;
        self.over = false;
        if self.mode == Mode::Analyze {
            self.act(shell);
        }
        Flow::Continue
    }

    fn set_post(&mut self, post: bool) -> Flow {
        self.post = post;
        if let Some(search) = &self.search {
            search.post.store(post, Ordering::Relaxed);
        }
        Flow::Continue
    }

    fn analyze(&mut self, shell: &mut Shell, _: &str) -> Flow {
        self.stop(shell);
        self.mode = Mode::Analyze;
        self.act(shell);
        Flow::Continue
    }

    fn exit(&mut self, shell: &mut Shell, _: &str) -> Flow {
        if self.mode == Mode::Analyze {
            self.force(shell, "");
        }
        Flow::Continue
    }

    /// `stat01: time nodes ply left total`, what an analysis has done so far.
    fn progress(&mut self, shell: &mut Shell, _: &str) -> Flow {
        if let Some(search) = &self.search
            && let Some([depth, time, nodes]) = search.lock().progress
        {
            shell
                .output
                .say(&format!("stat01: {time} {nodes} {depth} 0 0"));
        }
        Flow::Continue
    }

    fn exclude(&mut self, shell: &mut Shell, text: &str, out: bool) -> Flow {
        let named = match text {
            "all" => with_session!(&shell.sessions, s => s.legal("")).unwrap_or_default(),
            token => vec![token.to_owned()],
        };
        self.excluded.retain(|token| !named.contains(token));
        if out {
            self.excluded.extend(named);
        }
        if self.mode == Mode::Analyze {
            self.stop(shell);
            self.act(shell);
        }
        Flow::Continue
    }

    fn set(shell: &mut Shell, name: &str, value: &str) -> Flow {
        shell.set_option(name, value);
        Flow::Continue
    }

    /// `option NAME=VALUE`, or `option NAME` for a button.
    #[expect(clippy::unused_self, reason = "all actions have one shape")]
    fn option(&mut self, shell: &mut Shell, text: &str) -> Flow {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        // Check boxes are 0 and 1 on this wire.
        let is_check = definitions().iter().any(|definition| {
            definition.name.eq_ignore_ascii_case(name)
                && matches!(definition.kind, Kind::Check { .. })
        });
        let value = match value {
            "1" if is_check => "true",
            "0" if is_check => "false",
            other => other,
        };
        Self::set(shell, name.trim(), value)
    }
}

/// The `feature option` line of an option, for those that this protocol has no other words for.
fn feature(definition: &Definition) -> Option<String> {
    let name = definition.name;
    let has_words = matches!(
        name,
        "Hash" | "Threads" | "Ponder" | "MultiPV" | "Prologue" | "Promotion Pool" | "Turn Output"
    );
    if name.starts_with("UCI_") && name != "UCI_LimitStrength" && name != "UCI_Elo" || has_words {
        return None;
    }
    let control = match &definition.kind {
        Kind::Check { default } => format!("-check {}", u8::from(*default)),
        Kind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
        Kind::Combo { default, choices } => {
            let words: Vec<String> = choices
                .iter()
                .map(|&word| format!("{}{word}", if word == *default { "*" } else { "" }))
                .collect();
            format!("-combo {}", words.join(" /// "))
        }
        Kind::Button => "-button".to_owned(),
        Kind::Text { default } => format!("-string {default}"),
    };
    Some(format!("feature option=\"{name} {control}\""))
}

/// Seconds as the protocol writes them, whole or with a fraction.
fn seconds_of(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (seconds.is_finite() && (0.0..=LONGEST).contains(&seconds))
        .then(|| Duration::from_secs_f64(seconds))
}

fn side(shell: &Shell) -> Color {
    with_session!(&shell.sessions, s => {
        fauve_engine::rules::Rules::side_to_move(s.game().position())
    })
}

/// Plays a token; castling may be written with letters.
fn apply(shell: &mut Shell, token: &str) -> Result<(), String> {
    let own = match castling(token) {
        Some(files) => {
            let rank = match side(shell) {
                Color::White => '1',
                Color::Black => '8',
            };
            format!("e{rank}{files}{rank}")
        }
        None => token.to_owned(),
    };
    with_session!(&mut shell.sessions, s => s.apply(&own)).map_err(|error| error.to_string())
}

/// The king's file after castling that is written with letters or zeros.
fn castling(token: &str) -> Option<char> {
    match token.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" => Some('g'),
        "O-O-O" => Some('c'),
        _ => None,
    }
}

/// `1-0 {White mates}`.
fn result_line(outcome: Outcome) -> String {
    let score = match outcome {
        Outcome::Win(Color::White, _) => "1-0",
        Outcome::Win(Color::Black, _) => "0-1",
        Outcome::Draw(_) => "1/2-1/2",
    };
    let reason = match outcome {
        Outcome::Win(color, reason) => format!("{} {}", color.name(), reason.brief),
        Outcome::Draw(DrawReason::Repetition) => "Draw by repetition".to_owned(),
        Outcome::Draw(DrawReason::Clock) => "Draw by fifty moves rule".to_owned(),
        Outcome::Draw(DrawReason::Stalemate) => "Stalemate".to_owned(),
        Outcome::Draw(DrawReason::DeadPosition) => "Draw by insufficient material".to_owned(),
        Outcome::Draw(_) => outcome.to_string(),
    };
    format!("{score} {{{reason}}}")
}

/// What is known about one search.
#[derive(Default)]
struct State {
    /// The answer.
    token: Option<String>,
    /// Whether the listener has played it.
    played: bool,
    /// The expected reply.
    hint: Option<String>,
    /// Whether the answer is being said.
    answered: bool,
    /// Whether the answer is out, and all that goes with it.
    finished: bool,
    /// Whether the answer is not wanted any more.
    discarded: bool,
    /// Whether to think on after the answer.
    ponders: bool,
    /// Pongs to say behind the answer.
    pongs: Vec<String>,
    /// Depth, centiseconds and nodes so far.
    progress: Option<[u64; 3]>,
}

/// How this protocol writes the reports of one search.
struct Style {
    /// The game that is searched.
    sessions: Sessions,
    /// Whether it is an analysis, which has no answer.
    endless: bool,
    post: Arc<AtomicBool>,
    state: Mutex<State>,
}

impl Style {
    fn new(sessions: Sessions, endless: bool, post: Arc<AtomicBool>) -> Self {
        Self {
            sessions,
            endless,
            post,
            state: Mutex::new(State::default()),
        }
    }

    /// The answer is out: pings that came since are answered, later ones at once. Whether to ponder now.
    fn finish(&self, output: &Output) -> bool {
        let mut state = self.lock();
        state.finished = true;
        // Under the lock, so that a later pong does not overtake these.
        for pong in state.pongs.drain(..) {
            output.say(&pong);
        }
        state.ponders
    }

    /// Searches the position after the answer and the expected reply until it is stopped: the search after the reply
    /// finds its results in the table. The thinking lines go on.
    fn ponder(&self, context: Context, control: &Control) {
        let (token, hint) = {
            let state = self.lock();
            (state.token.clone(), state.hint.clone())
        };
        let (Some(token), Some(hint)) = (token, hint) else {
            return;
        };
        let mut sessions = self.sessions.clone();
        for token in [token, hint] {
            if with_session!(&mut sessions, s => s.apply(&token)).is_err() {
                return;
            }
        }
        let dialect = Arc::new(Self::new(sessions.clone(), true, Arc::clone(&self.post)));
        let context = Context { dialect, ..context };
        let request = Request {
            infinite: true,
            ..Request::default()
        };
        let (_, job) = with_session!(&sessions, s => s.go(&request, context));
        job(control);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

impl Dialect for Style {
    fn pv(&self, line: &PvLine) -> String {
        let score = match line.score {
            Score::Cp(value) => value,
            Score::Mate(turns) if turns > 0 => MATE + turns,
            Score::Mate(turns) => turns - MATE,
        };
        let centiseconds = (line.time.as_millis() / 10) as u64;
        self.lock().progress = Some([u64::from(line.depth), centiseconds, line.nodes]);
        if !self.post.load(Ordering::Relaxed) {
            return "#".to_owned();
        }
        let mut text = format!("{} {score} {centiseconds} {}", line.depth, line.nodes);
        for token in &line.pv {
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
            Some(token) if !self.endless && !state.discarded => {
                lines.push(format!("move {token}"));
                lines.extend(self.end_after(token));
                state.token = Some(token.clone());
                state.hint.clone_from(&best.ponder);
            }
            _ => lines.push("# the search has ended".to_owned()),
        }
        state.answered = true;
        lines.append(&mut state.pongs);
        lines.join("\n")
    }
}
