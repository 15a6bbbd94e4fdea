//! Games of files as games that can be begun, and a served game as PGN.

use crate::games::LONGEST_NAME;
use crate::wire::{NewGame, Player};
use fauve_game::names;
use fauve_game::pgn::PgnGame;
use std::sync::Arc;

/// A game of a PGN. One that is not played here keeps its name, by which it is refused.
pub(crate) fn of_pgn(game: PgnGame, default: &str) -> NewGame {
    let name = |tag| game.tag(tag).unwrap_or("?");
    NewGame {
        variant: variant_of(&game, default),
        names: names_of(name("White"), name("Black")),
        pgn: Some(Arc::new(game)),
        ..NewGame::default()
    }
}

/// The name of the game that a PGN is of, as it is known here.
pub(crate) fn variant_of(game: &PgnGame, default: &str) -> String {
    let named = game.tag("Variant").unwrap_or(default);
    names::variant(named).map_or_else(|_| named.to_owned(), |known| known.name().to_owned())
}

/// A game of a record.
///
/// # Errors
/// A game or rule switch that is not known here.
#[cfg(feature = "server")]
pub(crate) fn of_record(
    header: &fauve_referee::record::Header,
    game: &fauve_referee::record::GameRecord,
) -> Result<NewGame, names::NameError> {
    use fauve_referee::record::pgn::pgn_game;
    let variant = names::variant(&header.variant)?;
    let rules = header.rule_settings()?;
    let game =
        fauve_engine::with_game!(variant, G => pgn_game::<G>(header, game, &rules.options()));
    Ok(of_pgn(game, variant.name()))
}

/// How a person at the page is called in a file.
pub(crate) const HUMAN: &str = "Human";

/// How the engine at a level is called in a file.
pub(crate) fn engine_name(level: u32) -> String {
    format!("Fauve, level {level}")
}

/// How a player is called in a file.
pub(crate) fn called(player: &Player) -> String {
    match player {
        Player::Human => HUMAN.to_owned(),
        Player::Engine { level } => engine_name(*level),
        Player::Program { name } => name.clone(),
    }
}

/// The level of an engine that is called so.
#[cfg(feature = "server")]
pub(crate) fn engine_of(name: &str) -> Option<u32> {
    name.strip_prefix("Fauve, level ")?.parse().ok()
}

/// The names of players, cut to what a board has room for; nothing where both are unknown.
pub(crate) fn names_of(white: &str, black: &str) -> Option<[String; 2]> {
    let known = [white, black] != ["?", "?"];
    known.then(|| [white, black].map(|name| name.chars().take(LONGEST_NAME).collect()))
}

/// A served game as PGN.
pub(crate) fn export(state: &crate::session::GameState) -> String {
    export_with(state, &[])
}

/// A served game as PGN, with tags behind its own, see [`crate::play::AnyGame::pgn`].
pub(crate) fn export_with(
    state: &crate::session::GameState,
    more: &[(&str, Option<String>)],
) -> String {
    let names = state.names.clone();
    let names = names.unwrap_or_else(|| state.players.each_ref().map(called));
    state.game.pgn(names, more)
}
