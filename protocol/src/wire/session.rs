//! One game under a protocol: how it came about, what may be played, and searches of it. Every dialect drives a game
//! through this.

use crate::wire::go::Request;
use crate::wire::output::{Output, panic_text, printable};
use crate::wire::report::{Best, Dialect, PvLine, per_second};
use fauve_engine::core::Color;
use fauve_engine::rules::{
    DiceSeed, Event, Game, Outcome, Parsed, Roll, RuleSettings, StepError, Turn, for_each_turn,
    legal_steps, parse_turn, perft, split_roll, turn_token,
};
use fauve_engine::search::{Answer, Clock, Control, Engine, Limits, Report, Settings, Table};
use std::fmt::Write;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest game that is read, in tokens.
const LONGEST_GAME: usize = 65_536;

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// The start position of the game.
    Start,
    /// A named start position, `startpos-left`.
    Named(String),
    /// A position string.
    Fen(String),
}

impl Base {
    /// Reads the words after `position`: the base and the tokens after `moves`. Unknown words before it are skipped.
    pub fn parse<'a>(words: &[&'a str]) -> Option<(Self, Vec<&'a str>)> {
        let place = words.iter().position(|word| {
            word.eq_ignore_ascii_case("fen") || word.to_ascii_lowercase().starts_with("startpos")
        })?;
        let rest = &words[place + 1..];
        let moves = rest
            .iter()
            .position(|word| word.eq_ignore_ascii_case("moves"))
            .unwrap_or(rest.len());
        let tokens = rest.get(moves + 1..).unwrap_or_default().to_vec();
        let base = match words[place].to_ascii_lowercase().as_str() {
            "fen" => Self::Fen(rest[..moves].join(" ")),
            "startpos" => Self::Start,
            named => Self::Named(named.to_owned()),
        };
        Some((base, tokens))
    }
}

/// What a search needs beside the game.
#[derive(Clone)]
pub struct Context {
    /// Where lines go.
    pub output: Arc<Output>,
    /// How they look.
    pub dialect: Arc<dyn Dialect>,
    /// The transposition table.
    pub table: Arc<Table>,
    /// Threads, overhead and so on.
    pub settings: Settings,
    /// Whether lines carry win, draw and loss.
    pub show_wdl: bool,
    /// Whether the answer is the next single move only.
    pub single_moves: bool,
}

impl Context {
    fn message(&self, text: &str) {
        self.output.say(&self.dialect.message(text));
    }
}

/// Work for the search thread: it looks at the switches and returns when it has said its answer.
pub type Job = Box<dyn FnOnce(&Control) + Send>;

/// One game.
#[derive(Clone, Debug)]
pub struct Session<G: Engine> {
    game: Game<G>,
    base: Base,
    /// The tokens that were accepted, as they were written.
    tokens: Vec<String>,
    /// The first moves of a dice turn whose roll is unknown, until a token completes them.
    pending: Option<String>,
    /// The last turn, if its roll was guessed from its token: the length of the game before it, and the token.
    guessed: Option<(usize, String)>,
    seed: Option<DiceSeed>,
}

impl<G: Engine> Session<G> {
    /// The start position under the rules as set.
    pub fn new(rules: &RuleSettings) -> Self {
        let options = rules.options();
        Self {
            game: Game::new(G::start(&options), options),
            base: Base::Start,
            tokens: Vec::new(),
            pending: None,
            guessed: None,
            seed: None,
        }
    }

    /// Sets up a game and plays tokens. Says what there is to say about it; an illegal token ends the reading and
    /// keeps what came before.
    ///
    /// # Errors
    /// When the base is refused; the session keeps its game.
    pub fn set_position(
        &mut self,
        base: Base,
        tokens: &[&str],
        rules: &RuleSettings,
    ) -> Result<Vec<String>, String> {
        self.begin(base, tokens, rules.options())
    }

    fn begin(
        &mut self,
        base: Base,
        tokens: &[&str],
        options: G::Options,
    ) -> Result<Vec<String>, String> {
        let parsed = match &base {
            Base::Start => Parsed::plain(G::start(&options)),
            Base::Named(name) => Parsed::plain(
                G::named_start(name, &options)
                    .ok_or_else(|| format!("this game has no {}", printable(name)))?,
            ),
            Base::Fen(fen) => G::from_fen(fen, &options).map_err(|error| error.to_string())?,
        };
        let mut messages = parsed.warnings;
        self.game = Game::new(parsed.position, options);
        self.seed = parsed.seed;
        self.base = base;
        self.pending = None;
        self.guessed = None;
        self.tokens.clear();
        for (number, token) in (1..).zip(tokens) {
            if number > LONGEST_GAME {
                messages.push(format!(
                    "Error: only the first {LONGEST_GAME} moves are read"
                ));
                break;
            }
            if let Err(error) = self.apply(token) {
                messages.push(format!("Error: {error} (move {number})"));
                break;
            }
        }
        if self.pending.is_some() {
            let number = self.tokens.len();
            let token = self.tokens.pop().unwrap_or_default();
            let error = StepError::Incomplete(token);
            messages.push(format!("Error: {error} (move {number})"));
            self.pending = None;
        }
        Ok(messages)
    }

    /// Takes over changed rules: the game is set up and played anew. Where its first position is no longer possible the
    /// start position takes its place.
    pub fn set_rules(&mut self, rules: &RuleSettings) -> Vec<String> {
        let tokens = self.tokens.clone();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        match self.set_position(self.base.clone(), &tokens, rules) {
            Ok(messages) => messages,
            Err(error) => {
                *self = Self::new(rules);
                vec![format!("Error: {error}; back to startpos")]
            }
        }
    }

    /// Plays a token: a turn, or moves of a turn, with or without its roll; or a roll alone, `PNB:`.
    ///
    /// # Errors
    /// When it is not legal here; the game stays as it was.
    pub fn apply(&mut self, token: &str) -> Result<(), StepError> {
        let text = match &self.pending {
            Some(first) => format!("{first},{token}"),
            None => token.to_owned(),
        };
        match self.play_token(&text) {
            Ok(()) => self.pending = None,
            Err(StepError::Incomplete(_)) if self.game.position().awaits_roll() => {
                self.pending = Some(text);
            }
            Err(error) => self.join_last(token).map_err(|()| match &self.pending {
                Some(_) => StepError::Illegal(token.to_owned()),
                None => error,
            })?,
        }
        self.tokens.push(token.to_owned());
        Ok(())
    }

    /// Reads a token as the continuation of the turn that the last token seemed to complete: `S@d8` and then `b8g8`,
    /// or the second move of a dice turn whose roll is unknown.
    fn join_last(&mut self, token: &str) -> Result<(), ()> {
        if self.pending.is_some() {
            return Err(());
        }
        if let Some((before, Event::Step(made))) = self.game.past().last()
            && let Some(step) = before.continued(*made, token)
        {
            self.game.undo();
            self.game.play(step);
            return Ok(());
        }
        let (length, first) = self.guessed.clone().ok_or(())?;
        let joined = format!("{first},{token}");
        let kept = self.game.clone();
        while self.game.past().len() > length {
            self.game.undo();
        }
        match self.play_token(&joined) {
            Ok(()) => Ok(()),
            Err(StepError::Incomplete(_)) => {
                self.pending = Some(joined);
                Ok(())
            }
            Err(_) => {
                self.game = kept;
                Err(())
            }
        }
    }

    fn play_token(&mut self, token: &str) -> Result<(), StepError> {
        let position = *self.game.position();
        let (roll, rest) = split_roll(token)?;
        if let Some(roll) = roll {
            if !G::HAS_CHANCE {
                return Err(StepError::Unreadable(token.to_owned()));
            }
            if !position.awaits_roll() && !self.has_roll(roll) {
                return Err(StepError::Illegal(token.to_owned()));
            }
        }
        let mut rolled = position;
        let roll = roll.or_else(|| self.seeded_roll());
        if position.awaits_roll() {
            let Some(roll) = roll else {
                let length = self.game.past().len();
                self.play_unrolled(rest)?;
                self.guessed = Some((length, rest.to_owned()));
                return Ok(());
            };
            rolled.set_roll(roll);
        }
        let steps = if rest.is_empty() && token.ends_with(':') {
            Turn::new()
        } else {
            parse_turn(&rolled, rest)?
        };
        if let (Some(roll), true) = (roll, position.awaits_roll()) {
            self.game.set_roll(roll);
        }
        self.guessed = None;
        for step in steps {
            self.game.play(step);
        }
        Ok(())
    }

    /// Plays a whole turn whose roll is not known: legal if some roll allows it.
    fn play_unrolled(&mut self, token: &str) -> Result<(), StepError> {
        let position = *self.game.position();
        let mut unfinished = false;
        for &(roll, _) in G::rolls() {
            let mut rolled = position;
            rolled.set_roll(roll);
            let Ok(turn) = parse_turn(&rolled, token) else {
                continue;
            };
            let mut after = rolled;
            for &step in &turn {
                after.play(step);
            }
            if after.is_mid_turn() && after.decided().is_none() {
                unfinished = true;
                continue;
            }
            self.game.set_roll(roll);
            for step in turn {
                self.game.play(step);
            }
            return Ok(());
        }
        let token = token.to_owned();
        Err(if unfinished {
            StepError::Incomplete(token)
        } else {
            StepError::Illegal(token)
        })
    }

    /// Whether the dice of this turn are these.
    fn has_roll(&self, roll: Roll) -> bool {
        let last = self
            .game
            .past()
            .iter()
            .rev()
            .find_map(|(_, event)| match event {
                Event::Roll(roll) => Some(*roll),
                Event::Step(_) => None,
            });
        last == Some(roll) || self.game.position().whole_roll() == Some(roll)
    }

    /// The roll that the seed gives to the turn that is next.
    fn seeded_roll(&self) -> Option<Roll> {
        let seed = self.seed?;
        Some(seed.roll(self.game.position().turn_index()))
    }

    /// The game with its seeded roll made, if it has one and awaits it.
    fn rolled(&self) -> Game<G> {
        let mut game = self.game.clone();
        if let (Some(roll), true) = (self.seeded_roll(), game.position().awaits_roll()) {
            game.set_roll(roll);
        }
        game
    }

    /// Rolls the dice: these, else those of the seed, else random ones. Gives the roll.
    ///
    /// # Errors
    /// When the game has no dice or does not await a roll, or the dice cannot be read.
    pub fn roll(&mut self, dice: Option<&str>) -> Result<Roll, String> {
        if !self.game.position().awaits_roll() {
            return Err("no roll is awaited here".to_owned());
        }
        let roll = match dice {
            Some(dice) => Roll::parse(dice)
                .ok_or_else(|| format!("cannot read the roll {}", printable(dice)))?,
            None => self.seeded_roll().unwrap_or_else(random_roll),
        };
        self.game.set_roll(roll);
        self.tokens.push(format!("{roll}:"));
        Ok(roll)
    }

    /// Takes back the last token.
    ///
    /// # Errors
    /// When there is none.
    pub fn undo(&mut self) -> Result<(), String> {
        let mut tokens = std::mem::take(&mut self.tokens);
        if tokens.pop().is_none() {
            return Err("nothing to take back".to_owned());
        }
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let options = *self.game.options();
        self.begin(self.base.clone(), &tokens, options).map(drop)
    }

    /// Turns the position upside down, colours exchanged; a new game begins there.
    ///
    /// # Errors
    /// When the flipped position is not possible (the prologue has no other side).
    pub fn flip(&mut self) -> Result<Vec<String>, String> {
        let flipped = self.game.position().flipped();
        let flipped = flipped.ok_or("this position has no other side")?;
        let options = *self.game.options();
        self.begin(Base::Fen(self.with_seed(flipped.fen())), &[], options)
    }

    /// The game.
    pub const fn game(&self) -> &Game<G> {
        &self.game
    }

    /// The position string, with its seed.
    pub fn fen(&self) -> String {
        self.with_seed(self.game.position().fen())
    }

    fn with_seed(&self, fen: String) -> String {
        match self.seed {
            Some(seed) => format!("{fen} seed:{seed}"),
            None => fen,
        }
    }

    /// The board and what is known about the position, for `d`.
    pub fn describe(&self) -> String {
        let game = self.rolled();
        let position = game.position();
        let mut text = format!(
            "\n{}\n\nFen: {}\nKey: {:016X}\n",
            position.board_text().trim_end(),
            self.with_seed(position.fen()),
            position.key()
        );
        let side = position.side_to_move().name();
        let state = if let Some(outcome) = game.outcome() {
            format!("Game over: {outcome}")
        } else if position.awaits_roll() {
            format!("{side} to roll")
        } else {
            let check = if position.in_check() {
                ", in check"
            } else {
                ""
            };
            let mid = if position.is_mid_turn() {
                ", in the middle of the turn"
            } else {
                ""
            };
            format!("{side} to move{mid}{check}")
        };
        let _ = write!(text, "{state}");
        text
    }

    /// The static evaluation, for `eval`.
    pub fn evaluation(&self) -> String {
        let position = self.game.position();
        let own = position.evaluate();
        let white = match position.side_to_move() {
            Color::White => own,
            Color::Black => -own,
        };
        format!(
            "Static evaluation: {:+.2} pawns (White's view)",
            f64::from(white) / 100.0
        )
    }

    /// The tokens of the legal turns that begin with a text, in generation order.
    ///
    /// # Errors
    /// When a roll is awaited.
    pub fn legal(&self, prefix: &str) -> Result<Vec<String>, String> {
        let game = self.rolled();
        let position = game.position();
        if position.awaits_roll() && position.decided().is_none() {
            return Err("the dice are not rolled: roll [dice]".to_owned());
        }
        let mut tokens = Vec::new();
        for_each_turn(position, &mut |turn, _| {
            let token = turn_token(position, turn);
            if token.starts_with(prefix) {
                tokens.push(token);
            }
        });
        Ok(tokens)
    }

    /// The answer to `query`, without the word `response`.
    ///
    /// # Errors
    /// When nothing of that name can be asked for.
    pub fn query(&self, what: &str) -> Result<String, String> {
        Ok(match what {
            "p1turn" => (self.game.position().side_to_move() == Color::White).to_string(),
            "gameover" => self.rolled().outcome().is_some().to_string(),
            "result" => match self.rolled().outcome() {
                None => "none",
                Some(Outcome::Draw(_)) => "draw",
                Some(Outcome::Win(Color::White, _)) => "p1win",
                Some(Outcome::Win(Color::Black, _)) => "p2win",
            }
            .to_owned(),
            "legal" => self.legal("")?.join(" "),
            "fen" => self.fen(),
            "roll" => self.rolled().position().dice_text(),
            _ => {
                return Err("query knows p1turn, gameover, result, legal, fen and roll".to_owned());
            }
        })
    }

    /// Prepares what `go` asked for: messages to say at once, and the work for the search thread.
    pub fn go(&self, request: &Request, context: Context) -> (Vec<String>, Job) {
        let mut messages = request.complaints.clone();
        let mut game = self.game.clone();
        if let Some(dice) = &request.dice {
            match Roll::parse(dice) {
                None => messages.push(format!("go dice: cannot read {}", printable(dice))),
                Some(roll) if game.position().awaits_roll() => game.set_roll(roll),
                Some(_) => messages.push("go dice: no roll is awaited here".to_owned()),
            }
        }
        if let (Some(roll), true) = (self.seeded_roll(), game.position().awaits_roll()) {
            game.set_roll(roll);
        }
        if let Some(depth) = request.perft {
            let job: Job =
                Box::new(move |control| run_perft(game.position(), depth, &context, control));
            return (messages, job);
        }
        let limits = limits(&game, request, &mut messages);
        let job: Job = Box::new(move |control| run_search(&game, &limits, &context, control));
        (messages, job)
    }
}

/// The limits of a search of this game.
fn limits<G: Engine>(game: &Game<G>, request: &Request, messages: &mut Vec<String>) -> Limits<G> {
    let position = game.position();
    let mut limits = Limits {
        depth: request.depth,
        nodes: request.nodes,
        mate: request.mate,
        movetime: request.movetime,
        clock: request
            .clock(position.side_to_move())
            .map(|(left, increment)| Clock {
                left,
                increment,
                turns_to_go: request.moves_to_go,
            }),
        infinite: request.infinite,
        ponder: request.ponder,
        searchmoves: Vec::new(),
    };
    if !position.awaits_roll() {
        for token in &request.searchmoves {
            match split_roll(token).and_then(|(_, rest)| parse_turn(position, rest)) {
                Ok(turn) => limits.searchmoves.push(turn),
                Err(error) => messages.push(format!("searchmoves: {error}")),
            }
        }
    }
    limits
}

fn run_search<G: Engine>(game: &Game<G>, limits: &Limits<G>, context: &Context, control: &Control) {
    let root = *game.position();
    let searched = catch_unwind(AssertUnwindSafe(|| {
        G::search(
            game,
            limits,
            &context.settings,
            &context.table,
            control,
            &mut |report| say_report(&root, &report, context),
        )
    }));
    let (best, ponder) = match searched {
        Ok(Answer { best, ponder, .. }) => (best, ponder),
        Err(panic) => {
            context.message(&format!(
                "Error: the search broke down ({}); this turn is only a legal one",
                panic_text(&*panic)
            ));
            while (limits.infinite || (limits.ponder && !control.is_ponder_hit()))
                && !control.is_stopped()
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            (any_turn(&root, &limits.searchmoves), None)
        }
    };
    say_best(&root, best, ponder, context);
}

fn say_report<G: Engine>(root: &G, report: &Report<G>, context: &Context) {
    let line = match report {
        Report::Pv(info) => Some(
            context
                .dialect
                .pv(&PvLine::new(root, info, context.show_wdl)),
        ),
        Report::Current {
            depth,
            turn,
            number,
        } => context
            .dialect
            .current(*depth, &turn_token(root, turn), *number),
        Report::Message(text) => Some(context.dialect.message(text)),
    };
    if let Some(line) = line {
        context.output.say(&line);
    }
}

fn say_best<G: Engine>(
    root: &G,
    best: Option<Turn<G::Step>>,
    ponder: Option<Turn<G::Step>>,
    context: &Context,
) {
    let best = best.map_or(
        Best {
            turn: None,
            ponder: None,
        },
        |mut turn| {
            let mut ponder = ponder.map(|reply| {
                let mut after = *root;
                turn.iter().for_each(|&step| after.play(step));
                turn_token(&after, &reply)
            });
            if context.single_moves && turn.len() > 1 {
                turn.truncate(1);
                ponder = None;
            }
            Best {
                turn: Some(turn_token(root, &turn)),
                ponder,
            }
        },
    );
    context.output.say(&context.dialect.best(&best));
}

/// A legal turn, one of `among` where that is not empty: the answer of last resort.
fn any_turn<G: Engine>(root: &G, among: &[Turn<G::Step>]) -> Option<Turn<G::Step>> {
    let mut turn = among.first().cloned().unwrap_or_default();
    let mut position = *root;
    turn.iter().for_each(|&step| position.play(step));
    while turn.is_empty() || position.is_mid_turn() {
        let step = *legal_steps(&position).first()?;
        position.play(step);
        turn.push(step);
    }
    Some(turn)
}

/// Counts turns by the first turn. Says `Nodes searched` last; nothing more after `stop`.
fn run_perft<G: Engine>(position: &G, depth: u32, context: &Context, control: &Control) {
    let start = Instant::now();
    let mut total: u64 = 0;
    let mut complete = true;
    let mut say = |name: &str, count: Option<u64>| match count {
        Some(count) => {
            total = total.saturating_add(count);
            context.output.say(&format!("{name}: {count}"));
        }
        None => complete = false,
    };
    if depth == 0 {
        total = 1;
    } else if position.awaits_roll() {
        for &(roll, _) in G::rolls() {
            let mut rolled = *position;
            rolled.set_roll(roll);
            say(&roll.to_string(), perft_until(&rolled, depth, control));
        }
    } else {
        for_each_turn(position, &mut |turn, after| {
            say(
                &turn_token(position, turn),
                perft_until(after, depth - 1, control),
            );
        });
    }
    if !complete {
        context.output.info("perft stopped");
        return;
    }
    let time = start.elapsed();
    context.output.info(&format!(
        "{} ms, {} turns per second",
        time.as_millis(),
        per_second(total, time)
    ));
    context.output.say(&format!("\nNodes searched: {total}"));
}

/// [`perft`] that gives up (`None`) on `stop`.
fn perft_until<G: Engine>(position: &G, depth: u32, control: &Control) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= 1 || (depth == 2 && G::MAX_STEPS == 1) {
        return Some(perft(position, depth));
    }
    let mut total: u64 = 0;
    if position.awaits_roll() {
        for &(roll, _) in G::rolls() {
            let mut rolled = *position;
            rolled.set_roll(roll);
            total = total.saturating_add(perft_until(&rolled, depth, control)?);
        }
        return Some(total);
    }
    for step in legal_steps(position) {
        let mut next = *position;
        next.play(step);
        let left = if next.is_mid_turn() { depth } else { depth - 1 };
        total = total.saturating_add(perft_until(&next, left, control)?);
    }
    Some(total)
}

/// A fair roll from the system's randomness.
fn random_roll() -> Roll {
    let number = RandomState::new().build_hasher().finish() % 216;
    let face = |divisor: u64| (number / divisor % 6) as u8 + 1;
    Roll::new([face(1), face(6), face(36)]).expect("faces are 1 to 6")
}
