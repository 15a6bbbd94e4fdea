//! `fauve verify`: every turn and roll of recorded games, checked.

use crate::terminal::{Printer, warn};
use crate::variants::with_game;
use anyhow::{Context, Result, bail};
use clap::Args;
use fauve_engine::Variant;
use fauve_game::names;
use fauve_game::pgn::{self, PgnGame};
use fauve_game::replay::{Claim, of_pgn};
use fauve_referee::record::lines::{GameFault, parse, read_file};
use fauve_referee::record::replay;
use std::collections::BTreeSet;
use std::fmt::Display;
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
            let text = read_file(path)?;
            let is_record = text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
            let (games, bad) = if is_record {
                verify_record(&text, path).with_context(|| path.display().to_string())?
            } else {
                verify_pgn(path, &pgn::decode(&text))
            };
            writeln!(
                Printer::default(),
                "{}: {games} games, {bad} with faults",
                path.display()
            )?;
            faults += bad;
        }
        if faults > 0 {
            bail!("{faults} games with faults");
        }
        Ok(())
    }
}

/// Says what is wrong with a game. Where standard error cannot be written, the status has to do.
fn say_fault(path: &Path, game: u64, fault: &dyn Display) {
    warn(format_args!("{}: game {game}: {fault}", path.display()));
}

fn verify_record(text: &[u8], path: &Path) -> Result<(usize, usize)> {
    let record = parse(text)?.record;
    let header = &record.header;
    let variant = names::variant(&header.variant)?;
    let rules = header.rule_settings()?;
    let mut seen = BTreeSet::new();
    let mut bad = 0;
    for game in &record.games {
        let result = if seen.insert(game.game) {
            with_game!(variant, G => replay::verify::<G>(header, game, &rules.options()))
        } else {
            Err(GameFault::Twice(game.game).into())
        };
        if let Err(fault) = result {
            say_fault(path, game.game, &fault);
            bad += 1;
        }
    }
    Ok((record.games.len(), bad))
}

fn verify_pgn(path: &Path, text: &str) -> (usize, usize) {
    let games = pgn::parse(text);
    let mut bad = 0;
    for (number, game) in (1..).zip(&games) {
        if let Err(fault) = verify_pgn_game(game) {
            say_fault(path, number, &fault);
            bad += 1;
        }
    }
    (games.len(), bad)
}

fn verify_pgn_game(game: &PgnGame) -> Result<()> {
    let variant = names::variant_of_pgn(game, Variant::default())?;
    let rules = names::rules_of_pgn(game)?;
    let claim = Claim::of_pgn(game)?;
    with_game!(variant, G => claim.check(&of_pgn::<G>(game, &rules.options())?))?;
    Ok(())
}
