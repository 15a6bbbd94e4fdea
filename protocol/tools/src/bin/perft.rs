//! Counts the turns of a position to a depth, on one thread: `cargo run --release -p fauve-tools --bin perft -- chess 5
//! [FEN]`. The instruction-count check of the benches runs it under callgrind.

use fauve_engine::rules::{FenError, Notation, perft};
use fauve_engine::{Variant, with_game};
use std::error::Error;
use std::process::ExitCode;

fn count<G: Notation>(fen: &str, depth: u32) -> Result<u64, FenError> {
    let options = G::Options::default();
    let position = if fen.is_empty() || fen == "startpos" {
        G::start(&options)
    } else {
        G::from_fen(fen, &options)?.position
    };
    Ok(perft(&position, depth))
}

fn run(arguments: &[String]) -> Result<u64, Box<dyn Error>> {
    let [variant, depth, fen @ ..] = arguments else {
        return Err("usage: perft VARIANT DEPTH [FEN]".into());
    };
    let depth = depth.parse().map_err(|_| format!("not a depth: {depth}"))?;
    let fen = fen.join(" ");
    let variant =
        Variant::from_name(variant).ok_or_else(|| format!("unknown variant: {variant}"))?;
    Ok(with_game!(variant, G => count::<G>(&fen, depth))?)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(count) => {
            println!("{count}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
