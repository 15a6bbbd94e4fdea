//! `fauve rate`: the players of many matches on one scale.

use crate::terminal::Printer;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use fauve_engine::rules::printable;
use fauve_referee::record::Record;
use fauve_referee::record::save::save;
use fauve_referee::report::scale::{Scale, picture, table};
use fauve_referee::report::tally::Tally;
use std::path::PathBuf;

/// What may follow `fauve rate`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve rate a-b.jsonl b-c.jsonl --anchor a=1500\n  \
    fauve rate *.jsonl --anchor random=0 --picture ratings.svg")]
pub struct Arguments {
    /// Records of matches and tournaments of one game; players of one name are one player.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A player whose Elo is known; of several the mean lies where it should. Without one the first player has 0.
    #[arg(long, value_name = "NAME=ELO", value_parser = read_anchor)]
    anchor: Vec<(String, f64)>,
    /// Draws the ratings with their error bars.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// What stands above the picture; the game by default.
    #[arg(long, value_name = "TEXT", requires = "picture")]
    title: Option<String>,
}

impl Arguments {
    /// Says the ratings as a table (Markdown).
    ///
    /// # Errors
    /// Files that are no records, or not of one game; players that no games connect.
    pub fn run(self) -> Result<()> {
        let mut scale = Scale::default();
        let mut game: Option<String> = None;
        for path in &self.files {
            let Record { header, games } = Record::read(path)?;
            let known = game.get_or_insert_with(|| header.variant.clone());
            ensure!(
                *known == header.variant,
                "{}: that is {}, the others are {}",
                path.display(),
                printable(&header.variant),
                printable(known)
            );
            scale.add(&Tally::of(&header, &games));
        }
        let standings = scale.standings(&self.anchor)?;
        if let Some(path) = &self.picture {
            let title = self.title.or(game).unwrap_or_default();
            save(path, picture(&title, &standings).as_bytes())
                .with_context(|| path.display().to_string())?;
        }
        Ok(Printer::default().write_str(&table(&standings))?)
    }
}

/// Reads `NAME=ELO`.
fn read_anchor(text: &str) -> Result<(String, f64)> {
    let read = text
        .rsplit_once('=')
        .and_then(|(name, elo)| Some((name, elo.parse::<f64>().ok()?)));
    match read {
        Some((name, elo)) if elo.is_finite() => Ok((name.to_owned(), elo)),
        _ => bail!("'{}' is not of the form NAME=ELO", printable(text)),
    }
}
