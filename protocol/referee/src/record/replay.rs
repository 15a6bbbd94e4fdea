//! Playing recorded games again: every turn and roll is checked, and the end.

use crate::plan::openings::Openings;
use crate::plan::schedule::{Purpose, derive};
use crate::record::game::{GameRecord, GameResult, Termination};
use crate::record::header::Header;
use crate::record::lines::{GameFault, check_game};
use fauve_engine::core::Color;
use fauve_engine::rules::printable;
use fauve_engine::rules::{
    DiceSeed, FenError, Game, Notation, Outcome, Roll, Turn, legal_steps, parse_turn,
};

/// What is wrong with a recorded turn.
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
    /// A turn that the rules do not know.
    #[error("'{}' is not legal", printable(.0))]
    Illegal(String),
    /// A turn with steps missing.
    #[error("'{}' is not a whole turn", printable(.0))]
    Unfinished(String),
}

/// Why a recorded game is not right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The first position cannot be read.
    #[error(transparent)]
    Start(#[from] FenError),
    /// The seed of the dice cannot be read.
    #[error("'{}' is not a dice seed", printable(.0))]
    NotASeed(String),
    /// A turn.
    #[error("turn {number}: {fault}")]
    Turn {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        fault: TurnFault,
    },
    /// The rules end the game in another way than the record says.
    #[error(
        "the rules end it {} ({reason}), the record says {}{}",
        result.text(),
        recorded.map_or("that it is not finished", GameResult::text),
        if *by_rules || recorded.is_none() { "" } else { " for another reason" }
    )]
    OtherEnd {
        /// The result by the rules.
        result: GameResult,
        /// How the rules end it.
        reason: String,
        /// The result of the record, if it has one.
        recorded: Option<GameResult>,
        /// Whether the record says that the rules ended it.
        by_rules: bool,
    },
    /// The record says that the rules ended a game that goes on.
    #[error("the record says that the rules ended it, but they do not")]
    NotOver,
    /// A forfeit with a result that does not fit.
    #[error("{} forfeits, but the result is {}", loser.name(), result.text())]
    OtherForfeit {
        /// The side to move, which has lost.
        loser: Color,
        /// The result of the record.
        result: GameResult,
    },
    /// The game is not one of the tournament's.
    #[error(transparent)]
    NotDue(#[from] GameFault),
    /// The dice are not those of the tournament.
    #[error("the dice seed is {}, the tournament gives {due:016}", printable(seed))]
    OtherSeed {
        /// The seed of the record.
        seed: String,
        /// That of the tournament.
        due: DiceSeed,
    },
    /// Dice without a seed.
    #[error("no dice seed")]
    NoSeed,
    /// No result that a finished game can have.
    #[error("the result '{}' is not that of a finished game", printable(.0))]
    NoResult(String),
    /// Two results.
    #[error("the Result tag and the result behind the moves differ")]
    TwoResults,
}

/// One turn of a replayed game: its steps, and the position in which it was played (with its dice).
#[derive(Clone, Debug)]
pub struct Played<G: Notation> {
    /// The position.
    pub before: G,
    /// The turn.
    pub turn: Turn<G::Step>,
}

/// A game of a record, whatever the file's format.
#[derive(Clone, PartialEq, Debug)]
pub struct Transcript<'a> {
    /// The first position.
    pub start: &'a str,
    /// The seed of the dice, hexadecimal.
    pub dice_seed: Option<&'a str>,
    /// The turns as tokens or in the notation that people read, each with its roll.
    pub turns: Vec<(Option<&'a str>, &'a str)>,
    /// The result; `None`: the game is not finished.
    pub result: Option<GameResult>,
    /// Whether the rules ended the game; `None`: nobody says.
    pub by_rules: Option<bool>,
    /// Whether the side to move (or, without a result by the rules, anyone) has lost by something else.
    pub forfeited: bool,
}

impl<'a> Transcript<'a> {
    /// The transcript of a record's game.
    pub fn of(game: &'a GameRecord) -> Self {
        Self {
            start: &game.start,
            dice_seed: game.dice_seed.as_deref(),
            turns: game
                .turns
                .iter()
                .map(|turn| (turn.roll.as_deref(), turn.token.as_str()))
                .collect(),
            result: Some(game.result),
            by_rules: Some(game.termination == Termination::Rules),
            forfeited: game.termination.is_forfeit()
                || game.termination == Termination::Resignation,
        }
    }

    /// Plays the game again and checks its end.
    ///
    /// # Errors
    /// The first thing that is not right.
    pub fn replay<G: Notation>(
        &self,
        options: &G::Options,
    ) -> Result<(Game<G>, Vec<Played<G>>), ReplayError> {
        let (game, played) = self.play(options)?;
        self.check_end(&game)?;
        Ok((game, played))
    }

    /// Plays the turns again, whatever the game's end is said to be.
    ///
    /// # Errors
    /// The first turn or roll that is not right.
    pub fn play<G: Notation>(
        &self,
        options: &G::Options,
    ) -> Result<(Game<G>, Vec<Played<G>>), ReplayError> {
        let parsed = G::from_fen(self.start, options)?;
        let mut game = Game::new(parsed.position, *options);
        let seed = match self.dice_seed {
            Some(text) => Some(
                text.parse()
                    .map_err(|_| ReplayError::NotASeed(text.to_owned()))?,
            ),
            None => parsed.seed,
        };
        let mut played = Vec::with_capacity(self.turns.len());
        for (number, (roll, token)) in self.turns.iter().enumerate() {
            let fail = |fault| ReplayError::Turn {
                number: number + 1,
                fault,
            };
            if let Some(outcome) = game.outcome() {
                return Err(fail(TurnFault::Over(outcome)));
            }
            set_roll(&mut game, *roll, seed).map_err(fail)?;
            let before = *game.position();
            let turn = read(&before, token)
                .ok_or_else(|| fail(TurnFault::Illegal((*token).to_owned())))?;
            for &step in &turn {
                game.play(step);
            }
            if game.position().is_mid_turn() && game.outcome().is_none() {
                return Err(fail(TurnFault::Unfinished((*token).to_owned())));
            }
            played.push(Played { before, turn });
        }
        Ok((game, played))
    }

    fn check_end<G: Notation>(&self, game: &Game<G>) -> Result<(), ReplayError> {
        match game.outcome() {
            Some(outcome) => {
                let (result, reason) = GameResult::by_rules(outcome);
                if self.result != Some(result) || self.by_rules == Some(false) {
                    return Err(ReplayError::OtherEnd {
                        result,
                        reason,
                        recorded: self.result,
                        by_rules: self.by_rules != Some(false),
                    });
                }
            }
            None if self.by_rules == Some(true) => return Err(ReplayError::NotOver),
            None => {
                let loser = game.position().side_to_move();
                if let Some(result) = self.result
                    && self.forfeited
                    && result != GameResult::win(!loser)
                {
                    return Err(ReplayError::OtherForfeit { loser, result });
                }
            }
        }
        Ok(())
    }
}

/// Gives the game the roll of the record, which has to be the roll of the seed.
///
/// # Errors
/// A roll that is missing, not due, or another than the seed gives.
pub fn set_roll<G: Notation>(
    game: &mut Game<G>,
    roll: Option<&str>,
    seed: Option<DiceSeed>,
) -> Result<(), TurnFault> {
    if !game.position().awaits_roll() {
        return match roll {
            Some(roll) => Err(TurnFault::RollNotDue(roll.to_owned())),
            None => Ok(()),
        };
    }
    let text = roll.ok_or(TurnFault::NoRoll)?;
    let given = Roll::parse(text).ok_or_else(|| TurnFault::NotARoll(text.to_owned()))?;
    if let Some(seed) = seed {
        let due = seed.roll(game.position().turn_index());
        if due != given {
            return Err(TurnFault::OtherRoll { given, due });
        }
    }
    game.set_roll(given);
    Ok(())
}

/// Reads a turn as token or in the notation that people read.
pub fn read<G: Notation>(position: &G, text: &str) -> Option<Turn<G::Step>> {
    if let Ok(turn) = parse_turn(position, text) {
        return Some(turn);
    }
    let mut turn = Turn::new();
    read_san(position, text, &mut turn).then_some(turn)
}

/// Reads the rest of a turn in the notation that people read, whose steps may have commas of their own.
fn read_san<G: Notation>(position: &G, text: &str, turn: &mut Turn<G::Step>) -> bool {
    const SIGNS: [char; 4] = ['+', '#', '!', '?'];
    for step in legal_steps(position) {
        let san = position.step_san(step);
        let Some(rest) = text.strip_prefix(san.trim_end_matches(SIGNS)) else {
            continue;
        };
        let rest = rest.trim_start_matches(SIGNS);
        let mut next = *position;
        next.play(step);
        turn.push(step);
        let is_read = match rest.strip_prefix(',') {
            // What follows a whole turn would be the other side's.
            Some(rest) => next.is_mid_turn() && read_san(&next, rest, turn),
            None => rest.is_empty(),
        };
        if is_read {
            return true;
        }
        turn.pop();
    }
    false
}

/// Checks a game of a JSON Lines record against its tournament: players, dice seed, turns, rolls and end.
///
/// # Errors
/// The first thing that is not right.
pub fn verify<G: Notation>(
    header: &Header,
    game: &GameRecord,
    options: &G::Options,
) -> Result<(), ReplayError> {
    check_game(header, game)?;
    let transcript = Transcript::of(game);
    match transcript.dice_seed {
        Some(seed) => {
            let brought = G::from_fen(&game.start, options)
                .ok()
                .and_then(|parsed| parsed.seed);
            let round = header.plan(game.game).map_or(0, |plan| plan.round);
            let due =
                brought.unwrap_or_else(|| DiceSeed(derive(header.seed, Purpose::Dice, round)));
            let is_from_book = matches!(header.openings, Openings::File { .. });
            if seed.parse() != Ok(due) && !is_from_book {
                let seed = seed.to_owned();
                return Err(ReplayError::OtherSeed { seed, due });
            }
        }
        None if G::HAS_CHANCE => return Err(ReplayError::NoSeed),
        None => {}
    }
    let (end, _) = transcript.replay::<G>(options)?;
    let doubler = end.position().side_to_move();
    let (passes, result) = (game.termination == Termination::Pass, game.result);
    if passes && result != GameResult::win(doubler) {
        let loser = !doubler;
        return Err(ReplayError::OtherForfeit { loser, result });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::rules::NoOptions;
    use fauve_engine::rules::chess::Chess;
    use fauve_engine::rules::twomove::{Options, TwoMove};

    #[test]
    fn a_turn_ends_where_the_other_side_moves() {
        let start = Chess::start(&NoOptions);
        assert!(read(&start, "e4").is_some());
        assert_eq!(read(&start, "e4,e5"), None);
        let first = TwoMove::start(&Options::default());
        assert_eq!(read(&first, "e4,d4"), None, "White begins with one move");
    }

    #[test]
    fn row_08_what_a_game_calls_its_turns_is_read() {
        use fauve_engine::Variant;
        use fauve_engine::rules::{Chance, Rules, for_each_turn, turn_san, turn_token};
        use fauve_engine::with_game;
        for &variant in Variant::ALL {
            with_game!(variant, G => {
                let options = <G as Rules>::Options::default();
                let mut position = G::start(&options);
                for number in 0..6 {
                    if position.awaits_roll() {
                        position.set_roll(DiceSeed(number).roll(position.turn_index()));
                    }
                    let mut next = None;
                    for_each_turn(&position, &mut |turn, after| {
                        // Two ways to say the same may lead to one position; what is read is a turn of that name.
                        let san = turn_san(&position, turn);
                        let read = read(&position, &san);
                        let read = read.unwrap_or_else(|| panic!("{variant}: {san}"));
                        assert_eq!(turn_san(&position, &read), san, "{}", turn_token(&position, turn));
                        next = Some(*after);
                    });
                    position = next.expect("a turn");
                }
            });
        }
    }
}
