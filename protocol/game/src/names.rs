//! Names of games and rule options in files.

use crate::pgn::PgnGame;
use crate::tags::Tags;
use fauve_engine::Variant;
use fauve_engine::games::rule_options;
use fauve_engine::rules::chess::CHESS960;
use fauve_engine::rules::{RuleSettings, ValueError, printable};

/// Names of chess in files of other programs.
const CHESS: [&str; 3] = ["standard", "normal", "from position"];

/// Names of Chess960 in files of other programs, and in this program's.
const NAMES_OF_CHESS960: [&str; 6] = [
    "chess960",
    "chess 960",
    "fischerandom",
    "fischerrandom",
    "fischer random",
    "freestyle",
];

/// Whether a name is one of Chess960, which is chess with a rule option.
pub fn is_chess960(name: &str) -> bool {
    let mut names = NAMES_OF_CHESS960.iter();
    names.any(|known| name.eq_ignore_ascii_case(known))
}

/// Errors in the game or the rule options that a file names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// An unknown game.
    #[error("the game '{}' is not known here", printable(.0))]
    Game(String),
    /// An unknown rule option.
    #[error("there is no rule switch '{}'", printable(.0))]
    Rule(String),
    /// An invalid value of a rule option.
    #[error(transparent)]
    Value(#[from] ValueError),
}

/// Looks up a game by name.
///
/// # Errors
/// When the game is unknown.
pub fn variant(name: &str) -> Result<Variant, NameError> {
    if CHESS.iter().any(|chess| name.eq_ignore_ascii_case(chess)) || is_chess960(name) {
        return Ok(Variant::Chess);
    }
    Variant::from_name(name).ok_or_else(|| NameError::Game(name.to_owned()))
}

/// The game of a PGN: that of its `Variant` tag, else `default`.
///
/// # Errors
/// When the tag names an unknown game.
pub fn variant_of_pgn(game: &PgnGame, default: Variant) -> Result<Variant, NameError> {
    game.tag("Variant").map_or(Ok(default), variant)
}

/// Rule settings from pairs of option name and value.
///
/// # Errors
/// An unknown rule option or an invalid value.
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

/// The rule options in the tags of a PGN, as pairs of option name and value; the tag of an option is its name as one word.
/// Chess960 is known by its `Variant` tag.
pub fn rule_tags(tags: &Tags) -> Vec<(String, String)> {
    let is_chess960 = tags.get("Variant").is_some_and(is_chess960);
    rule_options()
        .into_iter()
        .filter_map(|(option, _)| {
            let value = match tags.get(&tag_name(option.name)) {
                None if is_chess960 && option == CHESS960 => "true",
                value => value?,
            };
            Some((option.name.to_owned(), value.to_owned()))
        })
        .collect()
}

/// Writes a rule option to the tags of a PGN, where [`rule_tags`] finds it. Chess960 gets the `Variant` tag that other
/// programs know.
pub fn set_rule_tag(tags: &mut Tags, option: &str, value: &str) {
    if !option.eq_ignore_ascii_case(CHESS960.name) {
        tags.set(&tag_name(option), value);
    } else if value.eq_ignore_ascii_case("true") {
        tags.set("Variant", "Chess960");
    }
}

/// The rules of a PGN.
///
/// # Errors
/// An invalid value of a rule option.
pub fn rules_of_pgn(game: &PgnGame) -> Result<RuleSettings, NameError> {
    let tags = rule_tags(&game.tags);
    rules(
        tags.iter()
            .map(|(name, value)| (name.as_str(), value.as_str())),
    )
}

/// The PGN tag of a rule option, `PromotionPool` for `Promotion Pool`.
fn tag_name(option: &str) -> String {
    option.chars().filter(char::is_ascii_alphanumeric).collect()
}
