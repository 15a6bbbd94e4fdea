//! `fauve merge`: the records of shards joined to one.

use super::tournament::rules;
use crate::variants::with_game;
use anyhow::{Context, Error, Result};
use clap::Args;
use fauve_engine::Variant;
use fauve_referee::matches::tournament::write_pgn;
use fauve_referee::record::Record;
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
    /// Files that are no records or not of one tournament.
    pub fn run(self) -> Result<()> {
        let records = self
            .files
            .iter()
            .map(|path| Record::read(path))
            .collect::<Result<Vec<_>, _>>()
            .map_err(Error::msg)?;
        let record = Record::merge(records).map_err(Error::msg)?;
        if let Some(path) = &self.record {
            std::fs::write(path, record.text()).with_context(|| path.display().to_string())?;
        }
        if let Some(path) = &self.pgn {
            let variant = Variant::from_name(&record.header.variant).with_context(|| {
                format!("the game '{}' is not known here", record.header.variant)
            })?;
            let rules = rules(&record.header.rules)?;
            with_game!(variant, G => write_pgn::<G>(path, &record, &rules.options()))
                .map_err(Error::msg)?;
        }
        print!(
            "{}",
            Tally::of(&record.header, &record.games).report(&record.header)
        );
        Ok(())
    }
}
