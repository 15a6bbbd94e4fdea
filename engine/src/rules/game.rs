use super::{Chance, Draws, Roll, Rules};
use crate::core::Color;
use std::fmt;

/// How a side has won, in the terms of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinReason {
    /// What follows the winner's name in a sentence: `wins by checkmate`.
    pub sentence: &'static str,
    /// A shorter wording for records and PGN, where one is customary: `mates`.
    pub brief: &'static str,
}

impl WinReason {
    /// The loser is mated.
    pub const CHECKMATE: Self = Self {
        sentence: "wins by checkmate",
        brief: "mates",
    };

    /// Creates a reason whose short wording is the sentence.
    pub const fn of(sentence: &'static str) -> Self {
        Self {
            sentence,
            brief: sentence,
        }
    }
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawReason {
    /// No legal turn and no check (or what the game equates with it).
    Stalemate,
    /// Neither side can win any more.
    DeadPosition,
    /// The same position for the third time.
    Repetition,
    /// 50 turns of each side without a capture or a pawn move.
    Clock,
    /// A rule that only this game has; the text follows `draw by` in a sentence.
    Rule(&'static str),
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead position",
            Self::Repetition => "repetition",
            Self::Clock => "50 turns of each side without a capture or a pawn's move",
            Self::Rule(text) => text,
        })
    }
}

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A side has won.
    Win(Color, WinReason),
    /// A draw.
    Draw(DrawReason),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(color, reason) => write!(f, "{} {}", color.name(), reason.sentence),
            Self::Draw(reason) => write!(f, "draw by {reason}"),
        }
    }
}

/// One thing that happened in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<S> {
    /// A step was made.
    Step(S),
    /// The dice were rolled.
    Roll(Roll),
}

/// A position with the history that led to it, for repetitions and for taking back.
///
/// ```
/// use fauve_engine::rules::{DrawReason, Game, Notation, Outcome, chess::Chess, parse_turn};
///
/// let mut game = Game::new(Chess::start(&Default::default()), Default::default());
/// for turn in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
///     for step in parse_turn(game.position(), turn)? {
///         game.play(step);
///     }
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
/// game.undo();
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), fauve_engine::rules::StepError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game<G: Rules> {
    position: G,
    past: Vec<(G, Event<G::Step>)>,
    options: G::Options,
}

impl<G: Draws + Chance> Game<G> {
    /// Creates a game that begins at a position.
    pub const fn new(position: G, options: G::Options) -> Self {
        Self {
            position,
            past: Vec::new(),
            options,
        }
    }

    /// The current position.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// The options of this game's rules.
    pub const fn options(&self) -> &G::Options {
        &self.options
    }

    /// What happened so far, oldest first, each with the position before it.
    pub fn past(&self) -> &[(G, Event<G::Step>)] {
        &self.past
    }

    /// Makes a legal step.
    pub fn play(&mut self, step: G::Step) {
        self.past.push((self.position, Event::Step(step)));
        self.position.play(step);
    }

    /// The game after these steps, each of which must be legal where it is made.
    #[must_use]
    pub fn after(&self, steps: &[G::Step]) -> Self {
        let mut after = self.clone();
        for &step in steps {
            after.play(step);
        }
        after
    }

    /// Sets the roll of a position in which one is due.
    ///
    /// ```
    /// use fauve_engine::rules::{Chance, Event, Game, Notation, Roll, Rules, dice::DiceChess};
    ///
    /// let mut game = Game::new(DiceChess::start(&Default::default()), Default::default());
    /// assert!(game.position().awaits_roll());
    /// let roll = Roll::parse("NBQ").expect("three dice");
    /// game.set_roll(roll);
    /// assert!(!game.position().awaits_roll());
    /// assert_eq!(game.position().whole_roll(), Some(roll));
    /// // A roll is an event like a step, and is taken back like one.
    /// assert_eq!(game.undo(), Some(Event::Roll(roll)));
    /// assert!(game.position().awaits_roll());
    /// ```
    pub fn set_roll(&mut self, roll: Roll) {
        self.past.push((self.position, Event::Roll(roll)));
        self.position.set_roll(roll);
    }

    /// Takes back the last step or roll and returns it.
    pub fn undo(&mut self) -> Option<Event<G::Step>> {
        let (before, event) = self.past.pop()?;
        self.position = before;
        Some(event)
    }

    /// The keys of the positions at turn ends, oldest first, the current one (if the turn has not begun) last: what a
    /// search needs to see repetitions.
    pub fn turn_keys(&self) -> Vec<u64> {
        self.turn_positions().map(Rules::key).collect()
    }

    /// The positions at turn ends, oldest first, the current one (if the turn has not begun) last.
    pub fn turn_positions(&self) -> impl Iterator<Item = &G> {
        self.past
            .iter()
            .filter(|(_, event)| matches!(event, Event::Step(_)))
            .map(|(position, _)| position)
            .chain(std::iter::once(&self.position))
            .filter(|position| !position.is_mid_turn())
    }

    /// The steps so far, oldest first.
    pub fn steps(&self) -> impl Iterator<Item = G::Step> {
        self.past.iter().filter_map(|(_, event)| match event {
            Event::Step(step) => Some(*step),
            Event::Roll(_) => None,
        })
    }

    /// Returns the result of the game if it has ended. A win takes precedence over every draw by the same turn.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if let Some(winner) = position.winner() {
            return Some(Outcome::Win(winner, position.win_reason()));
        }
        if !position.awaits_roll() && !position.has_turn() {
            return Some(if position.lost_without_turn() {
                Outcome::Win(!position.side_to_move(), position.win_reason())
            } else {
                Outcome::Draw(DrawReason::Stalemate)
            });
        }
        if position.is_mid_turn() {
            return None;
        }
        if position.is_dead(&self.options) {
            return Some(Outcome::Draw(DrawReason::DeadPosition));
        }
        let counted = position.count_draw();
        if let Some(reason) = counted.or_else(|| position.clock_draw(&self.options)) {
            return Some(Outcome::Draw(reason));
        }
        let steps: Vec<_> = self.steps().collect();
        if let Some(reason) = G::pattern_draw(&steps) {
            return Some(Outcome::Draw(reason));
        }
        self.is_threefold()
            .then_some(Outcome::Draw(DrawReason::Repetition))
    }

    fn is_threefold(&self) -> bool {
        let reach = self.position.reversible_turns(&self.options);
        if reach < 8 {
            return false;
        }
        let keys = self.turn_keys();
        let current = self.position.key();
        keys.iter()
            .rev()
            .take(reach + 1)
            .filter(|&&key| key == current)
            .count()
            >= 3
    }
}
