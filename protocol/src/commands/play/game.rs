use super::clock::Clock;
use super::doubling::Doubling;
use super::kept::{Kept, turns};
use super::legend;
use super::reason::is_prologue;
use super::side::Side;
use crate::terminal::{Lines, PrintError, Printer, View, draw, size, warn, wrap};
use crate::wire::options::Options;
use fauve_board::Explain;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::ladders::Ladder;
use fauve_engine::rules::{
    DiceSeed, Game, Notation, Outcome, Turn, for_each_turn, turn_san, turn_token,
};
use fauve_engine::search::{Answer, Control, Engine, Limits, Report, Table};
use fauve_referee::assess::expected_points;
use fauve_referee::record::GameResult;
use std::time::{Duration, Instant};

/// The columns of a text, on a terminal that has as many.
const WIDTH: usize = 80;
/// Without a clock nobody thinks longer.
const LONGEST_THOUGHT: Duration = Duration::from_secs(20);
/// Who waits longer than this is told that there is a search.
const PATIENCE: Duration = Duration::from_secs(1);

/// What else than its rules can end a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// A side has given up.
    Resigned(Color),
    /// A side has let its time run out.
    OutOfTime(Color),
    /// A side has not taken the double.
    Passed(Color),
    /// Both have agreed on a draw.
    Agreed,
}

/// What a hint is sought with.
const HINT_NODES: u64 = 100_000;

/// A game at the terminal.
pub(super) struct Play<'a, G: Engine> {
    pub(super) game: Game<G>,
    pub(super) start: G,
    pub(super) variant: Variant,
    /// The rule switches as they were given.
    pub(super) switches: Vec<(String, String)>,
    pub(super) side: Side,
    /// The engine's level; `None` where its Elo or its clock says how it plays.
    pub(super) level: Option<u32>,
    pub(super) options: Options,
    pub(super) clock: Option<Clock>,
    /// The clocks before the steps so far, each with the number of events before it.
    pub(super) past_clocks: Vec<(usize, Clock)>,
    pub(super) seed: DiceSeed,
    /// What has ended the game, if it was not the game itself.
    pub(super) ended: Option<Ended>,
    /// The doubling cube, if there is one.
    pub(super) doubling: Option<Doubling>,
    /// Whether the board was shown since it has changed.
    pub(super) is_shown: bool,
    /// Whether the result was said since the board has changed.
    pub(super) is_told: bool,
    pub(super) out: Printer,
    pub(super) lines: Lines,
    pub(super) kept: Kept,
    pub(super) table: &'a Table,
}

impl<G: Engine + Explain> Play<'_, G> {
    /// Says who plays what, and how to begin.
    pub(super) fn greet(&mut self) -> Result<(), PrintError> {
        let who = match self.side {
            Side::Both => "two people".to_owned(),
            Side::White => format!("you (White) against {}", self.player(Color::Black)),
            Side::Black => format!("{} against you (Black)", self.player(Color::White)),
        };
        writeln!(self.out, "{}: {who}", self.variant)?;
        if G::HAS_CHANCE {
            writeln!(self.out, "dice seed {}", self.seed)?;
        }
        let words = legend::first_words(self.variant, is_prologue(self.game.position()));
        writeln!(self.out, "{}", wrap(words, WIDTH.min(size().1)))
    }

    /// What a player is called.
    pub(super) fn player(&self, color: Color) -> String {
        if self.side.has(color) {
            return "you".to_owned();
        }
        match (self.level, self.options.limited_elo()) {
            (Some(level), _) => format!("Fauve level {level}"),
            (None, Some(elo)) => format!("Fauve Elo {elo}"),
            (None, None) => "Fauve".to_owned(),
        }
    }

    /// Shows the board as the person sees it, the last turn marked.
    pub(super) fn show(&mut self) -> Result<(), PrintError> {
        let position = self.game.position();
        let below = match self.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Both => position.side_to_move(),
        };
        let last = turns(&self.game)
            .last()
            .map_or_else(String::new, |last| turn_token(&last.before, &last.turn));
        let board = draw(position, &View::of(below, &last));
        self.is_shown = true;
        writeln!(self.out, "\n{board}")?;
        // At the end the result says it all.
        if self.end().is_none() {
            for text in [position.board_notes(), self.check()] {
                if !text.is_empty() {
                    writeln!(self.out, "{}", wrap(&text, WIDTH.min(size().1)))?;
                }
            }
        }
        writeln!(self.out)
    }

    /// That there is check, and how; nothing in the middle of a turn, when a king may stand in any danger.
    fn check(&self) -> String {
        let position = self.game.position();
        if !position.in_check() || position.is_mid_turn() {
            return String::new();
        }
        match position.why_check() {
            Some(why) => format!("check: {why}"),
            None => "check".to_owned(),
        }
    }

    /// The board has changed: the game is kept, and will be shown before somebody is asked.
    pub(super) fn change(&mut self) {
        (self.is_shown, self.is_told) = (false, false);
        if let Err(error) = self.kept.take(self.pgn()) {
            warn(format_args!("the game is not saved: {error}"));
        }
    }

    /// The result and how it came about, once the game is over.
    pub(super) fn end(&self) -> Option<(&'static str, String)> {
        let (result, how) = self.result()?;
        let points = match self.doubling.as_ref().map(Doubling::stakes) {
            None => String::new(),
            Some(1) => ", for 1 point".to_owned(),
            Some(stakes) => format!(", for {stakes} points"),
        };
        Some((result, how + &points))
    }

    fn result(&self) -> Option<(&'static str, String)> {
        if let Some(ended) = self.ended {
            let (loser, how) = match ended {
                Ended::Resigned(loser) => (loser, "resigns"),
                Ended::OutOfTime(loser) => (loser, "has run out of time"),
                Ended::Passed(loser) => (loser, "passes the double"),
                Ended::Agreed => {
                    return Some((GameResult::Draw.text(), "draw by agreement".to_owned()));
                }
            };
            let text = format!("{} wins: {} {how}", (!loser).name(), loser.name());
            return Some((GameResult::win(!loser).text(), text));
        }
        let outcome = self.game.outcome()?;
        let result = match outcome {
            Outcome::Win(winner, _) => GameResult::win(winner),
            Outcome::Draw(_) => GameResult::Draw,
        };
        Some((result.text(), outcome.to_string()))
    }

    /// Rolls the dice of the turn that is next.
    pub(super) fn roll(&mut self) -> Result<(), PrintError> {
        let roll = self.seed.roll(self.game.position().turn_index());
        let side = self.game.position().side_to_move();
        self.game.set_roll(roll);
        writeln!(self.out, "{} rolls {roll}", side.name())
    }

    /// The pass, where it is all that the dice allow: nobody is asked then.
    pub(super) fn only_pass(&self) -> Option<G::Step> {
        if !G::HAS_CHANCE || self.game.position().is_mid_turn() {
            return None;
        }
        let mut first = None;
        let mut turns = 0;
        for_each_turn(self.game.position(), &mut |turn, _| {
            turns += 1;
            first = turn.first().copied();
        });
        let pass = first.filter(|_| turns == 1)?;
        G::is_pass(pass).then_some(pass)
    }

    /// Plays steps of the side to move, which has thought so long; what a turn adds to its clock is added.
    pub(super) fn make(&mut self, steps: &Turn<G::Step>, time: Duration) {
        let mover = self.game.position().side_to_move();
        let before = self.game.past().len();
        steps.iter().for_each(|&step| self.game.play(step));
        if let Some(clock) = &mut self.clock {
            self.past_clocks.push((before, *clock));
            if !clock.spend(mover, time) {
                self.ended = Some(Ended::OutOfTime(mover));
            } else if !self.game.position().is_mid_turn() {
                clock.press(mover);
            }
        }
        self.change();
    }

    /// What a person should do, as a short search at full strength sees it, with its expected points.
    pub(super) fn advise(&self) -> (Answer<G>, f64) {
        let limits = Limits {
            nodes: Some(HINT_NODES),
            movetime: Some(LONGEST_THOUGHT),
            ..Limits::default()
        };
        let mut options = self.options.clone();
        options.limit_strength(None);
        let mut points = 0.5;
        let answer = self.search(&limits, &options, &mut |report| {
            if let Report::Pv(info) = report {
                points = expected_points(&info);
            }
        });
        (answer, points)
    }

    /// Thinks about the engine's turn, as its level and the clock have it.
    fn think(&self) -> Answer<G> {
        let mover = self.game.position().side_to_move();
        let limits = match &self.clock {
            Some(clock) => Limits {
                clock: Some(clock.of(mover)),
                ..Limits::default()
            },
            None => Limits {
                movetime: Some(LONGEST_THOUGHT),
                ..Limits::default()
            },
        };
        let mut options = self.options.clone();
        if let Some(level) = self.level {
            options.limit_strength(Ladder::of(self.variant).elo_of_level(level));
        }
        let begin = Instant::now();
        let mut is_said = false;
        let answer = self.search(&limits, &options, &mut |report| {
            if let Report::Pv(info) = report
                && self.lines.is_terminal()
                && begin.elapsed() > PATIENCE
            {
                is_said = say(format_args!(
                    "{} thinks, depth {}",
                    mover.name(),
                    info.depth
                ));
            }
        });
        if is_said {
            say(format_args!(""));
        }
        answer
    }

    fn search(
        &self,
        limits: &Limits<G>,
        options: &Options,
        report: &mut dyn FnMut(Report<G>),
    ) -> Answer<G> {
        let (settings, control) = (options.settings(), Control::default());
        G::think(&self.game, limits, &settings, self.table, &control, report)
    }

    /// Plays the engine's turn.
    pub(super) fn answer(&mut self) -> Result<(), PrintError> {
        let begin = Instant::now();
        let answer = self.think();
        let position = *self.game.position();
        let Some(turn) = answer.best else {
            return Ok(());
        };
        writeln!(
            self.out,
            "{} plays {}",
            position.side_to_move().name(),
            named(&position, &turn)
        )?;
        self.make(&turn, begin.elapsed());
        Ok(())
    }
}

/// A turn as people write it, and its token behind it where that is another word.
pub(super) fn named<G: Notation>(position: &G, turn: &Turn<G::Step>) -> String {
    let (token, san) = (turn_token(position, turn), turn_san(position, turn));
    if token == san {
        san
    } else {
        format!("{san}  ({token})")
    }
}

/// Says something on a line that the next thing to be said takes again; tells whether it could.
fn say(text: std::fmt::Arguments<'_>) -> bool {
    let mut out = Printer::default();
    write!(out, "\r{text}\x1b[K").is_ok() && out.flush().is_ok()
}
