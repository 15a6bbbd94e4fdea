//! Node-count benchmark: searches of fixed positions to fixed depths with one thread and a fresh table. The total node count
//! is the same on every run and machine, and changes only with the search, the evaluation or the rules.

use super::{Control, Engine, Instant, Limits, Searcher, Settings, Table};
use crate::rules::{FenError, Game};
use std::collections::TryReserveError;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// Megabytes of the table of each position.
const TABLE: usize = 16;

/// Reasons why a benchmark has no result.
#[derive(Debug)]
pub enum BenchError {
    /// A benchmark position is invalid.
    Position(FenError),
    /// There is no memory for a table.
    Memory(TryReserveError),
    /// The benchmark was stopped.
    Stopped,
}

impl Display for BenchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(error) => write!(f, "bench: {error}"),
            Self::Memory(error) => write!(f, "bench: {error}"),
            Self::Stopped => f.write_str("bench: stopped"),
        }
    }
}

impl std::error::Error for BenchError {}

/// Runs the benchmark of a game; `report` receives the position string, nodes and time of each search. Returns the nodes and
/// the time of all.
///
/// # Errors
/// When the benchmark was stopped, a position is invalid or there is no memory for a table.
pub fn bench<G: Engine>(
    control: &Control,
    report: &mut dyn FnMut(&str, u64, Duration),
) -> Result<(u64, Duration), BenchError> {
    let options = G::Options::default();
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for fen in G::BENCH {
        let position = G::from_fen(fen, &options)
            .map_err(BenchError::Position)?
            .position;
        let table = Table::new(TABLE).map_err(BenchError::Memory)?;
        let limits = Limits {
            depth: Some(G::BENCH_DEPTH),
            ..Limits::default()
        };
        let start = Instant::now();
        let answer = Searcher::new(&table, &Settings::default(), control).run(
            &Game::new(position, options),
            &limits,
            &mut |_| {},
        );
        if control.is_stopped() {
            return Err(BenchError::Stopped);
        }
        let elapsed = start.elapsed();
        report(fen, answer.nodes, elapsed);
        nodes += answer.nodes;
        time += elapsed;
    }
    Ok((nodes, time))
}
