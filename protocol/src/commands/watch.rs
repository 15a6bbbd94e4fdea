//! `fauve watch`: the shards of a tournament, watched while they are played.

use super::tournament::decision;
use crate::signals::{Ending, on_end};
use crate::terminal::{Printer, number, warn};
use anyhow::{Context, Result};
use clap::Args;
use fauve_referee::matches::watch::{Counted, Watch};
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// What may follow `fauve watch`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve watch records/                    how a tournament stands whose shards write to this folder\n  \
    fauve watch records/ --then 'scancel 123'\n\n\
    When a match with --sprt is decided, a file fauve-stop is written to the folder, and every shard (of fauve match --shard \
    or --pairs, with its --record in the folder) ends after its game. Pairs count in the order of their numbers, so that the \
    decision is that of one machine, whichever games are finished first.")]
pub struct Arguments {
    /// The folder to which the shards write their records (*.jsonl).
    folder: PathBuf,
    /// Seconds between two reports.
    #[arg(long, default_value_t = 10, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    interval: u64,
    /// Minutes without a game after which a record that is not complete is named as silent.
    #[arg(long, default_value_t = 10, value_name = "MIN", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    silent: u64,
    /// What is run by the shell when the tournament is decided or complete.
    #[arg(long, value_name = "COMMAND")]
    then: Option<String>,
    /// Report once, decide nothing, and end.
    #[arg(long)]
    once: bool,
}

impl Arguments {
    /// Watches until the tournament is decided or complete.
    ///
    /// # Errors
    /// A folder that cannot be read, a stop file that cannot be written, a command that fails.
    pub fn run(self) -> Result<()> {
        const GLANCE: Duration = Duration::from_millis(200);
        on_end(Ending::GiveUp);
        let folder = || self.folder.display().to_string();
        let mut watch = Watch::new(&self.folder);
        let mut out = Printer::default();
        let mut due = Instant::now();
        loop {
            for note in watch.poll().with_context(folder)? {
                warn(format_args!("note: {note}"));
            }
            let is_over = watch.counted().is_some_and(Counted::is_over);
            if is_over || self.once {
                break;
            }
            if Instant::now() >= due {
                writeln!(out, "{}", self.line(&watch))?;
                due = Instant::now() + Duration::from_secs(self.interval);
            }
            thread::sleep(GLANCE);
        }
        let Some(counted) = watch.counted() else {
            writeln!(out, "{}", self.line(&watch))?;
            return Ok(());
        };
        out.write_str(&counted.tally.report(&counted.header, &counted.sequence))?;
        for (path, slowdown) in watch.slowdowns() {
            warn(format_args!("note: {}: {slowdown}", path.display()));
        }
        let decision = decision(&counted.sequence);
        if let Some(sentence) = &decision {
            writeln!(out, "{sentence}")?;
        }
        if self.once {
            writeln!(out, "{}", self.line(&watch))?;
            return Ok(());
        }
        if let Some(sentence) = &decision {
            watch.stop_shares(sentence).with_context(folder)?;
        }
        self.then.as_deref().map_or(Ok(()), run_command)
    }

    /// How things stand, in a line, and what is missing.
    fn line(&self, watch: &Watch) -> String {
        let records = watch.records();
        let Some(counted) = watch.counted() else {
            return format!(
                "{}, no tournament has begun",
                number(records as u64, "record")
            );
        };
        let mut line = format!(
            "{} of {} in {}: {}",
            counted.tally.games(),
            number(counted.planned(), "game"),
            number(records as u64, "record"),
            counted.tally.brief(&counted.sequence)
        );
        if counted.sequence.llr().is_some() {
            let pairs = counted.sequence.pairs();
            line.push_str(&format!(" after {} in order", number(pairs, "pair")));
            let waiting = counted.sequence.waiting();
            if waiting > 0 {
                let next = pairs + 1;
                let games = number(waiting as u64, "game");
                line.push_str(&format!(", waiting for pair {next}: {games}"));
            }
        }
        let silent = Duration::from_secs(self.silent * 60);
        for (path, record) in watch.silent(silent) {
            let minutes = record.silence().as_secs() / 60;
            line.push_str(&format!(
                "\nsilent for {} after {}: {}",
                number(minutes, "minute"),
                number(record.games(), "game"),
                path.display()
            ));
        }
        for (path, slowdown) in watch.slowdowns() {
            line.push_str(&format!("\n{}: {slowdown}", path.display()));
        }
        line
    }
}

#[cfg(unix)]
fn run_command(command: &str) -> Result<()> {
    run_by("sh", "-c", command)
}

#[cfg(not(unix))]
fn run_command(command: &str) -> Result<()> {
    run_by("cmd", "/C", command)
}

fn run_by(shell: &str, option: &str, command: &str) -> Result<()> {
    let status = Command::new(shell)
        .args([option, command])
        .status()
        .with_context(|| format!("--then: cannot start {shell}"))?;
    anyhow::ensure!(status.success(), "--then '{command}': {status}");
    Ok(())
}
