//! One game as it is played: the turns from the first position on with their rolls, comments and variations, and what has ended it.

use crate::clock::Clock;
use crate::comment::{clock_text, command, read_clock, set_command};
use crate::cube::Doubling;
use crate::end::{End, GameResult};
use crate::read;
use crate::tags::Tags;
use crate::tree::{Line, Node, Path};
use fauve_engine::core::Color;
use fauve_engine::rules::{
    DiceSeed, Game, Notation, Outcome, Roll, Turn, printable, turn_san, turn_token,
};
use std::time::Duration;

/// What stands in the tree of turns at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ply<S> {
    /// A turn by the rules.
    Turn(Turn<S>),
    /// A null move, the other side to move again: in variations only.
    Null,
    /// A text that is no turn here, as it was written: in variations only.
    Unread(String),
}

/// A turn where it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made<G: Notation> {
    /// The position in which it was made, dice and all; for an unread text the last position that is known.
    pub before: G,
    /// The roll that was made for it; `None` where the first position brought its dice, and in games without.
    pub roll: Option<Roll>,
    /// The turn.
    pub ply: Ply<G::Step>,
}

impl<G: Notation> Made<G> {
    /// Its steps; none for a null move and for what could not be read.
    pub fn steps(&self) -> &[G::Step] {
        match &self.ply {
            Ply::Turn(turn) => turn,
            Ply::Null | Ply::Unread(_) => &[],
        }
    }

    /// Its number as people count: White's and Black's turn have the same.
    pub fn number(&self) -> u64 {
        self.before.game_ply() / 2 + 1
    }

    /// The side that made it.
    pub fn side(&self) -> Color {
        self.before.side_to_move()
    }

    /// The dice of the turn, whether they were rolled in the game or stood in its first position.
    pub fn dice(&self) -> Option<Roll> {
        self.roll.or_else(|| self.before.whole_roll())
    }

    /// The turn as a token.
    pub fn token(&self) -> String {
        turn_token(&self.before, self.steps())
    }

    /// The turn as people read it.
    pub fn san(&self) -> String {
        turn_san(&self.before, self.steps())
    }
}

/// What is wrong with a turn that is to be added to a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TurnFault {
    /// The game had an end before.
    #[error("the game was over before: {0}")]
    Over(Outcome),
    /// A roll in a game or phase without.
    #[error("a roll {} where none is due", printable(.0))]
    RollNotDue(String),
    /// No roll where one is due.
    #[error("no roll")]
    NoRoll,
    /// A roll that cannot be read.
    #[error("'{}' is not a roll", printable(.0))]
    NotARoll(String),
    /// A roll that the dice did not give.
    #[error("the roll is {given}, the seed gives {due}")]
    OtherRoll {
        /// The roll of the record.
        given: Roll,
        /// The roll of the seed.
        due: Roll,
    },
    /// A turn that the rules do not allow.
    #[error("'{}' is not legal", printable(.0))]
    Illegal(String),
    /// A turn with steps missing.
    #[error("'{}' is not a whole turn", printable(.0))]
    Unfinished(String),
}

/// A game as it is played.
#[derive(Clone, Debug)]
pub struct Played<G: Notation> {
    start: G,
    game: Game<G>,
    line: Line<Made<G>>,
    /// The roll of the turn that is next or has begun.
    rolled: Option<Roll>,
    /// The steps of the turn that has begun.
    partial: Turn<G::Step>,
    /// The seed of the dice, if they are rolled by one.
    pub seed: Option<DiceSeed>,
    /// What is known about the game.
    pub tags: Tags,
    /// The clocks, if there are any. What a side has left after a turn stands beside the turn, as `[%clk]`.
    pub clock: Option<Clock>,
    /// The doubling cube, if there is one.
    pub doubling: Option<Doubling>,
    /// What has ended the game, if it was not its rules.
    pub ended: Option<End>,
    /// The result that the game's file gives, as long as nothing was played or taken back since.
    pub stated: Option<GameResult>,
}

impl<G: Notation> Played<G> {
    /// A game that begins here.
    pub fn new(start: G, options: G::Options) -> Self {
        Self {
            start,
            game: Game::new(start, options),
            line: Line::default(),
            rolled: None,
            partial: Turn::new(),
            seed: None,
            tags: Tags::default(),
            clock: None,
            doubling: None,
            ended: None,
            stated: None,
        }
    }

    /// The first position.
    pub const fn start(&self) -> &G {
        &self.start
    }

    /// The position now.
    pub const fn position(&self) -> &G {
        self.game.position()
    }

    /// The game for a search, with the history that draws by repetition need.
    pub const fn game(&self) -> &Game<G> {
        &self.game
    }

    /// The side whose step or roll is next.
    pub fn side(&self) -> Color {
        self.position().side_to_move()
    }

    /// The complete turns, and what stands beside them.
    pub const fn line(&self) -> &Line<Made<G>> {
        &self.line
    }

    /// The complete turns.
    pub fn turns(&self) -> &[Node<Made<G>>] {
        &self.line.turns
    }

    /// A complete turn, by its place from 0, to annotate it.
    pub fn turn_mut(&mut self, place: usize) -> Option<&mut Node<Made<G>>> {
        self.line.turns.get_mut(place)
    }

    /// The comments before the first turn.
    pub const fn lead_mut(&mut self) -> &mut Vec<String> {
        &mut self.line.lead
    }

    pub(crate) const fn line_mut(&mut self) -> &mut Line<Made<G>> {
        &mut self.line
    }

    /// The turn that leads to a place, to be annotated.
    pub fn node_mut(&mut self, path: &Path) -> Option<&mut Node<Made<G>>> {
        self.line.node_mut(path)
    }

    /// The roll of the turn that is next or has begun, if it was rolled in the game.
    pub(crate) const fn rolled(&self) -> Option<Roll> {
        self.rolled
    }

    /// Other turns take the place of those that were played; `game` has played them.
    pub(crate) fn take_line(&mut self, line: Line<Made<G>>, game: Game<G>) {
        self.line = line;
        self.game = game;
        self.rolled = None;
        self.partial.clear();
        self.reset_clock();
    }

    /// The steps of the turn that has begun.
    pub fn partial(&self) -> &[G::Step] {
        &self.partial
    }

    /// Whether steps of a turn are made that is not complete.
    pub fn has_begun_turn(&self) -> bool {
        !self.partial.is_empty()
    }

    /// The position in which the present turn begins or began, dice and all if they are rolled.
    pub fn turn_start(&self) -> &G {
        let past = self.game.past();
        match past.len().checked_sub(self.partial.len()) {
            Some(at) if at < past.len() => &past[at].0,
            _ => self.position(),
        }
    }

    /// The dice of the turn that has begun or is next, once they are rolled.
    pub fn dice(&self) -> Option<Roll> {
        self.rolled.or_else(|| self.turn_start().whole_roll())
    }

    /// The position after this number of turns, with its dice; the present one after all of them.
    pub fn position_after(&self, turns: usize) -> &G {
        let next = self.line.turns.get(turns);
        next.map_or_else(|| self.turn_start(), |node| &node.turn.before)
    }

    /// How the rules have ended the game.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// The end of the game, by its rules or otherwise.
    pub fn end(&self) -> Option<End> {
        let by_rules = || self.outcome().map(End::by_rules);
        self.ended.clone().or_else(by_rules)
    }

    /// The end in words: as the rules call it, `White wins by checkmate`, or what else has happened, `White wins: Black resigns`.
    pub fn end_text(&self) -> Option<String> {
        let by_rules = || self.outcome().map(|outcome| outcome.to_string());
        self.ended.as_ref().map(End::sentence).or_else(by_rules)
    }

    /// The result as PGN writes it.
    pub fn result_text(&self) -> &'static str {
        let result = self.end().map(|end| end.result).or(self.stated);
        result.map_or("*", GameResult::text)
    }

    /// Rolls the dice by the seed, where they are awaited and the game goes on.
    pub fn roll(&mut self) -> Option<Roll> {
        let roll = self.due_roll().filter(|_| self.end().is_none())?;
        self.set_roll(roll);
        Some(roll)
    }

    /// The roll that the seed gives to the turn that is next, where it is awaited.
    pub fn due_roll(&self) -> Option<Roll> {
        self.roll_of(self.seed?)
    }

    /// The roll that another seed would give to the turn that is next, where it is awaited.
    pub fn roll_of(&self, seed: DiceSeed) -> Option<Roll> {
        let position = self.position();
        position
            .awaits_roll()
            .then(|| seed.roll(position.game_ply()))
    }

    /// Gives the dice to a position that awaits them.
    pub fn set_roll(&mut self, roll: Roll) {
        self.rolled = Some(roll);
        self.game.set_roll(roll);
    }

    /// Takes the dice back that are rolled for the turn that is next.
    pub fn undo_roll(&mut self) {
        if self.partial.is_empty() && self.rolled.take().is_some() {
            self.game.undo();
        }
    }

    /// Makes a legal step; `true` if the turn is complete with it.
    pub fn step(&mut self, step: G::Step) -> bool {
        self.stated = None;
        self.partial.push(step);
        self.game.play(step);
        if self.position().is_mid_turn() && self.game.outcome().is_none() {
            return false;
        }
        let made = Made {
            before: *self.turn_start(),
            roll: self.rolled.take(),
            ply: Ply::Turn(std::mem::take(&mut self.partial)),
        };
        let mut node = Node::new(made);
        if let Some(cube) = self
            .doubling
            .as_ref()
            .and_then(|doubling| doubling.turned_before(&node.turn.before))
        {
            set_command(&mut node.comments, "cube", &cube);
        }
        self.line.turns.push(node);
        true
    }

    /// Makes the steps of a legal turn or of a part of one; `true` if it is complete with them.
    pub fn play(&mut self, steps: &[G::Step]) -> bool {
        steps.iter().fold(false, |_, &step| self.step(step))
    }

    /// Adds a turn of a record, in any spelling, with the roll that the record gives it; rolls have to be those of the seed,
    /// if there is one. The game stays as it was if the turn is refused.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add(&mut self, roll: Option<&str>, text: &str) -> Result<(), TurnFault> {
        if let Some(outcome) = self.outcome() {
            return Err(TurnFault::Over(outcome));
        }
        let roll = self.checked_roll(roll)?;
        let mut before = *self.position();
        if let Some(roll) = roll {
            before.set_roll(roll);
        }
        let turn = read::turn(&before, text).ok_or_else(|| TurnFault::Illegal(text.to_owned()))?;
        if !is_whole(&before, &turn) {
            return Err(TurnFault::Unfinished(text.to_owned()));
        }
        if let Some(roll) = roll {
            self.set_roll(roll);
        }
        self.play(&turn);
        Ok(())
    }

    /// The roll of a record's turn, which has to be there exactly if it is due.
    fn checked_roll(&self, roll: Option<&str>) -> Result<Option<Roll>, TurnFault> {
        if !self.position().awaits_roll() {
            return match roll {
                Some(roll) => Err(TurnFault::RollNotDue(roll.to_owned())),
                None => Ok(None),
            };
        }
        let text = roll.ok_or(TurnFault::NoRoll)?;
        let given = Roll::parse(text).ok_or_else(|| TurnFault::NotARoll(text.to_owned()))?;
        match self.due_roll() {
            Some(due) if due != given => Err(TurnFault::OtherRoll { given, due }),
            _ => Ok(Some(given)),
        }
    }

    /// Takes back the last step of a turn that is not complete.
    pub fn undo_step(&mut self) -> bool {
        if self.partial.pop().is_none() {
            return false;
        }
        self.stated = None;
        self.game.undo();
        true
    }

    /// Takes back what has begun and the last turn, with what stands beside it: clocks and cube are as before it, its dice
    /// stay rolled.
    pub fn undo_turn(&mut self) -> bool {
        while self.undo_step() {}
        let Some(node) = self.line.turns.pop() else {
            return false;
        };
        self.stated = None;
        self.undo_roll();
        for _ in node.turn.steps() {
            self.game.undo();
        }
        self.rolled = node.turn.roll;
        let turn = self.position().game_ply();
        if let Some(doubling) = &mut self.doubling {
            doubling.take_back(turn);
        }
        self.reset_clock();
        true
    }

    /// Everything is as at the beginning, with other dice.
    pub fn restart(&mut self, seed: Option<DiceSeed>) {
        let fresh = Self::new(self.start, *self.game.options());
        let mut clock = self.clock;
        clock.iter_mut().for_each(Clock::reset);
        let (tags, doubling) = (std::mem::take(&mut self.tags), self.doubling.take());
        *self = Self {
            seed,
            tags,
            clock,
            doubling: doubling.map(|_| Doubling::default()),
            ..fresh
        };
    }

    /// Charges the side that has just made steps with the time that it took; the game is lost if it had not as much.
    pub fn charge(&mut self, mover: Color, time: Duration) {
        let is_complete = self.partial.is_empty();
        let Some(clock) = &mut self.clock else {
            return;
        };
        if !clock.spend(mover, time) {
            self.ended = Some(End::time_forfeit(self.position(), mover));
        } else if is_complete {
            clock.add_increment(mover);
        }
        self.note_clock(mover);
    }

    /// The side that has just completed its turn stops its running clock and starts the other one's.
    pub fn press_clock(&mut self, done: Color) {
        let next = self.side();
        if let Some(clock) = &mut self.clock {
            if clock.running().is_some() {
                clock.stop();
                clock.add_increment(done);
            }
            clock.start(next);
        }
        self.note_clock(done);
    }

    /// Writes down what a side has left after its turn.
    fn note_clock(&mut self, side: Color) {
        if let Some(clock) = &self.clock
            && self.partial.is_empty()
            && let Some(last) = self.line.turns.last_mut()
        {
            set_command(&mut last.comments, "clk", &clock_text(clock.left(side)));
        }
    }

    /// Gives both sides what they had left after their last turns, as it stands beside these.
    pub fn reset_clock(&mut self) {
        let left = Color::ALL.map(|side| {
            let own = self.line.turns.iter().rev();
            let mut own = own.filter(|node| node.turn.side() == side);
            own.find_map(|node| read_clock(command(&node.comments, "clk")?))
        });
        if let Some(clock) = &mut self.clock {
            clock.reset();
            for (side, left) in Color::ALL.into_iter().zip(left) {
                if let Some(left) = left {
                    clock.set_left(side, left);
                }
            }
        }
    }
}

/// Whether the steps are a whole turn of a position.
pub(crate) fn is_whole<G: Notation>(before: &G, steps: &[G::Step]) -> bool {
    let mut after = *before;
    for &step in steps {
        after.play(step);
    }
    !after.is_mid_turn() || Game::new(after, G::Options::default()).outcome().is_some()
}

impl<G: Notation> Played<G> {
    /// Adds what stands beside the last turn of a record.
    pub(crate) fn annotate_last(&mut self, node: Node<()>, variations: Vec<Line<Made<G>>>) {
        if let Some(last) = self.line.turns.last_mut() {
            let made = last.turn.clone();
            *last = node.with(made, variations);
        }
    }
}

impl<G: Notation> Node<Made<G>> {
    /// Adds a variation of one turn, unless the turn itself or a variation says the same.
    pub fn suggest(&mut self, made: Made<G>) {
        let is_said = self.turn.ply == made.ply
            || self.variations.iter().any(|line| {
                let first = line.turns.first();
                first.is_some_and(|node| node.turn.ply == made.ply)
            });
        if !is_said {
            self.variations.push(Line {
                lead: Vec::new(),
                turns: vec![Node::new(made)],
            });
        }
    }

    /// Gives the turn the NAG of its quality, 1 to 6, unless its annotator has given one.
    pub fn judge(&mut self, nag: u16) {
        if !self.nags.iter().any(|nag| (1..=6).contains(nag)) {
            self.nags.push(nag);
        }
    }
}
