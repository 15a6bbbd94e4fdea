//! Counts the turns of a position to a depth, on one thread: `cargo run --release -p fauve-tools --bin perft -- chess 5
//! [FEN]`. The instruction-count check of the benches runs it under callgrind.

use fauve_engine::rules::{Notation, perft};
use fauve_engine::with_game;
use fauve_game::start;
use fauve_tools::counts;
use std::error::Error;
use std::process::ExitCode;

fn count<G: Notation>(fen: &str, depth: u64) -> Result<u64, Box<dyn Error>> {
    let position = start::position::<G>(fen, &G::Options::default())?.position;
    Ok(perft(&position, u32::try_from(depth)?))
}

fn main() -> ExitCode {
    counts::print(
        "usage: perft VARIANT DEPTH [FEN]",
        |variant, depth, fen| with_game!(variant, G => count::<G>(fen, depth)),
    )
}
