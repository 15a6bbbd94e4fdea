//! A game of a static type.

use super::annotate::{annotate, beside, lead, variation_view};
use super::{
    Annotation, AnyGame, Beside, KeptGame, Line, PieceValue, Place, PlayError, StaticEval, Think,
    TurnDone,
};
use crate::games::NewGameError;
use crate::view::{Arrow, End, Piece, Pool, Show, Step, View, captured, step_view, view};
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, Roll, StepError, split_roll, turn_san, turn_token};
use fauve_engine::search::{Bound, Control, Info, Limits, Report, Searcher, Settings, Table};
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::assess::{
    accepts_draw, bound_from_white, bounded_text, expected_points, from_white, static_value,
    white_points,
};
use fauve_game::clock::Clock;
use fauve_game::comment::set_command;
use fauve_game::date::today;
use fauve_game::explain::{explain, refusal};
use fauve_game::pgn::{self, PgnGame};
use fauve_game::played::{Made, Played, Ply, TurnFault};
use fauve_game::replay::ReplayError;
use fauve_game::study::StudyError;
use fauve_game::tree::{Node, Path};
use fauve_game::{end as game_end, names, read, start, tolerant};
use std::time::Duration;

/// Without a clock the engine thinks no longer at full strength.
const LONGEST_THOUGHT: Duration = Duration::from_secs(10);

/// The tags that a PGN gets when it is written.
const WRITTEN_TAGS: [&str; 5] = ["Result", "SetUp", "FEN", "DiceSeed", "EndReason"];

/// The tags that [`AnyGame::pgn`] gives a game that was begun on a board, from what the game is then.
const OWN_TAGS: [&str; 7] = [
    "Event",
    "Site",
    "Round",
    "White",
    "Black",
    "Result",
    "TimeControl",
];

/// A game of the static type `G`.
#[derive(Clone)]
pub(super) struct Play<G: Show> {
    variant: Variant,
    played: Played<G>,
    /// Rolls the dice, and seeds the engine's errors below full strength.
    seed: DiceSeed,
    /// Whether the game came from a file.
    is_opened: bool,
    /// The complete turns, as the page shows them.
    turns: Vec<TurnDone>,
    partial_turn: Vec<Step>,
}

impl<G: Show> Play<G> {
    pub(super) fn begin(
        variant: Variant,
        fen: Option<&str>,
        rules: &[(String, String)],
        seed: DiceSeed,
    ) -> Result<(Self, Vec<String>), PlayError> {
        let switches = rules.iter();
        let switches = switches.map(|(name, value)| (name.as_str(), value.as_str()));
        let options: G::Options = names::rules(switches)?.options();
        let start = start::position(fen.unwrap_or_default(), &options)?;
        let mut played = Played::new(start.position, options);
        played.seed = G::HAS_CHANCE.then_some(start.seed.unwrap_or(seed));
        played.tags.set("Date", &today());
        for (name, value) in rules {
            names::set_rule_tag(&mut played.tags, name, value);
        }
        Ok((Self::of(variant, played, seed, false), start.warnings))
    }

    pub(super) fn open(
        variant: Variant,
        pgn: &PgnGame,
        seed: DiceSeed,
    ) -> Result<(Self, Vec<String>), PlayError> {
        let rules = names::rules_of_pgn(pgn)?;
        let read = tolerant::read(pgn, &rules.options())?;
        let mut play = Self::of(variant, read.played, seed, true);
        play.show_turns();
        let stopped = read
            .fault
            .map(|fault| format!("The game was read as far as it is legal: {fault}."));
        let language = read
            .language
            .map(|language| format!("The letters of its pieces are {}.", language.name));
        Ok((play, stopped.into_iter().chain(language).collect()))
    }

    /// It was begun on a board, and comes from the PGN that [`AnyGame::pgn`] has written of it.
    pub(super) fn make_own(&mut self) {
        self.is_opened = false;
        for name in OWN_TAGS {
            self.played.tags.remove(name);
        }
    }

    pub(super) fn restore(variant: Variant, kept: &KeptGame) -> Result<Self, NewGameError> {
        let games = pgn::parse(&kept.pgn);
        let game = games.first().ok_or(NewGameError::Kept)?;
        let (mut play, _) = Self::open(variant, game, kept.seed.parse()?)?;
        play.is_opened = kept.is_opened;
        if !kept.is_opened {
            // They follow from the game, and are not what somebody has written into a file.
            for name in WRITTEN_TAGS {
                play.played.tags.remove(name);
            }
            play.played.stated = None;
        }
        play.played.ended.clone_from(&kept.ended);
        Ok(play)
    }

    fn of(variant: Variant, played: Played<G>, seed: DiceSeed, is_opened: bool) -> Self {
        let mut play = Self {
            variant,
            played,
            seed,
            is_opened,
            turns: Vec::new(),
            partial_turn: Vec::new(),
        };
        play.settle();
        play
    }

    /// The tree has changed, and the game itself with it or not.
    fn tree_changed(&mut self, changes_game: bool) {
        if changes_game {
            self.partial_turn.clear();
            self.settle();
        }
        self.show_turns();
    }

    /// The game as it would be at a place, with its dice, and the steps that were made there.
    fn played_at(&self, place: &Place) -> Result<Played<G>, PlayError> {
        let mut at = self.played.at(&place.path).ok_or(StudyError::NoPlace)?;
        if let Some(text) = &place.roll {
            give_roll(&mut at, text)?;
        }
        Ok(at)
    }

    /// Rolls the dice where they are awaited and the game goes on.
    fn settle(&mut self) {
        if let Some(roll) = self.due_roll()
            && self.played.end().is_none()
        {
            self.played.set_roll(roll);
        }
    }

    /// The roll of the turn that is next, where it is awaited.
    fn due_roll(&self) -> Option<Roll> {
        let seed = self.played.seed.unwrap_or(self.seed);
        self.played.roll_of(seed)
    }

    fn play(&mut self, step: G::Step) -> bool {
        self.partial_turn
            .push(step_view(self.played.position(), step));
        if !self.played.step(step) {
            return false;
        }
        self.partial_turn.clear();
        self.turns.extend(self.played.turns().last().map(turn_done));
        self.settle();
        true
    }

    /// What each side has captured so far, in that order.
    fn captured(&self) -> Pool {
        let mut all = Pool::default();
        let turns = self.played.turns().iter();
        let turns = turns.map(|node| (node.turn.before, node.turn.steps()));
        let now = (*self.played.turn_start(), self.played.partial());
        for (mut position, steps) in turns.chain([now]) {
            for &step in steps {
                let captured = captured(&position, step);
                match position.side_to_move() {
                    Color::White => all.white.extend(captured),
                    Color::Black => all.black.extend(captured),
                }
                position.play(step);
            }
        }
        all
    }

    fn limits(&self, think: Think) -> (Limits<G>, Settings) {
        match think {
            Think::Level(level, clock) => {
                let scale = StrengthScale::of(self.variant);
                let elo = scale.elo_of_level(level);
                (
                    Limits {
                        clock,
                        movetime: clock.is_none().then_some(LONGEST_THOUGHT),
                        ..Limits::default()
                    },
                    Settings {
                        strength_limit: elo.map(|elo| scale.strength_limit(elo, self.seed.0)),
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
                    threads: if cfg!(target_family = "wasm") {
                        1
                    } else {
                        threads
                    },
                    multi_pv: lines,
                    move_overhead: Duration::ZERO,
                    ..Settings::default()
                },
            ),
        }
    }
}

/// A turn of a position as the page shows it, and the position after it.
pub(crate) fn turn_view<G: Show>(
    before: &G,
    steps: &[G::Step],
    roll: Option<Roll>,
) -> (TurnDone, G) {
    let mut position = *before;
    let mut views = Vec::with_capacity(steps.len());
    for &step in steps {
        views.push(step_view(&position, step));
        position.play(step);
    }
    let done = TurnDone {
        number: before.game_ply() / 2 + 1,
        side: before.side_to_move().letter(),
        roll: roll.map(|roll| roll.to_string()),
        token: turn_token(before, steps),
        san: turn_san(before, steps),
        steps: views,
        beside: Beside::default(),
    };
    (done, position)
}

fn line<G: Show>(root: &G, info: &Info<G>) -> Line {
    let mover = root.side_to_move();
    let mut position = *root;
    let mut turns = Vec::with_capacity(info.pv.len());
    for turn in &info.pv {
        let (done, after) = turn_view(&position, turn, None);
        turns.push(done);
        position = after;
    }
    Line {
        depth: info.depth,
        seldepth: info.seldepth,
        number: info.multipv,
        score: bounded_text(
            from_white(info.score, mover),
            bound_from_white(info.bound, mover),
        ),
        white: white_points(expected_points(info), mover),
        nodes: info.nodes,
        ms: info.time.as_millis() as u64,
        turns,
        // What has failed low is not what is played.
        is_answer: info.multipv == 1 && info.bound != Bound::Upper,
    }
}

impl<G: Show> AnyGame for Play<G> {
    fn variant(&self) -> Variant {
        self.variant
    }

    fn is_opened(&self) -> bool {
        self.is_opened
    }

    fn start_fen(&self) -> String {
        self.played.start().fen()
    }

    fn seed(&self) -> Option<DiceSeed> {
        self.played.seed
    }

    #[cfg(feature = "server")]
    fn next_dice(&self) -> Option<DiceSeed> {
        (G::HAS_CHANCE && self.played.seed.is_none()).then_some(self.seed)
    }

    fn turns(&self) -> &[TurnDone] {
        &self.turns
    }

    fn partial_turn(&self) -> &[Step] {
        &self.partial_turn
    }

    fn view(&self) -> View {
        let mut view = view(self.played.position(), self.played.outcome().is_none());
        // A position in the middle of a turn knows the dice that are left; which were used is known here.
        if let Some(dice) = &mut view.extras.dice
            && dice.rolled.is_empty()
            && self.played.has_begun_turn()
        {
            dice.rolled = self
                .played
                .dice()
                .map_or_else(String::new, |roll| roll.to_string());
        }
        if view.extras.pool.is_some() {
            view.extras.captured = Some(self.captured());
        }
        view
    }

    fn at(&self, place: &Place) -> Result<Box<dyn AnyGame>, PlayError> {
        let played = self.played_at(place)?;
        let mut at = Self {
            variant: self.variant,
            // What is asked of a place is its position.
            turns: Vec::new(),
            played,
            seed: self.seed,
            is_opened: false,
            partial_turn: Vec::new(),
        };
        for token in &place.steps {
            if at.played.outcome().is_some() {
                return Err(StepError::Illegal(token.clone()).into());
            }
            let step = read::step(at.played.position(), token)?;
            at.partial_turn.push(step_view(at.played.position(), step));
            if at.played.step(step) {
                at.partial_turn.clear();
            }
        }
        Ok(Box::new(at))
    }

    fn lead(&self) -> Beside {
        lead(&self.played.line().lead)
    }

    fn vary(&mut self, place: &Place, line: &[String]) -> Result<Path, PlayError> {
        let mut at = self.played_at(place)?;
        let known = at.turns().len();
        for token in &place.steps {
            let step = read::step(at.position(), token)?;
            at.step(step);
        }
        if at.has_begun_turn() {
            let fault = TurnFault::Unfinished(place.steps.join(","));
            return Err(StudyError::Turn(fault).into());
        }
        for text in line {
            at.add(None, text).map_err(StudyError::Turn)?;
        }
        let mut path = place.path.clone();
        // All turns or none: a later one can be too many.
        let mut grown = self.played.clone();
        for node in at.turns().iter().skip(known) {
            path = grown.vary(&path, node.turn.clone())?;
        }
        self.played = grown;
        self.show_turns();
        Ok(path)
    }

    fn promote(&mut self, path: &Path) -> Result<Path, PlayError> {
        let place = self.played.promote(path)?;
        self.tree_changed(path.leaves_the_game());
        Ok(place)
    }

    fn delete(&mut self, path: &Path) -> Result<Path, PlayError> {
        let place = self.played.delete(path)?;
        self.tree_changed(path.is_main());
        Ok(place)
    }

    fn annotate(&mut self, path: &Path, what: &Annotation) -> Result<(), PlayError> {
        annotate(&mut self.played, path, what)?;
        self.show_turns();
        Ok(())
    }

    fn note_assessed(&mut self, assessed: &mut crate::review::Assessed) {
        if let Some(node) = self.played.turn_mut(assessed.turn) {
            if let Some(eval) = &assessed.eval {
                set_command(&mut node.comments, "eval", eval);
            }
            assessed.nag = assessed.nag.filter(|&nag| node.judge(nag));
        }
    }

    fn remove_marks(&mut self, assessed: &[crate::review::Assessed]) {
        for one in crate::review::report(assessed, &self.turns).turns {
            if let Some(node) = self.played.turn_mut(one.turn) {
                node.nags.retain(|nag| Some(*nag) != one.nag);
            }
        }
        self.show_turns();
    }

    fn show_turns(&mut self) {
        self.turns = self.played.turns().iter().map(turn_done).collect();
    }

    fn is_decided(&self) -> bool {
        self.played.outcome().is_some()
    }

    fn line_views(&self, line: &[String]) -> Result<Vec<View>, PlayError> {
        let mut position = *self.played.position();
        let mut views = Vec::with_capacity(line.len());
        for token in line {
            let turn = read::turn(&position, token)
                .ok_or_else(|| ReplayError::turn(&position, TurnFault::Illegal(token.clone())))?;
            for step in turn {
                position.play(step);
            }
            views.push(view(&position, false));
        }
        Ok(views)
    }

    fn side(&self) -> Color {
        self.played.side()
    }

    fn end(&self) -> Option<End> {
        End::of(&self.played)
    }

    fn set_ended(&mut self, ended: Option<game_end::End>) {
        self.played.ended = ended;
    }

    fn time_forfeit(&self, late: Color) -> game_end::End {
        game_end::End::time_forfeit(self.played.position(), late)
    }

    fn clock(&self) -> Option<&Clock> {
        self.played.clock.as_ref()
    }

    fn clock_mut(&mut self) -> &mut Option<Clock> {
        &mut self.played.clock
    }

    fn press_clock(&mut self, done: Color) {
        self.played.press_clock(done);
    }

    fn rules(&self) -> Vec<(String, String)> {
        names::rule_tags(&self.played.tags)
    }

    fn roll(&self) -> Option<String> {
        self.played.rolled().map(|roll| roll.to_string())
    }

    fn set_roll(&mut self, roll: &str) -> Result<(), PlayError> {
        give_roll(&mut self.played, roll)
    }

    fn step(&mut self, token: &str) -> Result<bool, PlayError> {
        if self.played.outcome().is_some() {
            return Err(StepError::Illegal(token.to_owned()).into());
        }
        let step = read::step(self.played.position(), token)?;
        Ok(self.play(step))
    }

    fn begin_turn(&mut self, steps: &[String]) -> Result<(), PlayError> {
        let stated = self.played.stated;
        for token in steps {
            self.step(token)?;
        }
        if self.played.has_begun_turn() {
            self.played.stated = stated;
        }
        Ok(())
    }

    fn turn(&mut self, text: &str) -> Result<(), PlayError> {
        let (roll, text) = split_roll(text)?;
        self.played.undo_roll();
        // The dice of the first position are part of it; pages name them with the turn all the same.
        let is_given = !self.played.position().awaits_roll() && roll == self.played.dice();
        let roll = roll.filter(|_| !is_given);
        if roll.is_some() && roll != self.played.due_roll() {
            // The rolls that a game was played with take the place of the seed's.
            self.played.forget_seed();
        }
        let roll = roll.or_else(|| self.due_roll());
        let roll = roll.map(|roll| roll.to_string());
        let added = self.played.add(roll.as_deref(), text);
        if added.is_ok() {
            self.turns.extend(self.played.turns().last().map(turn_done));
        }
        self.settle();
        Ok(added.map_err(|fault| ReplayError::turn(self.played.position(), fault))?)
    }

    fn undo_step(&mut self) -> bool {
        self.partial_turn.pop();
        self.played.undo_step()
    }

    fn undo_turn(&mut self) -> bool {
        self.partial_turn.clear();
        self.turns.pop();
        self.played.undo_turn()
    }

    fn search(
        &self,
        think: Think,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Line),
    ) -> (Vec<String>, f64) {
        let root = *self.played.position();
        let (limits, settings) = self.limits(think);
        let mut white = 0.5;
        let answer = Searcher::new(table, &settings, control).run(
            self.played.game(),
            &limits,
            &mut |said| {
                if let Report::Pv(info) = said {
                    white = white_points(expected_points(&info), root.side_to_move());
                    report(line(&root, &info));
                }
            },
        );
        let best = answer.best.unwrap_or_default();
        (tokens(&root, &best), white)
    }

    #[cfg(feature = "server")]
    fn ask(
        &self,
        program: &mut crate::opponent::Program,
        control: &Control,
    ) -> Result<Vec<String>, super::NoTurn> {
        let turn = program.turn(self.variant, &self.rules(), &self.played, control)?;
        Ok(tokens(self.played.position(), &turn))
    }

    fn explain(&self, from: &str, to: &str) -> String {
        explain(self.played.position(), from, to)
    }

    fn dangers(&self) -> Option<(Vec<String>, Vec<Vec<Arrow>>)> {
        self.played.position().dangers()
    }

    fn static_eval(&self) -> StaticEval {
        static_eval(self.played.position())
    }

    fn pgn(&self, names: [String; 2], more: &[(&str, Option<String>)]) -> String {
        let mut played = self.played.clone();
        if !self.is_opened {
            let [white, black] = &names;
            let own = std::mem::take(&mut played.tags);
            for (name, value) in [
                ("Event", "Game on the board"),
                ("Site", "?"),
                ("Date", own.get("Date").unwrap_or("????.??.??")),
                ("Round", "-"),
                ("White", white),
                ("Black", black),
                ("Result", played.result_text()),
            ] {
                played.tags.set(name, value);
            }
            if let Some(clock) = &played.clock {
                let control = clock.control(Color::White).to_string();
                played.tags.set("TimeControl", &control);
            }
            for (name, value) in own.iter() {
                played.tags.set(name, value);
            }
        }
        if self.variant != Variant::default() && played.tags.get("Variant").is_none() {
            played.tags.set("Variant", self.variant.name());
        }
        for (name, value) in more {
            match value {
                Some(value) => played.tags.set(name, value),
                None => played.tags.remove(name),
            }
        }
        pgn::text(&played)
    }

    fn accepts_draw(&self, side: Color, table: &Table, control: &Control) -> bool {
        let settings = Settings::default();
        accepts_draw(self.played.game(), side, &settings, table, control)
    }

    fn review(
        &self,
        nodes: u64,
        control: &Control,
        report: &mut dyn FnMut(crate::review::Assessed),
    ) {
        crate::review::review(&self.played, nodes, control, report);
    }

    fn restored_assessment(&self, kept: &str) -> Vec<crate::review::Assessed> {
        crate::review::restored(&self.played, kept)
    }

    fn weigh(
        &self,
        turn: &str,
        nodes: u64,
        control: &Control,
    ) -> Result<Option<crate::review::Tried>, PlayError> {
        crate::review::weigh(self.played.game(), turn, nodes, control)
    }

    fn read(&self, text: &str) -> Result<Vec<String>, String> {
        if let Some(outcome) = self.played.outcome() {
            return Err(format!("The game is over: {outcome}."));
        }
        let position = self.played.position();
        let steps = read::typed(position, text).ok_or_else(|| refusal(position, text))?;
        Ok(tokens(position, &steps))
    }

    fn keep(&self) -> KeptGame {
        let mut played = self.played.clone();
        while played.undo_step() {}
        KeptGame {
            pgn: pgn::text(&played),
            seed: self.seed.to_string(),
            is_opened: self.is_opened,
            ended: self.played.ended.clone(),
        }
    }

    fn copy(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
}

/// Gives the turn that begins this roll in the place of its own.
fn give_roll<G: Show>(played: &mut Played<G>, text: &str) -> Result<(), PlayError> {
    let roll = Roll::parse(text).ok_or(PlayError::Roll)?;
    played.undo_roll();
    if !played.position().awaits_roll() {
        return Err(PlayError::Roll);
    }
    played.set_roll(roll);
    Ok(())
}

/// The steps of a turn, or of its beginning, as tokens.
fn tokens<G: Show>(position: &G, steps: &[G::Step]) -> Vec<String> {
    let mut position = *position;
    let token = |&step: &G::Step| {
        let token = position.step_token(step);
        position.play(step);
        token
    };
    steps.iter().map(token).collect()
}

/// A turn of the tree as the page shows it.
pub(super) fn turn_done<G: Show>(node: &Node<Made<G>>) -> TurnDone {
    let made = &node.turn;
    let (mut done, _) = turn_view(&made.before, made.steps(), made.dice());
    if !matches!(made.ply, Ply::Turn(_)) {
        done.san = pgn::turn_text(made);
        done.token.clear();
    }
    done.beside = Beside {
        variations: node.variations.iter().map(variation_view).collect(),
        unread: matches!(made.ply, Ply::Unread(_)),
        ..beside(node)
    };
    done
}

/// The static evaluation, and what each piece contributes to it where the evaluation can say so.
fn static_eval<G: Show>(position: &G) -> StaticEval {
    let (cp, values) = static_value(position, None);
    let worth = |piece: &Piece| {
        let (file, rank) = piece.square.split_at_checked(1)?;
        let values = values.as_ref()?;
        let file = file.bytes().next()?.checked_sub(b'a' + values.corner.0)?;
        let rank = rank.parse::<u8>().ok()?.checked_sub(1 + values.corner.1)?;
        let row = values.ranks.get(usize::from(rank))?;
        let cp = (*row.get(usize::from(file))?)?;
        let square = piece.square.clone();
        Some(PieceValue { square, cp })
    };
    StaticEval {
        cp,
        pieces: position.pieces().iter().filter_map(worth).collect(),
    }
}
