use super::clock::Clock;
use super::doubling::Doubling;
use super::kept::{Kept, turns};
use super::legend;
use super::side::Side;
use crate::terminal::{Lines, PrintError, Printer, View, draw, size, warn, wrap};
use crate::wire::options::Options;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, Game, Outcome, Turn, for_each_turn, turn_san, turn_token};
use fauve_engine::search::{Answer, Control, Engine, Limits, Report, Table, level_limits};
use fauve_referee::assess::expected_points;
use fauve_referee::record::GameResult;
use std::time::{Duration, Instant};

/// The columns of a text, on a terminal that has as many.
const WIDTH: usize = 80;
/// Without a level and a clock nobody thinks longer.
const LONGEST_THOUGHT: Duration = Duration::from_secs(20);

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
    pub(super) seed: DiceSeed,
    /// Who has won by something else than the game, and how.
    pub(super) ended: Option<(Color, &'static str)>,
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

impl<G: Engine> Play<'_, G> {
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
        let words = legend::first_words(self.variant);
        writeln!(self.out, "{}", wrap(words, WIDTH.min(size().1)))
    }

    /// What a player is called.
    pub(super) fn player(&self, color: Color) -> String {
        if self.side.has(color) {
            return "you".to_owned();
        }
        match (self.level, self.options.settings().elo) {
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
        let notes = wrap(&position.board_notes(), WIDTH.min(size().1));
        // In the middle of a turn a king may stand in any danger.
        let is_check = position.in_check() && !position.is_mid_turn();
        let check = if is_check { "check" } else { "" };
        writeln!(self.out, "\n{board}")?;
        for line in [notes.as_str(), check]
            .into_iter()
            .filter(|line| !line.is_empty())
        {
            writeln!(self.out, "{line}")?;
        }
        writeln!(self.out)
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
        if let Some((winner, how)) = self.ended {
            let text = format!("{} wins: {} {how}", winner.name(), (!winner).name());
            return Some((GameResult::win(winner).text(), text));
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
        steps.iter().for_each(|&step| self.game.play(step));
        if let Some(clock) = &mut self.clock {
            if !clock.spend(mover, time) {
                self.ended = Some((!mover, "has run out of time"));
            } else if !self.game.position().is_mid_turn() {
                clock.press(mover);
            }
        }
        self.change();
    }

    /// Searches as long as the clock or a level allows; gives the answer with its expected points.
    pub(super) fn think(&self, level: Option<u32>) -> (Answer<G>, f64) {
        let mover = self.game.position().side_to_move();
        let mut limits = level.map_or_else(
            || Limits {
                movetime: Some(LONGEST_THOUGHT),
                ..Limits::default()
            },
            level_limits,
        );
        if let Some(clock) = &self.clock {
            limits.movetime = None;
            limits.clock = Some(clock.of(mover));
        }
        let mut points = 0.5;
        let answer = G::think(
            &self.game,
            &limits,
            &self.options.settings(),
            self.table,
            &Control::default(),
            &mut |report| {
                if let Report::Pv(info) = report {
                    points = expected_points(&info);
                }
            },
        );
        (answer, points)
    }

    /// Plays the engine's turn.
    pub(super) fn answer(&mut self) -> Result<(), PrintError> {
        let begin = Instant::now();
        let (answer, _) = self.think(self.level);
        let position = *self.game.position();
        let Some(turn) = answer.best else {
            return Ok(());
        };
        let (token, san) = (turn_token(&position, &turn), turn_san(&position, &turn));
        let same = if token == san {
            String::new()
        } else {
            format!("  ({token})")
        };
        writeln!(
            self.out,
            "{} plays {san}{same}",
            position.side_to_move().name()
        )?;
        self.make(&turn, begin.elapsed());
        Ok(())
    }
}
