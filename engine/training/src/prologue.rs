//! `prologue`: computes the table by which the engine plays the prologue of Superchess: the value of each array by a
//! search.

use crate::processors;
use anyhow::{Context, Result, bail};
use clap::Args;
use fauve_engine::rules::superchess::{Options, Superchess};
use fauve_engine::rules::{Game, Notation};
use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use std::thread;

/// Number of arrays.
const ARRAYS: u16 = 432;
/// Table size of each thread, in megabytes.
const TABLE: usize = 64;

/// Search the 432 arrays of Superchess and write their values for White, the side to move.
#[derive(Args)]
pub struct Prologue {
    /// Nodes per search
    #[arg(long, default_value_t = 2_000_000)]
    nodes: u64,
    /// Number of concurrent searches [default: all processors]
    #[arg(long)]
    threads: Option<usize>,
    /// Output file; an existing one with the same number of nodes is completed
    #[arg(long)]
    out: PathBuf,
}

/// First ranks and values, by the number of the array.
type Values = BTreeMap<u16, (String, i32)>;

impl Prologue {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let head = format!("first rank,centipawns at {} nodes", self.nodes);
        let values = match fs::read_to_string(&self.out) {
            Ok(text) => read(&text, &head).with_context(|| self.out.display().to_string())?,
            Err(_) => Values::new(),
        };
        let threads = processors(self.threads)?;
        let progress = ProgressBar::new(ARRAYS.into());
        progress.set_position(values.len() as u64);
        let next = AtomicU16::new(0);
        let values = Mutex::new(values);
        let work = || -> Result<()> {
            let table = Table::new(TABLE)?;
            loop {
                let array = next.fetch_add(1, Relaxed);
                if array >= ARRAYS {
                    return Ok(());
                }
                if lock(&values).contains_key(&array) {
                    continue;
                }
                table.clear();
                let found = value(array, self.nodes, &table);
                let mut values = lock(&values);
                values.insert(array, found);
                write(&self.out, &head, &values)?;
                progress.inc(1);
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().expect("no search panics"))
        })
    }
}

fn lock(values: &Mutex<Values>) -> std::sync::MutexGuard<'_, Values> {
    values
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The game that starts from an array.
fn game(array: u16) -> Game<Superchess> {
    let options = Options {
        prologue: false,
        array,
        ..Options::default()
    };
    Game::new(Superchess::start(&options), options)
}

/// The first rank of an array and its value for White.
fn value(array: u16, nodes: u64, table: &Table) -> (String, i32) {
    let game = game(array);
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let answer = Searcher::new(table, &Settings::default(), &Control::default()).run(
        &game,
        &limits,
        &mut |_| {},
    );
    let centipawns = match answer.score {
        Score::Cp(value) => value,
        Score::Mate(_) => unreachable!("no array is a forced mate"),
    };
    (first_rank(game.position()), centipawns)
}

/// The letters of White's first rank.
fn first_rank(start: &Superchess) -> String {
    let fen = start.fen();
    let board = fen.split(['[', ' ']).next().unwrap_or_default();
    board.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Writes the values known so far, atomically.
fn write(path: &Path, head: &str, values: &Values) -> Result<()> {
    let mut text = format!("{head}\n");
    for (rank, value) in values.values() {
        let _ = writeln!(text, "{rank},{value}");
    }
    let part = path.with_extension("part");
    fs::write(&part, text)?;
    fs::rename(&part, path)?;
    Ok(())
}

/// Reads the values of an existing table.
fn read(text: &str, head: &str) -> Result<Values> {
    let mut lines = text.lines();
    if lines.next() != Some(head) {
        bail!("made with other settings: its first line is not \"{head}\"");
    }
    let ranks: BTreeMap<String, u16> = (0..ARRAYS)
        .map(|array| (first_rank(game(array).position()), array))
        .collect();
    lines
        .map(|line| {
            let (rank, value) = line.split_once(',').context("a line without a value")?;
            let array = ranks
                .get(rank)
                .with_context(|| format!("{rank} is no array"))?;
            Ok((*array, (rank.to_owned(), value.parse()?)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_resumed_and_read_back() {
        let table = Table::new(1).unwrap();
        let (rank, centipawns) = value(3, 500, &table);
        let values = Values::from([(3, (rank, centipawns))]);
        let path = std::env::temp_dir().join(format!("fauve-arrays-{}.csv", std::process::id()));
        write(&path, "head", &values).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(read(&text, "head").unwrap(), values);
        assert!(read(&text, "other").is_err());
        assert!(read("head\nRNBQKBNR,3\n", "head").is_err());
        assert!(read("head\nAEBQKBSV\n", "head").is_err());
    }
}
