//! Games from text: PGN, records of matches, lists of tokens.

use crate::games::LONGEST_NAME;
use crate::wire::NewGame;
use fauve_engine::Variant;
use fauve_referee::record::lines::parse as parse_record;
use fauve_referee::record::{GameRecord, Header, pgn};
use serde::{Deserialize, Serialize};

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
            .collect()
    } else {
        of_pgn(text, variant)
    };
    if games.is_empty() {
        return Err("there is no game in it".to_owned());
    }
    Ok(games)
}

fn of_pgn(text: &str, variant: &str) -> Vec<Imported> {
    let games = pgn::parse(text).into_iter().take(MOST_GAMES).enumerate();
    let games = games.map(|(index, game)| {
        let tag = |name: &str| game.tag(name).unwrap_or("?").to_owned();
        let variant = game
            .tag("Variant")
            .and_then(Variant::from_name)
            .map_or_else(|| variant.to_owned(), |variant| variant.name().to_owned());
        Imported {
            listed: Listed {
                index,
                variant: variant.clone(),
                white: tag("White"),
                black: tag("Black"),
                result: game.result.clone(),
                turns: game.turns.len(),
            },
            game: NewGame {
                variant,
                fen: game.tag("FEN").map(str::to_owned),
                seed: game.tag("DiceSeed").map(str::to_owned),
                turns: turns(
                    game.turns
                        .iter()
                        .map(|(roll, turn)| (roll.as_deref(), turn.as_str())),
                ),
                names: names(&tag("White"), &tag("Black")),
                ..NewGame::default()
            },
        }
    });
    games.collect()
}

/// A game of a record.
pub(crate) fn of_record(index: usize, header: &Header, game: &GameRecord) -> Imported {
    Imported {
        listed: Listed {
            index,
            variant: header.variant.clone(),
            white: game.white.clone(),
            black: game.black.clone(),
            result: game.result.text().to_owned(),
            turns: game.turns.len(),
        },
        game: NewGame {
            variant: header.variant.clone(),
            fen: Some(game.start.clone()),
            seed: game.dice_seed.clone(),
            turns: turns(
                game.turns
                    .iter()
                    .map(|turn| (turn.roll.as_deref(), turn.token.as_str())),
            ),
            names: names(&game.white, &game.black),
            ..NewGame::default()
        },
    }
}

/// The names of players, cut to what a board has room for; nothing where both are unknown.
fn names(white: &str, black: &str) -> Option<[String; 2]> {
    let known = [white, black] != ["?", "?"];
    known.then(|| [white, black].map(|name| name.chars().take(LONGEST_NAME).collect()))
}

/// Turns with their rolls, as tokens.
fn turns<'a>(turns: impl Iterator<Item = (Option<&'a str>, &'a str)>) -> Vec<String> {
    turns
        .map(|(roll, turn)| match roll {
            Some(roll) => format!("{roll}:{turn}"),
            None => turn.to_owned(),
        })
        .collect()
}

/// A served game as PGN.
pub(crate) fn export(table: &crate::seat::Table) -> String {
    let game = &table.game;
    let end = table.end();
    let name = |side: usize| match (&table.names, table.players[side]) {
        (Some(names), _) => names[side].clone(),
        (None, crate::wire::Player::Human) => "Human".to_owned(),
        (None, crate::wire::Player::Engine { level }) => format!("Fauve, level {level}"),
    };
    let result = end.as_ref().map_or("*", |end| end.result);
    let mut tags = vec![
        ("Event", "Game on the board".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", "?".to_owned()),
        ("White", name(0)),
        ("Black", name(1)),
        ("Result", result.to_owned()),
    ];
    if game.variant() != Variant::default() {
        tags.push(("Variant", game.variant().name().to_owned()));
    }
    let start = game.start_fen();
    if start
        != fauve_engine::with_game!(game.variant(), G => {
            use fauve_engine::rules::Notation;
            G::start(&<G as fauve_engine::rules::Rules>::Options::default()).fen()
        })
    {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", start));
    }
    if let Some(seed) = game.seed() {
        tags.push(("DiceSeed", seed.to_string()));
    }
    if let Some(end) = &end {
        tags.push(("EndReason", end.text.clone()));
    }
    game.pgn(&tags, result)
}
