//! Games in files: what game a PGN is of, and by which rules.

use super::conditions::rules;
use crate::wire::options::{Effect, definitions};
use anyhow::{Context, Result};
use fauve_engine::Variant;
use fauve_engine::rules::{RuleSettings, printable};
use fauve_referee::record::pgn::PgnGame;

/// What other programs call the game that we call chess.
const CHESS: [&str; 3] = ["standard", "normal", "from position"];

/// The game that a file names.
///
/// # Errors
/// When it is not known here.
pub(super) fn variant_of(name: &str) -> Result<Variant> {
    if CHESS.iter().any(|chess| name.eq_ignore_ascii_case(chess)) {
        return Ok(Variant::Chess);
    }
    Variant::from_name(name)
        .with_context(|| format!("the game '{}' is not known here", printable(name)))
}

/// The game of a PGN: what its tag says, else `default`.
///
/// # Errors
/// When the tag names no game that is known here.
pub(super) fn variant_of_pgn(game: &PgnGame, default: Variant) -> Result<Variant> {
    game.tag("Variant").map_or(Ok(default), variant_of)
}

/// The rules of a PGN.
///
/// # Errors
/// A value that a switch does not take.
pub(super) fn rules_of_pgn(game: &PgnGame) -> Result<RuleSettings> {
    rules(&rule_tags(game))
}

/// The rule switches of a PGN by the names of the options; as tags they are one word.
pub(super) fn rule_tags(game: &PgnGame) -> Vec<(String, String)> {
    definitions()
        .into_iter()
        .filter(|definition| definition.effect == Effect::Rules)
        .filter_map(|definition| {
            let value = game.tag(&definition.name.replace(' ', ""))?;
            Some((definition.name.to_owned(), value.to_owned()))
        })
        .collect()
}
