//! Games from text: PGN, records of matches, lists of tokens.

use crate::games::LONGEST_NAME;
use crate::wire::NewGame;
use fauve_engine::with_game;
use fauve_game::names::{self, NameError};
use fauve_game::pgn::{self, PgnGame};
use fauve_referee::record::lines::parse as parse_record;
use fauve_referee::record::pgn::pgn_game;
use fauve_referee::record::{GameRecord, Header};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most games of a text that are listed.
const MOST_GAMES: usize = 2000;

/// A text with games, and which of them is wanted; without a number they are listed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    pub(crate) text: String,
    /// The game that a PGN without a Variant tag is of.
    pub(crate) variant: String,
    #[serde(default)]
    pub(crate) index: Option<usize>,
}

/// A game of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Listed {
    pub(crate) index: usize,
    pub(crate) variant: String,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) result: String,
    pub(crate) turns: usize,
}

/// A game of a text: what is listed of it, and what it takes to play it again.
#[derive(Clone, Debug)]
pub(crate) struct Imported {
    pub(crate) listed: Listed,
    pub(crate) game: NewGame,
}

/// The games of a text, whatever its format.
///
/// # Errors
/// What cannot be read.
pub(crate) fn read(text: &str, variant: &str) -> Result<Vec<Imported>, String> {
    let games = if text.trim_start().starts_with("{\"") {
        let record = parse_record(text.as_bytes())
            .map_err(|why| why.to_string())?
            .record;
        let header = record.header;
        let games = record.games.iter().take(MOST_GAMES).enumerate();
        games
            .map(|(index, game)| of_record(index, &header, game))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|why| why.to_string())?
    } else {
        let games = pgn::parse(text).into_iter().take(MOST_GAMES).enumerate();
        games
            .map(|(index, game)| of_pgn(index, game, variant))
            .collect()
    };
    match &games[..] {
        [] => Err("there is no game in it".to_owned()),
        // Among several games one that is not played here is refused when it is chosen.
        [only] => match names::variant(&only.listed.variant) {
            Ok(_) => Ok(games),
            Err(why) => Err(why.to_string()),
        },
        _ => Ok(games),
    }
}

/// A game of a PGN. One that is not played here keeps its name, by which it is refused.
fn of_pgn(index: usize, game: PgnGame, default: &str) -> Imported {
    let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
    let named = game.tag("Variant").unwrap_or(default);
    let variant =
        names::variant(named).map_or_else(|_| named.to_owned(), |known| known.name().to_owned());
    Imported {
        listed: Listed {
            index,
            variant: variant.clone(),
            white: tag("White"),
            black: tag("Black"),
            result: game.result_text().to_owned(),
            turns: game.line.turns.len(),
        },
        game: NewGame {
            variant,
            names: names_of(&tag("White"), &tag("Black")),
            pgn: Some(Arc::new(game)),
            ..NewGame::default()
        },
    }
}

/// A game of a record.
///
/// # Errors
/// A game or rule switch that is not known here.
pub(crate) fn of_record(
    index: usize,
    header: &Header,
    game: &GameRecord,
) -> Result<Imported, NameError> {
    let variant = names::variant(&header.variant)?;
    let rules = header.rule_settings()?;
    let game = with_game!(variant, G => pgn_game::<G>(header, game, &rules.options()));
    Ok(of_pgn(index, game, variant.name()))
}

/// The names of players, cut to what a board has room for; nothing where both are unknown.
fn names_of(white: &str, black: &str) -> Option<[String; 2]> {
    let known = [white, black] != ["?", "?"];
    known.then(|| [white, black].map(|name| name.chars().take(LONGEST_NAME).collect()))
}

/// A served game as PGN.
pub(crate) fn export(table: &crate::session::GameState) -> String {
    let name = |side: usize| match (&table.names, table.players[side]) {
        (Some(names), _) => names[side].clone(),
        (None, crate::wire::Player::Human) => "Human".to_owned(),
        (None, crate::wire::Player::Engine { level }) => format!("Fauve, level {level}"),
    };
    table.game.pgn([name(0), name(1)])
}
