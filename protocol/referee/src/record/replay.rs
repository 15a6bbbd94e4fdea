//! Recorded games against their tournament: players, dice, turns and ends.

use crate::plan::openings::Openings;
use crate::plan::schedule::{RngStream, derive};
use crate::record::game::{GameRecord, GameResult, Termination};
use crate::record::header::Header;
use crate::record::lines::{GameFault, check_game};
use fauve_engine::rules::{DiceSeed, Notation, printable};
use fauve_game::replay::{Claim, ReplayError, Transcript};

/// Why a game does not belong into a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
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
    /// Dice without a seed.
    #[error("no dice seed")]
    NoSeed,
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
            forfeited: game.termination.is_forfeit()
                || game.termination == Termination::Resignation,
        },
    }
}

/// Checks a game of a JSON Lines record against its tournament: players, dice seed, turns, rolls and end.
///
/// # Errors
/// The first thing that is not right.
pub fn verify<G: Notation>(
    header: &Header,
    game: &GameRecord,
    options: &G::Options,
) -> Result<(), VerifyError> {
    check_game(header, game)?;
    match &game.dice_seed {
        Some(seed) => {
            let brought = G::from_fen(&game.start, options)
                .ok()
                .and_then(|parsed| parsed.seed);
            let round = header.plan(game.game).map_or(0, |plan| plan.round);
            let due =
                brought.unwrap_or_else(|| DiceSeed(derive(header.seed, RngStream::Dice, round)));
            let is_from_book = matches!(header.openings, Openings::File { .. });
            if seed.parse() != Ok(due) && !is_from_book {
                let seed = seed.clone();
                return Err(VerifyError::OtherSeed { seed, due });
            }
        }
        None if G::HAS_CHANCE => return Err(VerifyError::NoSeed),
        None => {}
    }
    let played = transcript(game).replay::<G>(options)?;
    let doubler = played.side();
    let (passes, result) = (game.termination == Termination::Pass, game.result);
    if passes && result != GameResult::win(doubler) {
        let loser = !doubler;
        return Err(ReplayError::OtherForfeit { loser, result }.into());
    }
    Ok(())
}
