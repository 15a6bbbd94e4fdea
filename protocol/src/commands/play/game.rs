use super::auto_save::AutoSave;
use super::legend;
use super::side::Side;
use crate::terminal::{Lines, PrintError, Printer, View, draw, plain_error, size, warn, wrap};
use crate::wire::options::Options;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, Notation, Turn, for_each_turn, turn_san, turn_token};
use fauve_engine::search::{Answer, Control, Engine, Limits, Report, Searcher, Table};
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::assess::{accepts_draw, expected_points};
use fauve_game::cube::Doubling;
use fauve_game::explain::{Explain, is_prologue};
use fauve_game::played::Played;
use std::time::{Duration, Instant};

/// Width of wrapped text in columns, on terminals that are at least as wide.
const WIDTH: usize = 80;
/// Longest search for a turn or a hint without a clock.
const LONGEST_THOUGHT: Duration = Duration::from_secs(20);
/// Search time after which the depth reached is shown.
const STATUS_DELAY: Duration = Duration::from_secs(1);

/// Nodes of the search for a hint.
const HINT_NODES: u64 = 100_000;

/// A game in the terminal.
pub(super) struct Play<'a, G: Engine> {
    pub(super) played: Played<G>,
    pub(super) variant: Variant,
    pub(super) side: Side,
    /// The engine's level; `None` if an Elo limit decides its strength, or at full strength.
    pub(super) level: Option<u32>,
    pub(super) options: Options,
    /// Seed of the dice, and of the engine's mistakes below full strength.
    pub(super) seed: DiceSeed,
    /// Whether the board was shown since it last changed.
    pub(super) is_shown: bool,
    /// Whether the result was printed since the board last changed.
    pub(super) is_result_shown: bool,
    pub(super) out: Printer,
    pub(super) lines: Lines,
    pub(super) kept: AutoSave,
    pub(super) table: &'a Table,
}

impl<G: Engine + Explain> Play<'_, G> {
    /// Prints the players, the dice seed and a first instruction.
    pub(super) fn greet(&mut self) -> Result<(), PrintError> {
        let players = match self.side {
            Side::Both => "two players".to_owned(),
            Side::White => format!("you (White) against {}", self.player(Color::Black)),
            Side::Black => format!("{} against you (Black)", self.player(Color::White)),
        };
        writeln!(self.out, "{}: {players}", self.variant)?;
        if G::HAS_CHANCE {
            writeln!(self.out, "dice seed {}", self.seed)?;
        }
        let text = legend::introduction(self.variant, is_prologue(self.played.position()));
        writeln!(self.out, "{}", wrap(text, WIDTH.min(size().1)))
    }

    /// The name of a player: "you", or the engine with its strength.
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

    /// Prints the board from the player's side, with the last turn marked.
    pub(super) fn show(&mut self) -> Result<(), PrintError> {
        let position = self.played.position();
        let below = match self.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Both => position.side_to_move(),
        };
        let last = match self.played.turns().last() {
            _ if self.played.has_begun_turn() => {
                turn_token(self.played.turn_start(), self.played.partial())
            }
            Some(node) => node.turn.token(),
            None => String::new(),
        };
        let board = draw(position, &View::of(below, &last));
        self.is_shown = true;
        writeln!(self.out, "\n{board}")?;
        // After the end, only the result matters.
        if self.played.end().is_none() {
            for text in [position.board_notes(), self.check()] {
                if !text.is_empty() {
                    writeln!(self.out, "{}", wrap(&text, WIDTH.min(size().1)))?;
                }
            }
        }
        writeln!(self.out)
    }

    /// Describes a check; empty without one, and in the middle of a turn, where a king may be attacked.
    fn check(&self) -> String {
        let position = self.played.position();
        if !position.in_check() || position.is_mid_turn() {
            return String::new();
        }
        match position.why_check() {
            Some(why) => format!("check: {why}"),
            None => "check".to_owned(),
        }
    }

    /// Saves the game after a change of the board, which is shown again before the next prompt.
    pub(super) fn change(&mut self) {
        (self.is_shown, self.is_result_shown) = (false, false);
        self.keep();
    }

    /// Saves the game.
    pub(super) fn keep(&mut self) {
        let text = self.pgn();
        if let Err(error) = self.kept.take(text) {
            warn(format_args!(
                "cannot save the game: {}",
                plain_error(&error)
            ));
        }
    }

    /// The result and its reason, once the game is over.
    pub(super) fn end(&self) -> Option<(&'static str, String)> {
        let end = self.played.end()?;
        let how = self.played.end_text()?;
        let points = match self.played.doubling.as_ref().map(Doubling::stakes) {
            None => String::new(),
            Some(1) => ", for 1 point".to_owned(),
            Some(stakes) => format!(", for {stakes} points"),
        };
        Some((end.result.text(), how + &points))
    }

    /// Rolls the dice for the next turn.
    pub(super) fn roll(&mut self) -> Result<(), PrintError> {
        let side = self.played.side();
        match self.played.roll() {
            Some(roll) => writeln!(self.out, "{} rolls {roll}", side.name()),
            None => Ok(()),
        }
    }

    /// The pass, if it is the only legal turn with these dice.
    pub(super) fn only_pass(&self) -> Option<G::Step> {
        if !G::HAS_CHANCE || self.played.position().is_mid_turn() {
            return None;
        }
        let mut first = None;
        let mut turns = 0;
        for_each_turn(self.played.position(), &mut |turn, _| {
            turns += 1;
            first = turn.first().copied();
        });
        let pass = first.filter(|_| turns == 1)?;
        G::is_pass(pass).then_some(pass)
    }

    /// Plays steps of the side to move and charges `time` to its clock.
    pub(super) fn make(&mut self, steps: &Turn<G::Step>, time: Duration) {
        let mover = self.played.side();
        self.played.play(steps);
        self.played.charge(mover, time);
        self.change();
    }

    /// Searches for the best turn at full strength; returns it with the expected points of the side to move, 0 to 1.
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

    /// Whether the engine, searching at full strength, accepts a draw.
    pub(super) fn accepts_draw(&self) -> bool {
        let engine = match self.side {
            Side::White => Color::Black,
            Side::Black | Side::Both => Color::White,
        };
        let mut options = self.options.clone();
        options.limit_strength(None);
        accepts_draw(
            self.played.game(),
            engine,
            &options.settings(),
            self.table,
            &Control::default(),
        )
    }

    /// Searches for the engine's turn, within its level and clock.
    fn search_turn(&self) -> Answer<G> {
        let mover = self.played.side();
        let limits = match &self.played.clock {
            Some(clock) => Limits {
                clock: Some(clock.for_search(mover)),
                ..Limits::default()
            },
            None => Limits {
                movetime: Some(LONGEST_THOUGHT),
                ..Limits::default()
            },
        };
        let mut options = self.options.clone();
        if let Some(level) = self.level {
            options.limit_strength(StrengthScale::of(self.variant).elo_of_level(level));
        }
        let begin = Instant::now();
        let mut is_status_shown = false;
        let answer = self.search(&limits, &options, &mut |report| {
            if let Report::Pv(info) = report
                && self.lines.is_terminal()
                && begin.elapsed() > STATUS_DELAY
            {
                is_status_shown = show_status(format_args!(
                    "{} is thinking, depth {}",
                    mover.name(),
                    info.depth
                ));
            }
        });
        if is_status_shown {
            show_status(format_args!(""));
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
        Searcher::new(self.table, &settings, &control).run(self.played.game(), limits, report)
    }

    /// Plays the engine's turn.
    pub(super) fn answer(&mut self) -> Result<(), PrintError> {
        let begin = Instant::now();
        let answer = self.search_turn();
        let position = *self.played.position();
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

/// A turn in SAN, followed by its token if that differs.
pub(super) fn named<G: Notation>(position: &G, turn: &Turn<G::Step>) -> String {
    let (token, san) = (turn_token(position, turn), turn_san(position, turn));
    if token == san {
        san
    } else {
        format!("{san}  ({token})")
    }
}

/// Prints a status line that the next output overwrites; returns whether it could be printed.
fn show_status(text: std::fmt::Arguments<'_>) -> bool {
    let mut out = Printer::default();
    write!(out, "\r{text}\x1b[K").is_ok() && out.flush().is_ok()
}
