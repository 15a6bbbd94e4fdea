//! What a file says of the game and its rules, by name.

use crate::pgn::PgnGame;
use crate::tags::Tags;
use fauve_engine::Variant;
use fauve_engine::games::rule_options;
use fauve_engine::rules::{RuleSettings, ValueError, printable};

/// What other programs call the game that we call chess.
const CHESS: [&str; 3] = ["standard", "normal", "from position"];

/// Why the game or the rules of a file are not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// A game that is not played here.
    #[error("the game '{}' is not known here", printable(.0))]
    Game(String),
    /// A rule switch that no game has.
    #[error("there is no rule switch '{}'", printable(.0))]
    Rule(String),
    /// A value that a switch does not take.
    #[error(transparent)]
    Value(#[from] ValueError),
}

/// The game of a name.
///
/// # Errors
/// When it is not known here.
pub fn variant(name: &str) -> Result<Variant, NameError> {
    if CHESS.iter().any(|chess| name.eq_ignore_ascii_case(chess)) {
        return Ok(Variant::Chess);
    }
    Variant::from_name(name).ok_or_else(|| NameError::Game(name.to_owned()))
}

/// The game of a PGN: what its tag says, else `default`.
///
/// # Errors
/// When the tag names no game that is known here.
pub fn variant_of_pgn(game: &PgnGame, default: Variant) -> Result<Variant, NameError> {
    game.tag("Variant").map_or(Ok(default), variant)
}

/// Rule switches by the names of the options.
///
/// # Errors
/// A name that no rule has, or a value that it does not take.
pub fn rules<'a>(
    switches: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<RuleSettings, NameError> {
    let options = rule_options();
    let mut settings = RuleSettings::default();
    for (name, value) in switches {
        let (option, _) = options
            .iter()
            .find(|(option, _)| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| NameError::Rule(name.to_owned()))?;
        settings.set(option, option.read(value)?);
    }
    Ok(settings)
}

/// The rule switches of a PGN by the names of the options; as tags they are one word.
pub fn rule_tags(tags: &Tags) -> Vec<(String, String)> {
    rule_options()
        .into_iter()
        .filter_map(|(option, _)| {
            let value = tags.get(&tag_name(option.name))?;
            Some((option.name.to_owned(), value.to_owned()))
        })
        .collect()
}

/// The rules of a PGN.
///
/// # Errors
/// A value that a switch does not take.
pub fn rules_of_pgn(game: &PgnGame) -> Result<RuleSettings, NameError> {
    let tags = rule_tags(&game.tags);
    rules(
        tags.iter()
            .map(|(name, value)| (name.as_str(), value.as_str())),
    )
}

/// The tag of a rule switch, `PromotionPool` for `Promotion Pool`.
pub fn tag_name(option: &str) -> String {
    option.chars().filter(char::is_ascii_alphanumeric).collect()
}
