use super::error::SessionError;
use super::start_position::StartPosition;
use fauve_engine::core::Color;
use fauve_engine::eval;
use fauve_engine::rules::{Game, Parsed, Roll, RuleSettings, StepError};
use fauve_engine::search::Engine;
use fauve_game::played::Played;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Longest accepted game, in tokens.
const LONGEST_GAME: usize = 65_536;

/// One game under a protocol.
#[derive(Clone, Debug)]
pub struct Session<G: Engine> {
    pub(super) played: Played<G>,
    base: StartPosition,
    /// The accepted tokens, as written.
    pub(super) tokens: Vec<String>,
    /// The first moves of a dice turn whose roll is unknown, until a token completes them.
    pub(super) pending: Option<PartialTurn>,
    /// The last turn, if its roll was inferred from its tokens: the length of the game before it, and the turn.
    pub(super) guessed: Option<(usize, PartialTurn)>,
}

/// Moves of a dice turn, joined from one or more tokens.
#[derive(Clone, Debug)]
pub(super) struct PartialTurn {
    /// The moves, with commas between them.
    pub(super) text: String,
    /// The number of tokens before them.
    pub(super) before: usize,
}

impl<G: Engine> Session<G> {
    /// Creates a game at the start position under these rules.
    pub fn new(rules: &RuleSettings) -> Self {
        eval::load::<G>();
        let options = rules.options();
        Self {
            played: Played::new(G::start(&options), options),
            base: StartPosition::Start,
            tokens: Vec::new(),
            pending: None,
            guessed: None,
        }
    }

    /// Sets up a game and plays tokens; returns warnings. An illegal token ends the game there, and is one of the warnings.
    ///
    /// # Errors
    /// When the first position is invalid; the session keeps its game.
    pub fn set_position(
        &mut self,
        base: StartPosition,
        tokens: &[&str],
        rules: &RuleSettings,
    ) -> Result<Vec<String>, SessionError> {
        self.begin(base, tokens, rules.options())
    }

    fn begin(
        &mut self,
        base: StartPosition,
        tokens: &[&str],
        options: G::Options,
    ) -> Result<Vec<String>, SessionError> {
        let parsed = match &base {
            StartPosition::Start => Parsed::plain(G::start(&options)),
            StartPosition::Named(name) => Parsed::plain(
                G::named_start(name, &options)
                    .ok_or_else(|| SessionError::UnknownStart(name.clone()))?,
            ),
            StartPosition::Fen(fen) => G::from_fen(fen, &options)?,
        };
        let mut messages = parsed.warnings;
        self.played = Played::new(parsed.position, options);
        self.played.seed = parsed.seed;
        self.base = base;
        self.pending = None;
        self.guessed = None;
        self.tokens.clear();
        for (number, token) in (1..).zip(tokens) {
            if number > LONGEST_GAME {
                messages.push(format!(
                    "Error: only the first {LONGEST_GAME} moves are played"
                ));
                break;
            }
            if let Err(error) = self.apply(token) {
                messages.push(format!("Error: {error} (move {number})"));
                break;
            }
        }
        if let Some(partial) = self.pending.take() {
            let number = self.tokens.len();
            self.tokens.truncate(partial.before);
            let error = StepError::Incomplete(partial.text);
            messages.push(format!("Error: {error} (move {number})"));
        }
        Ok(messages)
    }

    /// Applies changed rules by replaying the game; returns warnings. If its first position is no longer valid, the game is reset
    /// to the start position.
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

    /// Sets the roll to `dice`, or else rolls by the seed or randomly; returns the roll.
    ///
    /// # Errors
    /// When no roll is due, or `dice` cannot be read.
    pub fn roll(&mut self, dice: Option<&str>) -> Result<Roll, SessionError> {
        if !self.played.position().awaits_roll() {
            return Err(SessionError::NoRollAwaited);
        }
        let roll = match dice {
            Some(dice) => {
                Roll::parse(dice).ok_or_else(|| SessionError::UnreadableRoll(dice.to_owned()))?
            }
            None => self.played.due_roll().unwrap_or_else(random_roll),
        };
        self.played.set_roll(roll);
        self.tokens.push(format!("{roll}:"));
        Ok(roll)
    }

    /// Takes back the last token.
    ///
    /// # Errors
    /// When there is none.
    pub fn undo(&mut self) -> Result<(), SessionError> {
        let mut tokens = std::mem::take(&mut self.tokens);
        if tokens.pop().is_none() {
            return Err(SessionError::NothingToUndo);
        }
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let options = *self.game().options();
        self.begin(self.base.clone(), &tokens, options).map(drop)
    }

    /// Mirrors the position with colours exchanged, and starts a new game there.
    ///
    /// # Errors
    /// When the mirrored position is invalid, as in the prologue.
    pub fn flip(&mut self) -> Result<Vec<String>, SessionError> {
        let flipped = self.played.position().flipped();
        let flipped = flipped.ok_or(SessionError::NoOtherSide)?;
        let options = *self.game().options();
        self.begin(StartPosition::Fen(self.with_seed(&flipped)), &[], options)
    }

    /// The game.
    pub const fn game(&self) -> &Game<G> {
        self.played.game()
    }

    /// The complete turns of a side since the first position.
    pub fn turns_of(&self, side: Color) -> u32 {
        let turns = self.played.turns().iter();
        turns.filter(|node| node.turn.side() == side).count() as u32
    }

    /// The position string, with the seed of the dice.
    pub fn fen(&self) -> String {
        self.with_seed(self.played.position())
    }

    /// The position string of a position of this game, with the seed of its dice.
    pub(super) fn with_seed(&self, position: &G) -> String {
        let fen = position.fen();
        match self.played.seed {
            Some(seed) => format!("{fen} seed:{seed}"),
            None => fen,
        }
    }
}

/// A random roll.
fn random_roll() -> Roll {
    let number = RandomState::new().build_hasher().finish() % 216;
    let face = |divisor: u64| (number / divisor % 6) as u8 + 1;
    Roll::new([face(1), face(6), face(36)]).expect("faces are 1 to 6")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::rules::chess::Chess;

    #[test]
    fn turns_of_a_side_are_counted_and_taken_back() {
        let rules = RuleSettings::default();
        let mut session = Session::<Chess>::new(&rules);
        let tokens = ["e2e4", "e7e5", "g1f3"];
        let start = StartPosition::Start;
        session.set_position(start, &tokens, &rules).expect("moves");
        let counted = |session: &Session<Chess>| {
            [Color::White, Color::Black].map(|side| session.turns_of(side))
        };
        assert_eq!(counted(&session), [2, 1]);
        session.undo().expect("a turn");
        assert_eq!(counted(&session), [1, 1]);
        session.apply("b1c3").expect("a turn");
        assert_eq!(counted(&session), [2, 1]);
    }
}
