//! `fauve perft`.

use crate::terminal::{Printer, warn};
use crate::variants::with_game;
use crate::wire::report::per_second;
use anyhow::{Context, Result};
use fauve_engine::Variant;
use fauve_engine::rules::{Notation, perft_parallel};
use std::time::Instant;

/// What may follow `fauve perft`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve perft 6\n  \
    fauve perft r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 5\n  \
    fauve perft --variant twomove 3")]
pub struct Arguments {
    /// The position (`startpos` by default), then the depth in turns.
    #[arg(required = true, trailing_var_arg = true, value_name = "[FEN] DEPTH")]
    words: Vec<String>,
}

impl Arguments {
    /// Prints the number of turn sequences.
    ///
    /// # Errors
    /// When the position or the depth cannot be read.
    pub fn run(&self, variant: Variant) -> Result<()> {
        with_game!(variant, G => self.count::<G>())
    }

    fn count<G: Notation>(&self) -> Result<()> {
        let (depth, fen) = self.words.split_last().context("perft needs a depth")?;
        let depth: u32 = depth
            .parse()
            .with_context(|| format!("the depth comes last, and {depth} is no depth"))?;
        let position: G = super::position(fen, &G::Options::default())?;
        let start = Instant::now();
        let count = perft_parallel(&position, depth);
        let time = start.elapsed();
        writeln!(Printer::default(), "Nodes searched: {count}")?;
        warn(format_args!(
            "{} ms, {} turns per second",
            time.as_millis(),
            per_second(count, time)
        ));
        Ok(())
    }
}
