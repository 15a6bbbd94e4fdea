//! Playing recorded games again: every turn and roll is checked, and the end.

use crate::matches::game::by_rules_result;
use crate::plan::schedule::{Plan, Purpose, derive};
use crate::record::{GameRecord, GameResult, Header, Termination};
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, Game, Notation, Roll, Turn, legal_steps, parse_turn};

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
    /// The result.
    pub result: GameResult,
    /// Whether the rules ended the game.
    pub by_rules: bool,
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
            result: game.result,
            by_rules: game.termination == Termination::Rules,
            forfeited: game.termination.is_forfeit()
                || game.termination == Termination::Resignation,
        }
    }

    /// Plays the game again.
    ///
    /// # Errors
    /// A sentence about the first thing that is not right.
    pub fn replay<G: Notation>(
        &self,
        switches: &G::Options,
    ) -> Result<(Game<G>, Vec<Played<G>>), String> {
        let parsed = G::from_fen(self.start, switches).map_err(|error| error.to_string())?;
        let mut game = Game::new(parsed.position, *switches);
        let seed = match self.dice_seed {
            Some(text) => Some(
                text.parse()
                    .map_err(|_| format!("'{text}' is not a dice seed"))?,
            ),
            None => parsed.seed,
        };
        let mut played = Vec::with_capacity(self.turns.len());
        for (number, (roll, token)) in self.turns.iter().enumerate() {
            let fail = |what: String| format!("turn {}: {what}", number + 1);
            if let Some(outcome) = game.outcome() {
                return Err(fail(format!("the game was over before: {outcome}")));
            }
            set_roll(&mut game, *roll, seed).map_err(fail)?;
            let before = *game.position();
            let turn =
                read(&before, token).ok_or_else(|| fail(format!("'{token}' is not legal")))?;
            for &step in &turn {
                game.play(step);
            }
            if game.position().is_mid_turn() && game.outcome().is_none() {
                return Err(fail(format!("'{token}' is not a whole turn")));
            }
            played.push(Played { before, turn });
        }
        self.check_end(&game)?;
        Ok((game, played))
    }

    fn check_end<G: Notation>(&self, game: &Game<G>) -> Result<(), String> {
        match game.outcome() {
            Some(outcome) => {
                let (result, reason) = by_rules_result(outcome);
                if result != self.result || !self.by_rules {
                    return Err(format!(
                        "the rules end it {} ({reason}), the record says {}{}",
                        result.text(),
                        self.result.text(),
                        if self.by_rules {
                            ""
                        } else {
                            " for another reason"
                        }
                    ));
                }
            }
            None if self.by_rules => {
                return Err("the record says that the rules ended it, but they do not".to_owned());
            }
            None if self.forfeited => {
                let loser = game.position().side_to_move();
                if self.result != GameResult::win(!loser) {
                    return Err(format!(
                        "{} forfeits, but the result is {}",
                        loser.name(),
                        self.result.text()
                    ));
                }
            }
            None => {}
        }
        Ok(())
    }
}

/// Gives the game the roll of the record, which has to be the roll of the seed.
pub fn set_roll<G: Notation>(
    game: &mut Game<G>,
    roll: Option<&str>,
    seed: Option<DiceSeed>,
) -> Result<(), String> {
    if !game.position().awaits_roll() {
        return match roll {
            Some(roll) => Err(format!("a roll {roll} where none is due")),
            None => Ok(()),
        };
    }
    let text = roll.ok_or("no roll")?;
    let given = Roll::parse(text).ok_or_else(|| format!("'{text}' is not a roll"))?;
    if let Some(seed) = seed {
        let due = seed.roll(game.position().turn_index());
        if due != given {
            return Err(format!("the roll is {given}, the seed gives {due}"));
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
    let mut position = *position;
    for part in text.split(',') {
        let bare = |san: &str| san.trim_end_matches(['+', '#', '!', '?']).to_owned();
        let wanted = bare(part);
        let step = legal_steps(&position)
            .into_iter()
            .find(|&step| bare(&position.step_san(step)) == wanted)?;
        position.play(step);
        turn.push(step);
    }
    Some(turn)
}

/// Checks a game of a JSON Lines record against its tournament: players, dice seed, turns, rolls and end.
///
/// # Errors
/// A sentence about the first thing that is not right.
pub fn verify<G: Notation>(
    header: &Header,
    game: &GameRecord,
    switches: &G::Options,
) -> Result<(), String> {
    let pairings = header.pairings.list(header.engines.len());
    if pairings.is_empty() || game.game == 0 {
        return Err("no such game in the tournament".to_owned());
    }
    let plan = Plan::of(game.game, &pairings);
    if plan.round >= header.rounds {
        return Err("no such game in the tournament".to_owned());
    }
    for (index, name) in [(plan.white, &game.white), (plan.black, &game.black)] {
        if header.engines[index].name != *name {
            return Err(format!(
                "{name} does not play this game, {} does",
                header.engines[index].name
            ));
        }
    }
    let transcript = Transcript::of(game);
    if let Some(text) = transcript.dice_seed {
        let brought = G::from_fen(&game.start, switches)
            .ok()
            .and_then(|parsed| parsed.seed);
        let from_book = matches!(
            header.openings,
            crate::plan::openings::Openings::File { .. }
        );
        let due =
            brought.unwrap_or_else(|| DiceSeed(derive(header.seed, Purpose::Dice, plan.round)));
        if text.parse() != Ok(due) && !from_book {
            return Err(format!(
                "the dice seed is {text}, the tournament gives {due:016}"
            ));
        }
    } else if G::HAS_CHANCE {
        return Err("no dice seed".to_owned());
    }
    transcript.replay::<G>(switches).map(|_| ())
}

/// The side that made turn `index` (from 0) of a replayed game.
pub fn mover<G: Notation>(played: &[Played<G>], index: usize) -> Option<Color> {
    played.get(index).map(|turn| turn.before.side_to_move())
}
