use crate::commands::conditions::rules;
use crate::commands::games::{rules_of_pgn, variant_of, variant_of_pgn};
use anyhow::{Context, Result, bail, ensure};
use fauve_engine::rules::{DiceSeed, RuleSettings};
use fauve_engine::{Variant, with_game};
use fauve_referee::plan::openings;
use fauve_referee::record::lines::{check_games, parse};
use fauve_referee::record::pgn::{self, PgnGame, game_tags};

/// What a file holds.
pub(super) enum Source {
    /// Positions, a line each.
    Positions(Vec<String>),
    /// Games.
    Games(Vec<SourceGame>),
}

/// A game to be analysed, whatever its file's format.
pub(super) struct SourceGame {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    /// The game that it is of.
    pub(super) variant: Variant,
    /// The rule switches.
    pub(super) rules: RuleSettings,
    /// What is known about it, as the tags of PGN.
    pub(super) tags: Vec<(String, String)>,
    /// The first position, where it is not the start position.
    pub(super) start: Option<String>,
    /// The seed of the dice.
    pub(super) seed: Option<DiceSeed>,
    /// The turns as they are written, each with its roll.
    pub(super) turns: Vec<(Option<String>, String)>,
    /// The result as PGN writes it, `*` where there is none.
    pub(super) result: String,
}

impl SourceGame {
    /// The value of a tag that says something.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let (_, value) = tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        (!value.is_empty() && value != "?").then_some(value)
    }
}

impl Source {
    /// Reads a record, a PGN, a list of turns, or positions (FEN or EPD), whichever the text is; `variant` is the game where
    /// the text names none.
    ///
    /// # Errors
    /// What cannot be read, or names a game that is not known.
    pub(super) fn read(text: &[u8], variant: Variant) -> Result<Self> {
        let words = String::from_utf8_lossy(text);
        let words = words.trim_start_matches('\u{feff}').trim();
        if words.starts_with('{') && words.contains("\"type\"") {
            return Ok(Self::Games(games_of_record(text)?));
        }
        if openings::lines(words).next().is_some_and(is_position) {
            return Ok(Self::Positions(
                openings::lines(words).map(str::to_owned).collect(),
            ));
        }
        let games = (1..)
            .zip(pgn::parse(words))
            .map(|(number, game)| {
                of_pgn(number, game, variant).with_context(|| format!("game {number}"))
            })
            .collect::<Result<Vec<_>>>()?;
        ensure!(
            !games.is_empty(),
            "there is neither a game nor a position in it"
        );
        Ok(Self::Games(games))
    }
}

/// Whether a line looks like a position string and not like the moves of a game: ranks in its first word, and a side.
fn is_position(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let board = words.next().unwrap_or_default();
    let side = words.next().unwrap_or_default();
    !board.starts_with('[') && board.contains('/') && matches!(side, "w" | "b")
}

fn games_of_record(text: &[u8]) -> Result<Vec<SourceGame>> {
    let record = parse(text)?.record;
    check_games(&record)?;
    let variant = variant_of(&record.header.variant)?;
    let rules = rules(&record.header.rules)?;
    let games = record.games.iter().enumerate().map(|(place, game)| {
        let tags = with_game!(variant, G => game_tags::<G>(&record.header, game, &rules.options()));
        SourceGame {
            number: place + 1,
            variant,
            rules: rules.clone(),
            tags,
            start: Some(game.start.clone()),
            seed: game.dice_seed.as_deref().and_then(|seed| seed.parse().ok()),
            turns: game
                .turns
                .iter()
                .map(|turn| (turn.roll.clone(), turn.token.clone()))
                .collect(),
            result: game.result.text().to_owned(),
        }
    });
    Ok(games.collect())
}

fn of_pgn(number: usize, game: PgnGame, variant: Variant) -> Result<SourceGame> {
    let variant = variant_of_pgn(&game, variant)?;
    if game.turns.is_empty() && game.tags.is_empty() {
        bail!("there are no turns");
    }
    Ok(SourceGame {
        number,
        variant,
        rules: rules_of_pgn(&game)?,
        start: game.tag("FEN").map(str::to_owned),
        seed: game.tag("DiceSeed").and_then(|seed| seed.parse().ok()),
        result: if game.result.is_empty() {
            "*".to_owned()
        } else {
            game.result
        },
        tags: game.tags,
        turns: game.turns,
    })
}
