//! Counts the turns of a position to a depth, on one thread:
//! `cargo run --release -p fauve-engine --example perft -- chess 5 [FEN]`. The instruction guard of the benches runs it
//! under callgrind.

use fauve_engine::Variant;
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::cubes;
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{Notation, Switches, perft};
use std::process::ExitCode;

fn count<G: Notation>(fen: &str, depth: u32) -> Result<u64, String> {
    let switches = Switches::default();
    let position = if fen.is_empty() || fen == "startpos" {
        G::start(&switches)
    } else {
        G::from_fen(fen, &switches)
            .map_err(|error| error.to_string())?
            .position
    };
    Ok(perft(&position, depth))
}

fn run(arguments: &[String]) -> Result<u64, String> {
    let [variant, depth, fen @ ..] = arguments else {
        return Err("usage: perft VARIANT DEPTH [FEN]".to_owned());
    };
    let depth = depth.parse().map_err(|_| format!("not a depth: {depth}"))?;
    let fen = fen.join(" ");
    match Variant::from_name(variant) {
        Some(Variant::Chess) => count::<Chess>(&fen, depth),
        Some(Variant::Superchess) => count::<Superchess>(&fen, depth),
        Some(Variant::TwoMove) => count::<TwoMove>(&fen, depth),
        Some(Variant::DiceChess) => count::<DiceChess>(&fen, depth),
        Some(Variant::Cubes4d) => count::<cubes::Position>(&fen, depth),
        None => Err(format!("unknown variant: {variant}")),
    }
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
