//! `fauve verify`: every turn and roll of recorded games, checked.

use super::tournament::rules;
use crate::variants::with_game;
use crate::wire::options::{Effect, definitions};
use anyhow::{Context, Error, Result, bail};
use clap::Args;
use fauve_engine::Variant;
use fauve_referee::record::Record;
use fauve_referee::record::pgn;
use fauve_referee::record::replay;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What may follow `fauve verify`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve verify dice.jsonl\n  \
    fauve verify games.pgn")]
pub struct Arguments {
    /// Records (JSON Lines) or PGN files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Arguments {
    /// Replays every game: turns, rolls, seeds and ends. Says what is wrong on standard error.
    ///
    /// # Errors
    /// When anything is wrong.
    pub fn run(self) -> Result<()> {
        let mut faults = 0;
        for path in &self.files {
            let text = std::fs::read(path).with_context(|| path.display().to_string())?;
            let is_record = text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
            let (games, bad) = if is_record {
                verify_record(path)?
            } else {
                verify_pgn(path, &String::from_utf8_lossy(&text))
            };
            println!("{}: {games} games, {bad} with faults", path.display());
            faults += bad;
        }
        if faults > 0 {
            bail!("{faults} games with faults");
        }
        Ok(())
    }
}

fn verify_record(path: &Path) -> Result<(usize, usize)> {
    let record = Record::read(path).map_err(Error::msg)?;
    let header = &record.header;
    let variant = Variant::from_name(&header.variant).with_context(|| {
        format!(
            "{}: the game '{}' is not known here",
            path.display(),
            header.variant
        )
    })?;
    let rules = rules(&header.rules)?;
    let mut seen = BTreeSet::new();
    let mut bad = 0;
    for game in &record.games {
        let result = if seen.insert(game.game) {
            with_game!(variant, G => replay::verify::<G>(header, game, &rules.options()))
        } else {
            Err("is there twice".to_owned())
        };
        if let Err(error) = result {
            eprintln!("{}: game {}: {error}", path.display(), game.game);
            bad += 1;
        }
    }
    Ok((record.games.len(), bad))
}

fn verify_pgn(path: &Path, text: &str) -> (usize, usize) {
    let games = pgn::parse(text);
    let mut bad = 0;
    for (number, game) in games.iter().enumerate() {
        if let Err(error) = verify_pgn_game(game) {
            eprintln!("{}: game {}: {error}", path.display(), number + 1);
            bad += 1;
        }
    }
    (games.len(), bad)
}

fn verify_pgn_game(game: &pgn::PgnGame) -> Result<(), String> {
    let variant = match game.tag("Variant") {
        None => Variant::Chess,
        Some(name) => Variant::from_name(name)
            .ok_or_else(|| format!("the game '{name}' is not known here"))?,
    };
    // Rule switches are tags of one word.
    let tags: Vec<(String, String)> = definitions()
        .into_iter()
        .filter(|definition| definition.effect == Effect::Rules)
        .filter_map(|definition| {
            let value = game.tag(&definition.name.replace(' ', ""))?;
            Some((definition.name.to_owned(), value.to_owned()))
        })
        .collect();
    let rules = rules(&tags).map_err(|error| error.to_string())?;
    with_game!(variant, G => game.replay::<G>(&rules.options()).map(|_| ()))
}
