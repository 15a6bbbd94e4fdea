//! `fauve merge`: the records of shards joined to one.

use crate::terminal::Printer;
use crate::variants::with_game;
use anyhow::{Context, Result, ensure};
use clap::Args;
use fauve_game::names;
use fauve_referee::record::pgn::save_games;
use fauve_referee::record::save::{is_same_path, save};
use fauve_referee::record::{Record, hold};
use fauve_referee::report::tally::Tally;
use std::path::PathBuf;

/// What may follow `fauve merge`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve merge 1.jsonl 2.jsonl 3.jsonl 4.jsonl --record all.jsonl --pgn all.pgn\n  \
    fauve merge all.jsonl                   the report of a record")]
pub struct Arguments {
    /// The records; one alone is reported on.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the joint record goes.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Where the games go as PGN.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

impl Arguments {
    /// Joins the records, writes what is asked for, and says the report.
    ///
    /// # Errors
    /// Files that are no records or not of one tournament, and files that cannot be written.
    pub fn run(self) -> Result<()> {
        if let Some(pgn) = &self.pgn {
            for other in self.files.iter().chain(&self.record) {
                ensure!(
                    !is_same_path(pgn, other),
                    "--pgn {}: that is the file of a record; give another",
                    pgn.display()
                );
            }
        }
        let records = self
            .files
            .iter()
            .map(|path| Record::read(path))
            .collect::<Result<Vec<_>, _>>()?;
        let record = Record::merge(records)?;
        if let Some(path) = &self.record {
            // A run that still writes to the old file would write to nothing.
            let _held = hold(path)?;
            save(path, record.text().as_bytes()).with_context(|| path.display().to_string())?;
        }
        if let Some(path) = &self.pgn {
            let variant = names::variant(&record.header.variant)?;
            let rules = record.header.rule_settings()?;
            with_game!(variant, G => save_games::<G>(path, &record, &rules.options()))?;
        }
        let report = Tally::of(&record.header, &record.games).report(&record.header);
        Ok(Printer::default().write_str(&report)?)
    }
}
