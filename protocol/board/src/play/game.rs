//! A game of a static type.

use super::{AnyGame, Line, PlayError, Statics, Think, TurnDone, Worth};
use crate::view::{Arrow, Show, Step, View, read_step, step_view, view};
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::ladders::Ladder;
use fauve_engine::rules::{
    DiceSeed, Event, Game, Outcome, StepError, split_roll, turn_san, turn_token,
};
use fauve_engine::search::{Control, Engine, Info, Limits, Report, Settings, Table};
use fauve_referee::assess::{expected_points, from_white, score_text, white_points};
use fauve_referee::record::replay;
use std::time::Duration;

/// Without a clock the engine thinks no longer at full strength.
const LONGEST_THOUGHT: Duration = Duration::from_secs(10);

/// A game of the static type `G`.
#[derive(Clone)]
pub(super) struct Play<G: Show> {
    variant: Variant,
    start: G,
    game: Game<G>,
    seed: Option<DiceSeed>,
    /// The seed of the engine's errors below full strength.
    errors: u64,
    turns: Vec<TurnDone>,
    begun: Vec<Step>,
}

impl<G: Show> Play<G> {
    pub(super) fn begin(
        variant: Variant,
        fen: Option<&str>,
        seed: DiceSeed,
    ) -> Result<(Self, Vec<String>), PlayError> {
        let options = G::Options::default();
        let (start, warnings, own_seed) = match fen.map(str::trim) {
            None | Some("" | "startpos") => (G::start(&options), Vec::new(), None),
            Some(text) => {
                if let Some(start) = G::named_start(text, &options) {
                    (start, Vec::new(), None)
                } else {
                    let parsed = G::from_fen(text, &options)?;
                    (parsed.position, parsed.warnings, parsed.seed)
                }
            }
        };
        let mut play = Self {
            variant,
            start,
            game: Game::new(start, options),
            seed: G::HAS_CHANCE.then(|| own_seed.unwrap_or(seed)),
            errors: seed.0,
            turns: Vec::new(),
            begun: Vec::new(),
        };
        play.settle();
        Ok((play, warnings))
    }

    /// Rolls the dice where they are awaited and the game goes on.
    fn settle(&mut self) {
        if let Some(seed) = self.seed
            && self.game.position().awaits_roll()
            && self.game.outcome().is_none()
        {
            let roll = seed.roll(self.game.position().turn_index());
            self.game.set_roll(roll);
        }
    }

    /// The roll of the turn that is being made or was made last.
    fn roll(&self) -> Option<String> {
        let whole = self.begun_before().whole_roll();
        whole
            .or_else(|| self.game.last_roll())
            .map(|roll| roll.to_string())
    }

    /// The position in which the turn began, with its dice.
    fn begun_before(&self) -> G {
        let past = self.game.past();
        match past.len().checked_sub(self.begun.len()) {
            Some(at) if at < past.len() => past[at].0,
            _ => *self.game.position(),
        }
    }

    fn play(&mut self, step: G::Step) -> bool {
        let shown = step_view(self.game.position(), step);
        let before = self.begun_before();
        let roll = self.roll();
        self.begun.push(shown);
        self.game.play(step);
        let position = self.game.position();
        if position.is_mid_turn() && self.game.outcome().is_none() {
            return false;
        }
        let steps = std::mem::take(&mut self.begun);
        let join = |text: fn(&Step) -> &str| steps.iter().map(text).collect::<Vec<_>>().join(",");
        self.turns.push(TurnDone {
            number: before.turn_index() / 2 + 1,
            side: before.side_to_move().letter(),
            roll,
            token: join(|step| &step.token),
            san: join(|step| &step.san),
            steps,
        });
        self.settle();
        true
    }

    /// The position after so many turns, with its dice.
    fn position_after(&self, turns: usize) -> G {
        let first = |turn: &TurnDone| turn.steps.len();
        let steps: usize = self.turns.iter().take(turns).map(first).sum();
        self.game
            .past()
            .iter()
            .filter(|(_, event)| matches!(event, Event::Step(_)))
            .nth(steps)
            .map_or(*self.game.position(), |(before, _)| *before)
    }

    fn limits(&self, think: Think) -> (Limits<G>, Settings) {
        match think {
            Think::Level(level, clock) => {
                let ladder = Ladder::of(self.variant);
                let elo = ladder.elo_of_level(level);
                (
                    Limits {
                        clock,
                        movetime: clock.is_none().then_some(LONGEST_THOUGHT),
                        ..Limits::default()
                    },
                    Settings {
                        handicap: elo.map(|elo| ladder.handicap(elo, self.errors)),
                        ..Settings::default()
                    },
                )
            }
            Think::Nodes(nodes) => (
                Limits {
                    nodes: Some(nodes),
                    movetime: Some(LONGEST_THOUGHT),
                    ..Limits::default()
                },
                Settings::default(),
            ),
            Think::Endless { lines, threads } => (
                Limits {
                    infinite: true,
                    ..Limits::default()
                },
                Settings {
                    threads,
                    multi_pv: lines,
                    move_overhead: Duration::ZERO,
                    ..Settings::default()
                },
            ),
        }
    }
}

fn line<G: Show>(root: &G, info: &Info<G>) -> Line {
    let mover = root.side_to_move();
    let mut position = *root;
    let mut turns = Vec::with_capacity(info.pv.len());
    for turn in &info.pv {
        let before = position;
        let mut steps = Vec::with_capacity(turn.len());
        for &step in turn {
            steps.push(step_view(&position, step));
            position.play(step);
        }
        turns.push(TurnDone {
            number: before.turn_index() / 2 + 1,
            side: before.side_to_move().letter(),
            roll: None,
            token: turn_token(&before, turn),
            san: turn_san(&before, turn),
            steps,
        });
    }
    Line {
        depth: info.depth,
        seldepth: info.seldepth,
        number: info.multipv,
        score: score_text(from_white(info.score, mover)),
        white: white_points(expected_points(info), mover),
        nodes: info.nodes,
        ms: info.time.as_millis() as u64,
        turns,
    }
}

impl<G: Show> AnyGame for Play<G> {
    fn variant(&self) -> Variant {
        self.variant
    }

    fn start_fen(&self) -> String {
        self.start.fen()
    }

    fn seed(&self) -> Option<DiceSeed> {
        self.seed
    }

    fn turns(&self) -> &[TurnDone] {
        &self.turns
    }

    fn begun(&self) -> &[Step] {
        &self.begun
    }

    fn view(&self) -> View {
        let mut view = view(self.game.position(), self.game.outcome().is_none());
        // A position in the middle of a turn knows the dice that are left; which were used is known here.
        if let Some(dice) = &mut view.extras.dice
            && dice.rolled.is_empty()
            && !self.begun.is_empty()
        {
            dice.rolled = self.roll().unwrap_or_default();
        }
        view
    }

    fn view_after(&self, turns: usize) -> View {
        if turns >= self.turns.len() && self.begun.is_empty() {
            return self.view();
        }
        view(&self.position_after(turns), false)
    }

    fn line_views(&self, turns: usize, line: &[String]) -> Result<Vec<View>, PlayError> {
        let mut position = if turns >= self.turns.len() {
            *self.game.position()
        } else {
            self.position_after(turns)
        };
        let mut views = Vec::with_capacity(line.len());
        for (number, token) in (1..).zip(line) {
            let turn = replay::read(&position, token).ok_or_else(|| PlayError::Turn {
                number,
                turn: token.clone(),
            })?;
            for step in turn {
                position.play(step);
            }
            views.push(view(&position, false));
        }
        Ok(views)
    }

    fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn step(&mut self, token: &str) -> Result<bool, PlayError> {
        if self.game.outcome().is_some() {
            return Err(StepError::Illegal(token.to_owned()).into());
        }
        let step = read_step(self.game.position(), token)?;
        Ok(self.play(step))
    }

    fn turn(&mut self, roll: Option<&str>, text: &str) -> Result<(), PlayError> {
        let fail = || PlayError::Turn {
            number: self.turns.len() + 1,
            turn: text.to_owned(),
        };
        if self.game.outcome().is_some() {
            return Err(fail());
        }
        let (own_roll, text) = split_roll(text)?;
        let roll = match roll {
            Some(roll) => Some(fauve_engine::rules::Roll::parse(roll).ok_or_else(fail)?),
            None => own_roll,
        };
        if let Some(roll) = roll {
            // The file's roll takes the place of the seed's.
            if matches!(self.game.past().last(), Some((_, Event::Roll(_)))) {
                self.game.undo();
            }
            if self.game.position().awaits_roll() {
                self.game.set_roll(roll);
            }
        }
        let turn = replay::read(self.game.position(), text);
        let length = self.turns.len();
        for step in turn.ok_or_else(fail)? {
            self.play(step);
        }
        if self.turns.len() == length {
            while self.undo_step() {}
            return Err(StepError::Incomplete(text.to_owned()).into());
        }
        Ok(())
    }

    fn undo_step(&mut self) -> bool {
        if self.begun.pop().is_none() {
            return false;
        }
        self.game.undo();
        true
    }

    fn undo_turn(&mut self) -> bool {
        while self.undo_step() {}
        let Some(turn) = self.turns.pop() else {
            return false;
        };
        if matches!(self.game.past().last(), Some((_, Event::Roll(_)))) {
            self.game.undo();
        }
        for _ in &turn.steps {
            self.game.undo();
        }
        true
    }

    fn search(
        &self,
        think: Think,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Line),
    ) -> (Vec<String>, f64) {
        let root = *self.game.position();
        let (limits, settings) = self.limits(think);
        let mut white = 0.5;
        let answer = G::think(
            &self.game,
            &limits,
            &settings,
            table,
            control,
            &mut |said| {
                if let Report::Pv(info) = said {
                    white = white_points(expected_points(&info), root.side_to_move());
                    report(line(&root, &info));
                }
            },
        );
        let mut position = root;
        let mut steps = Vec::new();
        for step in answer.best.into_iter().flatten() {
            steps.push(position.step_token(step));
            position.play(step);
        }
        (steps, white)
    }

    fn why(&self, from: &str, to: &str) -> String {
        crate::why::explain(self.game.position(), from, to)
    }

    fn dangers(&self) -> Option<(Vec<String>, Vec<Vec<Arrow>>)> {
        self.game.position().dangers()
    }

    fn statics(&self) -> Statics {
        statics(self.game.position(), self.game.options())
    }

    fn pgn(&self, tags: &[(&str, String)], result: &str) -> String {
        let words = self.turns.iter().map(|turn| {
            // The notation of Cubes 4D has parentheses, which mean variations in PGN.
            let text = if turn.san.contains(['(', ' ', '{']) {
                &turn.token
            } else {
                &turn.san
            };
            (
                turn.number,
                turn.side == 'w',
                text.as_str(),
                turn.roll.as_deref(),
            )
        });
        crate::pgn::text(tags, words, result)
    }

    fn review(
        &self,
        nodes: u64,
        control: &Control,
        report: &mut dyn FnMut(crate::review::Assessed),
    ) {
        crate::review::review(&self.game, nodes, control, report);
    }

    fn copy(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
}

/// The static value from White's point of view.
fn white_value<G: Engine>(position: &G) -> i32 {
    let own = position.evaluate();
    match position.side_to_move() {
        Color::White => own,
        Color::Black => -own,
    }
}

/// The static evaluation, and for each man what the position would be worth less without it. Men without whom there would
/// be no legal position (the kings) are left out.
fn statics<G: Show>(position: &G, options: &G::Options) -> Statics {
    let cp = white_value(position);
    let men = position.men().into_iter().filter_map(|man| {
        let without = crate::fen::without(&position.fen(), &man.square)?;
        let other = without
            .iter()
            .find_map(|fen| G::from_fen(fen, options).ok())?;
        Some(Worth {
            square: man.square,
            cp: cp - white_value(&other.position),
        })
    });
    Statics {
        cp,
        men: men.collect(),
    }
}
