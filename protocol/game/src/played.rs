//! A game as it is played: first position, turns with their rolls, comments and variations, clocks, cube and end.

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

/// The content of a node of the game tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ply<S> {
    /// A legal turn.
    Turn(Turn<S>),
    /// A null move; in variations only.
    Null,
    /// Text that is not a legal turn, as written; in variations only.
    Unread(String),
}

/// A turn with the position before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made<G: Notation> {
    /// The position before it, including the dice; for unread text the last known position.
    pub before: G,
    /// The roll made for it; `None` if the first position includes the dice, and in games without dice.
    pub roll: Option<Roll>,
    /// The turn.
    pub ply: Ply<G::Step>,
}

impl<G: Notation> Made<G> {
    /// Its steps; empty for a null move and for unread text.
    pub fn steps(&self) -> &[G::Step] {
        match &self.ply {
            Ply::Turn(turn) => turn,
            Ply::Null | Ply::Unread(_) => &[],
        }
    }

    /// The move number, the same for White's and Black's turn.
    pub fn number(&self) -> u64 {
        self.before.game_ply() / 2 + 1
    }

    /// The side that played it.
    pub fn side(&self) -> Color {
        self.before.side_to_move()
    }

    /// The dice of the turn, rolled in the game or part of its first position.
    pub fn dice(&self) -> Option<Roll> {
        self.roll.or_else(|| self.before.whole_roll())
    }

    /// The turn as a token.
    pub fn token(&self) -> String {
        turn_token(&self.before, self.steps())
    }

    /// The turn in SAN.
    pub fn san(&self) -> String {
        turn_san(&self.before, self.steps())
    }
}

/// Errors of adding a turn to a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TurnFault {
    /// The game was already over.
    #[error("the game was over before: {0}")]
    Over(Outcome),
    /// A roll where none is due.
    #[error("a roll {} where none is due", printable(.0))]
    RollNotDue(String),
    /// A missing roll.
    #[error("no roll")]
    NoRoll,
    /// A roll that cannot be read.
    #[error("'{}' is not a roll", printable(.0))]
    NotARoll(String),
    /// A roll that differs from that of the seed.
    #[error("the roll is {given}, the seed gives {due}")]
    OtherRoll {
        /// The roll of the record.
        given: Roll,
        /// The roll of the seed.
        due: Roll,
    },
    /// An illegal turn.
    #[error("'{}' is not legal", printable(.0))]
    Illegal(String),
    /// An incomplete turn.
    #[error("'{}' is not a whole turn", printable(.0))]
    Unfinished(String),
}

/// A null move in the main line of a file, up to which the game is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("turn {number} of {} is a null move; it is read up to it", side.name())]
pub struct NullMove {
    /// The number of the turn as players count.
    pub number: u64,
    /// The side whose turn it is.
    pub side: Color,
}

/// A game as it is played.
#[derive(Clone, Debug)]
pub struct Played<G: Notation> {
    start: G,
    game: Game<G>,
    line: Line<Made<G>>,
    /// The roll of the current turn.
    rolled: Option<Roll>,
    /// The steps of the turn that has begun.
    partial: Turn<G::Step>,
    /// The seed of the dice, if any.
    pub seed: Option<DiceSeed>,
    /// The PGN tags.
    pub tags: Tags,
    /// The clocks, if any. The time left after a turn is recorded in its comment, as `[%clk]`.
    pub clock: Option<Clock>,
    /// The doubling cube, if used.
    pub doubling: Option<Doubling>,
    /// The end of the game, if not by the rules.
    pub ended: Option<End>,
    /// The result in the game's file, until a turn is played or taken back.
    pub stated: Option<GameResult>,
    /// The null move up to which the game's file was read; what stands behind it is not in the game.
    pub unread: Option<NullMove>,
}

impl<G: Notation> Played<G> {
    /// Creates a game that starts at this position.
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
            unread: None,
        }
    }

    /// The first position.
    pub const fn start(&self) -> &G {
        &self.start
    }

    /// The current position.
    pub const fn position(&self) -> &G {
        self.game.position()
    }

    /// The game for a search, with the history needed for draws by repetition.
    pub const fn game(&self) -> &Game<G> {
        &self.game
    }

    /// The side whose step or roll is next.
    pub fn side(&self) -> Color {
        self.position().side_to_move()
    }

    /// The main line of complete turns, with their annotations.
    pub const fn line(&self) -> &Line<Made<G>> {
        &self.line
    }

    /// The complete turns.
    pub fn turns(&self) -> &[Node<Made<G>>] {
        &self.line.turns
    }

    /// A complete turn by index from 0, to annotate it.
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
    pub const fn rolled(&self) -> Option<Roll> {
        self.rolled
    }

    /// Other turns take the place of those that were played; `game` has played them. The end was that of the game before.
    pub(crate) fn take_line(&mut self, line: Line<Made<G>>, game: Game<G>) {
        if !self.has_rolls_of_seed(&line) {
            self.forget_seed();
        }
        self.line = line;
        self.game = game;
        self.ended = None;
        self.stated = None;
        self.rolled = None;
        self.partial.clear();
        self.reset_clock();
    }

    /// Whether the seed gives the rolls of these turns; without a seed nothing is wrong with them.
    fn has_rolls_of_seed(&self, line: &Line<Made<G>>) -> bool {
        let Some(seed) = self.seed else {
            return true;
        };
        line.turns.iter().all(|node| {
            let made = &node.turn;
            made.roll
                .is_none_or(|roll| roll == seed.roll(made.before.game_ply()))
        })
    }

    /// From now on the dice are not those of the seed. A file that named it would be refused for its rolls.
    pub fn forget_seed(&mut self) {
        let had_seed = self.seed.take().is_some();
        self.tags.remove("DiceSeed");
        if had_seed && self.tags.get("FEN").is_some() {
            // A position string can end with the seed.
            self.tags.set("FEN", &self.start.fen());
        }
    }

    /// The steps of the turn that has begun.
    pub fn partial(&self) -> &[G::Step] {
        &self.partial
    }

    /// Whether the current turn has steps but is not complete.
    pub fn has_begun_turn(&self) -> bool {
        !self.partial.is_empty()
    }

    /// The position at the start of the current turn, including the dice if they are rolled.
    pub fn turn_start(&self) -> &G {
        let past = self.game.past();
        match past.len().checked_sub(self.partial.len()) {
            Some(at) if at < past.len() => &past[at].0,
            _ => self.position(),
        }
    }

    /// The dice of the current turn, once rolled.
    pub fn dice(&self) -> Option<Roll> {
        self.rolled.or_else(|| self.turn_start().whole_roll())
    }

    /// The position after this number of turns, including its dice; after all of them, the current position.
    pub fn position_after(&self, turns: usize) -> &G {
        let next = self.line.turns.get(turns);
        next.map_or_else(|| self.turn_start(), |node| &node.turn.before)
    }

    /// The outcome by the rules, if the game is over by them.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// The end of the game, by the rules or otherwise.
    pub fn end(&self) -> Option<End> {
        let by_rules = || self.outcome().map(End::by_rules);
        self.ended.clone().or_else(by_rules)
    }

    /// The end in words: by the rules, `White wins by checkmate`, or otherwise, `White wins: Black resigns`.
    pub fn end_text(&self) -> Option<String> {
        let by_rules = || self.outcome().map(|outcome| outcome.to_string());
        self.ended.as_ref().map(End::sentence).or_else(by_rules)
    }

    /// The result in PGN.
    pub fn result_text(&self) -> &'static str {
        let result = self.end().map(|end| end.result).or(self.stated);
        result.map_or("*", GameResult::text)
    }

    /// Rolls the dice by the seed, if a roll is due.
    pub fn roll(&mut self) -> Option<Roll> {
        let roll = self.due_roll().filter(|_| self.end().is_none())?;
        self.set_roll(roll);
        Some(roll)
    }

    /// The roll of the seed for the next turn, if one is due.
    pub fn due_roll(&self) -> Option<Roll> {
        self.roll_of(self.seed?)
    }

    /// The roll of another seed for the next turn, if one is due.
    pub fn roll_of(&self, seed: DiceSeed) -> Option<Roll> {
        let position = self.position();
        position
            .awaits_roll()
            .then(|| seed.roll(position.game_ply()))
    }

    /// Sets the roll of a position that awaits it.
    pub fn set_roll(&mut self, roll: Roll) {
        self.rolled = Some(roll);
        self.game.set_roll(roll);
    }

    /// Takes back the roll of the next turn.
    pub fn undo_roll(&mut self) {
        if self.partial.is_empty() && self.rolled.take().is_some() {
            self.game.undo();
        }
    }

    /// Plays a legal step; returns whether it completes the turn.
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

    /// Plays the steps of a legal turn or a part of one; returns whether they complete it.
    pub fn play(&mut self, steps: &[G::Step]) -> bool {
        steps.iter().fold(false, |_, &step| self.step(step))
    }

    /// Adds a recorded turn, in any notation, with its roll, which must be that of the seed
    /// if there is one. After an error the game is unchanged.
    ///
    /// # Errors
    /// See [`TurnFault`].
    pub fn add(&mut self, roll: Option<&str>, text: &str) -> Result<(), TurnFault> {
        match self.outcome() {
            Some(outcome) => Err(TurnFault::Over(outcome)),
            None => self.add_beyond(roll, text),
        }
    }

    /// The same also behind a draw that the rules have brought, for games whose players did not claim it and went on.
    pub(crate) fn add_beyond(&mut self, roll: Option<&str>, text: &str) -> Result<(), TurnFault> {
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

    /// Parses the roll of a recorded turn, which must be present exactly if it is due.
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

    /// Takes back the last step of an incomplete turn; returns whether there was one.
    pub fn undo_step(&mut self) -> bool {
        if self.partial.pop().is_none() {
            return false;
        }
        self.stated = None;
        self.game.undo();
        true
    }

    /// Takes back the incomplete turn and the last complete one, with its annotations; returns whether anything was taken back. Clocks
    /// and cube are restored, its dice stay rolled.
    pub fn undo_turn(&mut self) -> bool {
        let mut is_changed = false;
        while self.undo_step() {
            is_changed = true;
        }
        let Some(node) = self.line.turns.pop() else {
            return is_changed;
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

    /// Restarts the game at its first position, with other dice.
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

    /// Charges the side that has just moved with the time used; it loses the game if it had less.
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

    /// Stops the running clock of the side that has completed its turn, and starts the other.
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

    /// Records the remaining time of a side in the comment of its turn.
    fn note_clock(&mut self, side: Color) {
        if let Some(clock) = &self.clock
            && self.partial.is_empty()
            && let Some(last) = self.line.turns.last_mut()
        {
            set_command(&mut last.comments, "clk", &clock_text(clock.left(side)));
        }
    }

    /// Sets the clocks to the times recorded after the last turns.
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

/// Whether the steps are a complete turn of a position.
pub(crate) fn is_whole<G: Notation>(before: &G, steps: &[G::Step]) -> bool {
    let mut after = *before;
    for &step in steps {
        after.play(step);
    }
    !after.is_mid_turn() || Game::new(after, G::Options::default()).outcome().is_some()
}

impl<G: Notation> Played<G> {
    /// Adds annotations to the last turn.
    pub(crate) fn annotate_last(&mut self, node: Node<()>, variations: Vec<Line<Made<G>>>) {
        if let Some(last) = self.line.turns.last_mut() {
            let made = last.turn.clone();
            *last = node.with(made, variations);
        }
    }
}

impl<G: Notation> Node<Made<G>> {
    /// Adds a variation of one turn, unless the main line or a variation already has it.
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

    /// Adds the NAG of the turn's quality, 1 to 6, unless it already has one; returns whether it was added.
    pub fn judge(&mut self, nag: u16) -> bool {
        let is_new = !self.nags.iter().any(|nag| (1..=6).contains(nag));
        if is_new {
            self.nags.push(nag);
        }
        is_new
    }
}
