//! `fauve rate`: rates players from many matches on one Elo scale.

use crate::commands::{ensure_free, open_unpacked};
use crate::terminal::{Printer, number, warn};
use crate::variants::with_game;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use fauve_engine::Variant;
use fauve_engine::rules::{Notation, RuleSettings, printable};
use fauve_game::end::GameResult;
use fauve_game::names;
use fauve_game::pgn::{self, PgnGame};
use fauve_game::replay::of_pgn;
use fauve_referee::record::save::save;
use fauve_referee::record::stream::Stream;
use fauve_referee::report::collected::{Collected, Played};
use fauve_referee::report::standings::{markdown, picture, table};
use fauve_referee::report::tally::fingerprint;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// What may follow `fauve rate`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve rate a-b.jsonl b-c.jsonl --anchor a=1500\n  \
    fauve rate *.jsonl games.pgn --anchor random=0 --picture ratings.svg\n\n\
    A game that is in several of the files (in shards and in their merged record, say) counts once.")]
pub struct Arguments {
    /// Records of matches and tournaments, or PGN files, of one game; players of one name are one player.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A player whose Elo is known; of several the mean lies where it should. Without one the mean of all players is 0.
    #[arg(long, value_name = "NAME=ELO", value_parser = read_anchor)]
    anchor: Vec<(String, f64)>,
    /// Each anchor keeps its Elo exactly, and the others are rated against them.
    #[arg(long, requires = "anchor")]
    fix_anchors: bool,
    /// Write the table as Markdown.
    #[arg(long)]
    markdown: bool,
    /// Draw the ratings with their error bars.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Replace the file of --picture if it is there already.
    #[arg(long, requires = "picture")]
    force: bool,
    /// What stands above the picture; the game by default.
    #[arg(long, value_name = "TEXT", requires = "picture")]
    title: Option<String>,
}

impl Arguments {
    /// Says the ratings as a table, with what is to be known about them below.
    ///
    /// # Errors
    /// Files that are neither records nor PGN, or not of one game; players that no games connect.
    pub fn run(self) -> Result<()> {
        if let Some(path) = &self.picture {
            ensure_free("--picture", path, self.force)?;
        }
        let mut collected = Collected::default();
        let mut game: Option<Variant> = None;
        for path in &self.files {
            add_file(path, &mut collected, &mut game)?;
        }
        let scale = collected.scale();
        let standings = scale.standings(&self.anchor, self.fix_anchors)?;
        ensure!(!standings.is_empty(), "there are no finished games to rate");
        if let Some(path) = &self.picture {
            let title = self
                .title
                .or_else(|| game.map(|game| game.name().to_owned()))
                .unwrap_or_default();
            save(path, picture(&title, &standings).as_bytes())
                .with_context(|| path.display().to_string())?;
        }
        let text = if self.markdown {
            markdown(&standings)
        } else {
            table(&standings)
        };
        Printer::default().write_str(&text)?;
        for sentence in scale.unbounded() {
            warn(format_args!("note: {sentence}"));
        }
        match scale.repeated() {
            0 => {}
            1 => warn("note: 1 game is there several times, turn by turn, and counts once"),
            repeated => warn(format_args!(
                "note: {repeated} games are there several times, turn by turn, and count once"
            )),
        }
        Ok(())
    }
}

/// Adds the games of a file, which has to be of the game that those before were of.
fn add_file(path: &Path, collected: &mut Collected, game: &mut Option<Variant>) -> Result<()> {
    let mut same = |other: Variant| {
        let known = *game.get_or_insert(other);
        ensure!(known == other, "that is {other}, the others are {known}");
        Ok(())
    };
    let mut input = open_unpacked(path).with_context(|| path.display().to_string())?;
    // Looked at without taking it: what comes through a pipe comes once.
    let beginning = input
        .fill_buf()
        .with_context(|| path.display().to_string())?;
    let is_record = beginning.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    if !is_record {
        let mut bytes = Vec::new();
        input
            .read_to_end(&mut bytes)
            .with_context(|| path.display().to_string())?;
        return add_pgn(path, &pgn::decode(&bytes), collected, &mut same);
    }
    let mut stream = Stream::of(path, input)?;
    let header = stream.header().clone();
    names::variant(&header.variant)
        .map_err(anyhow::Error::from)
        .and_then(same)
        .with_context(|| path.display().to_string())?;
    let mut failed = None;
    let games = std::iter::from_fn(|| match stream.next()? {
        Ok(game) => Some(game),
        Err(error) => {
            failed = Some(error);
            None
        }
    });
    collected.add(&header, games);
    failed.map_or(Ok(()), |error| Err(error.into()))
}

/// Adds the games of a PGN, which need a result and the names of both players.
fn add_pgn(
    path: &Path,
    text: &str,
    collected: &mut Collected,
    same: &mut impl FnMut(Variant) -> Result<()>,
) -> Result<()> {
    let games = pgn::parse(text);
    ensure!(
        games.iter().any(|game| !game.tags.is_empty()),
        "{}: that is neither a record nor PGN",
        path.display()
    );
    let mut played = Vec::new();
    let mut others = Vec::new();
    for game in &games {
        // One game that is of something else does not end the others.
        let done = names::variant_of_pgn(game, Variant::default())
            .map_err(anyhow::Error::from)
            .and_then(|variant| same(variant).map(|()| variant));
        match done {
            Ok(variant) => {
                let rules = names::rules_of_pgn(game).unwrap_or_default();
                played.extend(played_game(game, variant, &rules));
            }
            Err(error) => others.push(error),
        }
    }
    let unknown = games.len() - played.len() - others.len();
    if let Some(error) = others.pop() {
        if others.len() + 1 == games.len() {
            return Err(error.context(path.display().to_string()));
        }
        warn(format_args!(
            "note: {}: {} of {} left out, of another game: {error:#}",
            path.display(),
            others.len() + 1,
            number(games.len() as u64, "game")
        ));
    }
    if unknown > 0 {
        warn(format_args!(
            "note: {}: {unknown} of {} left out, without a result or names",
            path.display(),
            number(games.len() as u64, "game")
        ));
    }
    collected.add_games(played);
    Ok(())
}

fn played_game(game: &PgnGame, variant: Variant, rules: &RuleSettings) -> Option<Played> {
    let name = |tag| {
        let name = game.tag(tag)?.trim();
        (!matches!(name, "" | "?")).then(|| name.to_owned())
    };
    let players = [name("White")?, name("Black")?];
    let result = GameResult::parse(&game.result)
        .or_else(|| GameResult::parse(game.tag("Result").unwrap_or_default()))?;
    let (start, turns) = with_game!(variant, G => canonical::<G>(game, rules));
    let names = players.each_ref().map(String::as_str);
    let tokens = turns.iter();
    let tokens = tokens.map(|(roll, token)| (roll.as_deref(), token.as_str()));
    // Lists of results have no turns: two of them are not the same game.
    let fingerprint = (!turns.is_empty()).then(|| fingerprint(names, &start, tokens));
    Some(Played {
        result,
        pair: format!("{} {start}", game.tag("Round").unwrap_or_default()),
        fingerprint,
        players,
    })
}

/// A roll, where there is one, and a turn.
type RecordedTurn = (Option<String>, String);

/// The first position and the turns as a record has them, or as they are written where the rules do not know one of them: the
/// result counts all the same.
fn canonical<G: Notation>(game: &PgnGame, rules: &RuleSettings) -> (String, Vec<RecordedTurn>) {
    if let Ok(played) = of_pgn::<G>(game, &rules.options()) {
        let turns = played.turns().iter().map(|node| {
            let roll = node.turn.roll.map(|roll| roll.to_string());
            (roll, node.turn.token())
        });
        return (played.start().fen(), turns.collect());
    }
    let turns = game.line.turns.iter();
    (
        game.tag("FEN").unwrap_or_default().to_owned(),
        turns.map(|node| (None, node.turn.clone())).collect(),
    )
}

/// The largest Elo of an anchor, above or below zero: far more than any scale has.
const MOST_ELO: f64 = 100_000.0;

/// Reads `NAME=ELO`.
fn read_anchor(text: &str) -> Result<(String, f64)> {
    let read = text
        .rsplit_once('=')
        .and_then(|(name, elo)| Some((name, elo.parse::<f64>().ok()?)));
    match read {
        Some((name, elo)) if elo.abs() <= MOST_ELO => Ok((name.to_owned(), elo)),
        Some(_) => bail!("an anchor has an Elo of -{MOST_ELO} to {MOST_ELO}"),
        None => bail!("'{}' is not of the form NAME=ELO", printable(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_have_an_elo_that_a_scale_can_have() {
        let read = |text| read_anchor(text).map_err(|error| error.to_string());
        assert_eq!(read("a=b=-1500.5"), Ok(("a=b".to_owned(), -1500.5)));
        assert_eq!(read("a=100000"), Ok(("a".to_owned(), 100_000.0)));
        for text in ["a=1e17", "a=-inf", "a=NaN"] {
            let refused = read(text).expect_err("no Elo");
            assert_eq!(refused, "an anchor has an Elo of -100000 to 100000");
        }
        for text in ["a", "a=", "a=x"] {
            let refused = read(text).expect_err("no anchor");
            assert!(
                refused.ends_with("is not of the form NAME=ELO"),
                "{refused}"
            );
        }
    }
}
