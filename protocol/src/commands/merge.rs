//! `fauve merge`: the records of shards joined to one.

use super::ensure_free;
use super::tournament::decision;
use crate::terminal::{Printer, warn};
use crate::variants::with_game;
use anyhow::{Context, Result, ensure};
use clap::Args;
use fauve_engine::rules::Notation;
use fauve_game::names;
use fauve_referee::record::hold;
use fauve_referee::record::merge::Merged;
use fauve_referee::record::pgn::{PgnFile, game_text};
use fauve_referee::record::save::{Saving, can_save, is_same_path};
use fauve_referee::report::sequence::Sequence;
use fauve_referee::report::tally::Tally;
use std::path::{Path, PathBuf};

/// What may follow `fauve merge`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve merge 1.jsonl 2.jsonl 3.jsonl 4.jsonl --record all.jsonl --pgn all.pgn\n  \
    fauve merge all.jsonl                   the report of a record")]
pub struct Arguments {
    /// The records, packed by gzip or not; one alone is reported on.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the joint record goes.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Where the games go as PGN.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Join records whose programs or networks are other builds: names and settings still have to be the same.
    #[arg(long)]
    any_build: bool,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
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
        if let Some(pgn) = &self.pgn {
            ensure_free("--pgn", pgn, self.force)?;
        }
        if let Some(record) = &self.record {
            // What a source holds is in the joint record as well.
            let is_source = |source: &PathBuf| is_same_path(source, record);
            let force = self.force || self.files.iter().any(is_source);
            ensure_free("--record", record, force)?;
        }
        // From before it is read until it is replaced: a run that writes to it meanwhile would write to nothing.
        let _held = match &self.record {
            Some(path) => hold(path)?,
            None => None,
        };
        let merged = Merged::of(&self.files, self.any_build)?;
        let header = merged.header();
        // Asked before the work is done.
        for path in self.record.iter().chain(&self.pgn) {
            can_save(path).with_context(|| path.display().to_string())?;
        }
        let mut tally = Tally::new(header);
        let mut sequence = Sequence::new(header);
        for game in merged.games() {
            let game = game?;
            tally.add(&game);
            sequence.add(&game);
        }
        if let Some(path) = &self.pgn {
            let variant = names::variant(&header.variant)?;
            let rules = header.rule_settings()?;
            with_game!(variant, G => write_pgn::<G>(path, &merged, &rules.options()))?;
        }
        // Last: the record may be one of those that are read.
        if let Some(path) = &self.record {
            write_record(path, &self.files, &merged)?;
        }
        let mut out = Printer::default();
        out.write_str(&tally.report(header, &sequence))?;
        for (path, slowdown) in merged.slowdowns() {
            warn(format_args!("note: {}: {slowdown}", path.display()));
        }
        if let Some(sentence) = decision(&sequence) {
            return Ok(out.write_str(&format!("{sentence}\n"))?);
        }
        if let Some(missing) = merged.missing() {
            warn(format_args!("note: {missing}"));
        }
        Ok(())
    }
}

fn write_record(path: &Path, sources: &[PathBuf], merged: &Merged) -> Result<()> {
    let name = || path.display().to_string();
    let is_source = sources.iter().any(|source| is_same_path(source, path));
    let mut saving = if is_source {
        Saving::replacing(path).with_context(name)?
    } else {
        Saving::begin(path).with_context(name)?
    };
    merged.write(&mut saving)?.with_context(name)?;
    saving.finish().with_context(name)?;
    Ok(())
}

fn write_pgn<G: Notation>(path: &Path, merged: &Merged, options: &G::Options) -> Result<()> {
    let mut pgn = PgnFile::begin(path)?;
    for game in merged.games() {
        pgn.append(&game_text::<G>(merged.header(), &game?, options)?)?;
    }
    pgn.settle()?;
    Ok(())
}
