//! `fauve perft`.

use super::Misuse;
use crate::terminal::{PrintError, Printer, warn};
use crate::variants::with_game;
use crate::wire::go::DEEPEST_PERFT;
use crate::wire::report::per_second;
use anyhow::{Result, ensure};
use fauve_engine::Variant;
use fauve_engine::rules::{printable, turn_token};
use fauve_engine::search::Engine;
use std::time::Instant;

/// Arguments of `fauve perft`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve perft 6\n  \
    fauve perft r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 5\n  \
    fauve perft --divide 4\n  \
    fauve perft --variant twomove 3")]
pub struct Arguments {
    /// Print the count of each first turn too (with dice: of each first roll)
    #[arg(long)]
    divide: bool,
    /// Position (`startpos` by default), then the depth in turns
    #[arg(required = true, value_name = "[FEN] DEPTH")]
    words: Vec<String>,
}

impl Arguments {
    /// Prints the number of turn sequences to standard output, and the speed to standard error.
    ///
    /// # Errors
    /// When the position or the depth is invalid, or standard output cannot be written.
    pub fn run(&self, variant: Variant) -> Result<()> {
        with_game!(variant, G => self.count::<G>())
    }

    fn count<G: Engine>(&self) -> Result<()> {
        let (last, fen) = self
            .words
            .split_last()
            .ok_or_else(|| Misuse("perft needs a depth".to_owned()))?;
        let depth: u32 = last.parse().map_err(|_| {
            let last = printable(last);
            Misuse(format!("the last word must be the depth, not '{last}'"))
        })?;
        ensure!(
            depth <= DEEPEST_PERFT,
            Misuse(format!("the depth is {DEEPEST_PERFT} turns at most"))
        );
        let position: G = super::position(fen, &G::Options::default())?;
        let start = Instant::now();
        let mut out = Printer::default();
        let count = if self.divide {
            print_parts(&position, depth, &mut out)?
        } else {
            position.count_parallel(depth)
        };
        let time = start.elapsed();
        writeln!(out, "Nodes searched: {count}")?;
        warn(format_args!(
            "{} ms, {} turns per second",
            time.as_millis(),
            per_second(count, time)
        ));
        Ok(())
    }
}

/// Prints the count of each first turn, or of each first roll, and returns the sum.
fn print_parts<G: Engine>(position: &G, depth: u32, out: &mut Printer) -> Result<u64, PrintError> {
    let mut sum = 0_u64;
    let mut print = |name: &str, count: u64| {
        sum = sum.saturating_add(count);
        writeln!(out, "{name}: {count}")
    };
    if depth == 0 {
        return Ok(1);
    }
    if position.awaits_roll() {
        for &(roll, _) in G::rolls() {
            let mut rolled = *position;
            rolled.set_roll(roll);
            print(&roll.to_string(), rolled.count_parallel(depth))?;
        }
    } else {
        for (turn, count) in position.count_divided(depth) {
            print(&turn_token(position, &turn), count)?;
        }
    }
    Ok(sum)
}
