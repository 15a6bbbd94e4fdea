//! Node-count benchmark: searches of fixed positions to fixed depths with one thread and a fresh table. The total node count
//! is the same on every run and machine, and changes only with the search, the evaluation or the rules.

use crate::variants::with_game;
use crate::wire::report::per_second;
use fauve_engine::Variant;
use fauve_engine::rules::{FenError, Game};
use fauve_engine::search::{Control, Engine, Limits, Settings, Table};
use std::collections::TryReserveError;
use std::time::{Duration, Instant};

/// Reasons why a benchmark has no result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A benchmark position is invalid.
    #[error("bench: {0}")]
    Position(FenError),
    /// There is no memory for a table.
    #[error("bench: {0}")]
    Memory(TryReserveError),
    /// The benchmark was stopped.
    #[error("bench: stopped")]
    Stopped,
}

/// Runs the benchmark of these games; `say` receives a line for each position. Returns the last line, with the total over all
/// positions.
///
/// # Errors
/// When the benchmark was stopped, a position is invalid or there is no memory for a table.
pub fn run(
    variants: &[Variant],
    control: &Control,
    say: &mut dyn FnMut(&str),
) -> Result<String, BenchError> {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for &variant in variants {
        let (more, longer) = with_game!(variant, G => bench::<G>(variant, control, say))?;
        nodes += more;
        time += longer;
    }
    Ok(format!("{nodes} nodes {} nps", per_second(nodes, time)))
}

fn bench<G: Engine>(
    variant: Variant,
    control: &Control,
    say: &mut dyn FnMut(&str),
) -> Result<(u64, Duration), BenchError> {
    let options = G::Options::default();
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for fen in G::BENCH {
        let position = G::from_fen(fen, &options)
            .map_err(BenchError::Position)?
            .position;
        let table = Table::new(16).map_err(BenchError::Memory)?;
        let limits = Limits {
            depth: Some(G::BENCH_DEPTH),
            ..Limits::default()
        };
        let start = Instant::now();
        let answer = G::run_search(
            &Game::new(position, options),
            &limits,
            &Settings::default(),
            &table,
            control,
            &mut |_| {},
        );
        if control.is_stopped() {
            return Err(BenchError::Stopped);
        }
        let elapsed = start.elapsed();
        say(&format!(
            "info string {variant} {} nodes {} ms {fen}",
            answer.nodes,
            elapsed.as_millis()
        ));
        nodes += answer.nodes;
        time += elapsed;
    }
    Ok((nodes, time))
}
