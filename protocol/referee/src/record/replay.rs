//! Recorded games against their tournament: players, openings, dice, turns, luck and ends.

use crate::plan::openings::{OpeningError, Openings};
use crate::plan::schedule::{RngStream, derive};
use crate::player::identity::this_program;
use crate::record::adjudication::Adjudicator;
use crate::record::game::{GameRecord, GameResult, Termination};
use crate::record::header::Header;
use crate::record::lines::{GameFault, check_game};
use fauve_engine::rules::{DiceSeed, Roll, printable};
use fauve_engine::search::Engine;
use fauve_game::luck::total;
use fauve_game::played::Played;
use fauve_game::replay::{Claim, ReplayError, Transcript};

/// Why a game does not belong into a record.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum VerifyError {
    /// The game is not one of the tournament's.
    #[error(transparent)]
    NotDue(#[from] GameFault),
    /// Its turns, rolls or end are not right.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The dice are not those of the tournament.
    #[error("the dice seed is {}, the tournament gives {due:016}", printable(seed))]
    OtherSeed {
        /// The seed of the record.
        seed: String,
        /// That of the tournament.
        due: DiceSeed,
    },
    /// It begins somewhere else.
    #[error(
        "it begins at {}, and the tournament gives {}",
        printable(start),
        printable(due)
    )]
    OtherOpening {
        /// The first position of the record.
        start: String,
        /// That of the tournament.
        due: String,
    },
    /// There is no opening to compare with.
    #[error("{0}")]
    NoOpening(String),
    /// The settings of the tournament end the game in another way.
    #[error(
        "by the settings of the tournament it ends otherwise{}: {due}",
        turns.map_or(String::new(), |turns| format!(" after {turns} turns"))
    )]
    OtherAdjudication {
        /// How.
        due: String,
        /// After how many turns, if there are more in the record.
        turns: Option<u64>,
    },
    /// The record says that the players' values have ended it, but they have not.
    #[error("the record says that it was adjudicated, but the values of the players do not end it")]
    NotAdjudicated,
    /// The luck of the dice is another one.
    #[error("the luck of the dice is {due}, the record says {luck}")]
    OtherLuck {
        /// That of the record.
        luck: f64,
        /// That of the rolls.
        due: f64,
    },
    /// The words are not those of the end.
    #[error("the reason of its end is not '{}'", printable(.0))]
    OtherReason(String),
    /// Dice without a seed.
    #[error("no dice seed")]
    NoSeed,
}

impl From<OpeningError> for VerifyError {
    fn from(error: OpeningError) -> Self {
        Self::NoOpening(error.to_string())
    }
}

/// The transcript of a record's game.
pub fn transcript(game: &GameRecord) -> Transcript<'_> {
    Transcript {
        start: &game.start,
        dice_seed: game.dice_seed.as_deref(),
        turns: game
            .turns
            .iter()
            .map(|turn| (turn.roll.as_deref(), turn.token.as_str()))
            .collect(),
        end: Claim {
            result: Some(game.result),
            by_rules: Some(game.termination == Termination::Rules),
            forfeit: (game.termination.is_forfeit()
                || game.termination == Termination::Resignation)
                .then_some(game.termination),
        },
    }
}

/// Checks the games of a record against their tournament.
#[derive(Debug)]
pub struct Verifier<'a, G: Engine> {
    header: &'a Header,
    options: &'a G::Options,
    /// Whether this program has played the games: its openings, its luck and its words can be expected then.
    is_own: bool,
    /// The latest opening, by its number: both games of a pair have it.
    opening: Option<(u64, String)>,
}

impl<'a, G: Engine> Verifier<'a, G> {
    /// A verifier of a tournament's games.
    pub fn new(header: &'a Header, options: &'a G::Options) -> Self {
        let referee = header.referee.as_ref();
        Self {
            header,
            options,
            is_own: referee.is_some_and(|referee| {
                this_program().is_some_and(|program| program.is_same(referee))
            }),
            opening: None,
        }
    }

    /// What cannot be checked, as sentences.
    pub fn unchecked(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        match &self.header.openings {
            Openings::File { path, book, .. } if book.is_elsewhere() => sentences.push(format!(
                "openings are not checked: the book {} is not at hand; --openings FILE gives it",
                printable(path)
            )),
            _ => {}
        }
        if !self.is_own {
            sentences.push(
                "random openings, luck and the words of reasons are not checked: another build has played the games"
                    .to_owned(),
            );
        }
        sentences
    }

    /// Checks a game: players, opening, dice seed, turns, rolls, luck and end.
    ///
    /// # Errors
    /// The first thing that is not right.
    pub fn verify(&mut self, game: &GameRecord) -> Result<(), VerifyError> {
        check_game(self.header, game)?;
        self.check_opening(game)?;
        self.check_seed(game)?;
        let played = transcript(game).replay::<G>(self.options)?;
        let doubler = played.side();
        let (passes, result) = (game.termination == Termination::Pass, game.result);
        if passes && result != GameResult::win(doubler) {
            let loser = !doubler;
            return Err(ReplayError::OtherForfeit { loser, result }.into());
        }
        self.check_adjudication(game, &played)?;
        if self.is_own {
            check_reason(game, &played)?;
            self.check_luck(game, &played)?;
        }
        Ok(())
    }

    fn check_opening(&mut self, game: &GameRecord) -> Result<(), VerifyError> {
        let openings = &self.header.openings;
        let is_known = match openings {
            Openings::Start | Openings::Named(_) => true,
            Openings::Random { .. } => self.is_own,
            Openings::File { book, .. } => !book.is_empty(),
        };
        let Some(plan) = self.header.plan(game.game).filter(|_| is_known) else {
            return Ok(());
        };
        if self
            .opening
            .as_ref()
            .is_none_or(|(number, _)| *number != plan.opening)
        {
            let opening = openings.of_round::<G>(self.header.seed, plan.opening, self.options)?;
            self.opening = Some((plan.opening, opening.position.fen()));
        }
        match &self.opening {
            Some((_, due)) if *due != game.start => Err(VerifyError::OtherOpening {
                start: game.start.clone(),
                due: due.clone(),
            }),
            _ => Ok(()),
        }
    }

    fn check_seed(&self, game: &GameRecord) -> Result<(), VerifyError> {
        let header = self.header;
        match &game.dice_seed {
            Some(seed) => {
                let brought = G::from_fen(&game.start, self.options)
                    .ok()
                    .and_then(|parsed| parsed.seed);
                let number = header.plan(game.game).map_or(0, |plan| plan.opening);
                let due = brought
                    .unwrap_or_else(|| DiceSeed(derive(header.seed, RngStream::Dice, number)));
                let is_from_book = matches!(header.openings, Openings::File { .. });
                if seed.parse() != Ok(due) && !is_from_book {
                    let seed = seed.clone();
                    return Err(VerifyError::OtherSeed { seed, due });
                }
                Ok(())
            }
            None if G::HAS_CHANCE => Err(VerifyError::NoSeed),
            None => Ok(()),
        }
    }

    /// Computes adjudication again, turn by turn.
    fn check_adjudication(&self, game: &GameRecord, played: &Played<G>) -> Result<(), VerifyError> {
        let mut adjudicator = Adjudicator::default();
        let mut end = None;
        let count = game.turns.len() as u64;
        for ((turns, turn), node) in (0..).zip(&game.turns).zip(played.turns()) {
            if let Some(end) = adjudicator.end(self.header, turns) {
                let (due, turns) = (end.reason, Some(turns));
                return Err(VerifyError::OtherAdjudication { due, turns });
            }
            if turn.ms.is_some() {
                adjudicator.note(self.header, node.turn.before.side_to_move(), turn);
            }
        }
        if game.termination != Termination::Rules {
            end = adjudicator.end(self.header, count);
        }
        match (end, game.termination) {
            (Some(end), Termination::Adjudication) if end.result == game.result => Ok(()),
            (Some(end), _) => Err(VerifyError::OtherAdjudication {
                due: end.reason,
                turns: None,
            }),
            (None, Termination::Adjudication) => Err(VerifyError::NotAdjudicated),
            (None, _) => Ok(()),
        }
    }

    fn check_luck(&self, game: &GameRecord, played: &Played<G>) -> Result<(), VerifyError> {
        let (Some(luck), true) = (game.luck, self.header.luck && G::HAS_CHANCE) else {
            return Ok(());
        };
        let rolls: Vec<(G, Roll)> = played
            .turns()
            .iter()
            .filter_map(|node| Some((node.turn.before, node.turn.roll?)))
            .collect();
        match total(&rolls) {
            Some(due) if (due - luck).abs() > 2e-6 => Err(VerifyError::OtherLuck { luck, due }),
            _ => Ok(()),
        }
    }
}

/// The words for the end have to be those of the end.
fn check_reason<G: Engine>(game: &GameRecord, played: &Played<G>) -> Result<(), VerifyError> {
    let is_right = match game.termination {
        Termination::Rules => played
            .outcome()
            .is_none_or(|outcome| GameResult::by_rules(outcome).1 == game.reason),
        Termination::Adjudication => match game.result {
            GameResult::White => game.reason == "White wins by adjudication",
            GameResult::Black => game.reason == "Black wins by adjudication",
            GameResult::Draw => game.reason.starts_with("draw by adjudication"),
        },
        // A double is passed by the side that is not to move, so the result names the loser where there is one.
        _ => {
            let loser = game.result.winner().map_or(played.side(), |winner| !winner);
            game.reason.starts_with(loser.name())
        }
    };
    if is_right {
        return Ok(());
    }
    Err(VerifyError::OtherReason(game.reason.clone()))
}
