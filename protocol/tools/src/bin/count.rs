//! Counts the turns of a position to a depth, or searches it for a number of nodes, on one thread with a fresh table, and prints how many
//! turns or nodes it counted: `cargo run --release -p fauve-tools --bin count -- perft chess 5 [FEN]`, or `search chess 100000 [FEN]`. The
//! check of instructions in the benches runs it under callgrind.

use fauve_engine::rules::{Game, perft};
use fauve_engine::search::{Control, Engine, Limits, Searcher, Settings, Table};
use fauve_engine::{Variant, with_game};
use fauve_game::start;
use std::error::Error;
use std::process::ExitCode;

/// Megabytes of the table.
const TABLE: usize = 16;

const USAGE: &str = "usage: count perft VARIANT DEPTH [FEN], or count search VARIANT NODES [FEN]";

fn leaves<G: Engine>(fen: &str, depth: u64) -> Result<u64, Box<dyn Error>> {
    let position = start::position::<G>(fen, &G::Options::default())?.position;
    Ok(perft(&position, u32::try_from(depth)?))
}

fn nodes<G: Engine>(fen: &str, nodes: u64) -> Result<u64, Box<dyn Error>> {
    let options = G::Options::default();
    let position = start::position::<G>(fen, &options)?.position;
    let table = Table::new(TABLE)?;
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let (game, settings) = (Game::new(position, options), Settings::default());
    let answer =
        Searcher::new(&table, &settings, &Control::default()).run(&game, &limits, &mut |_| {});
    Ok(answer.nodes)
}

/// The number that the command line asks for. The words of a position string may be separate arguments.
fn count(arguments: &[String]) -> Result<u64, Box<dyn Error>> {
    let [what, variant, size, fen @ ..] = arguments else {
        return Err(USAGE.into());
    };
    let variant =
        Variant::from_name(variant).ok_or_else(|| format!("unknown variant: {variant}"))?;
    let size = size.parse().map_err(|_| format!("not a number: {size}"))?;
    let fen = fen.join(" ");
    match what.as_str() {
        "perft" => with_game!(variant, G => leaves::<G>(&fen, size)),
        "search" => with_game!(variant, G => nodes::<G>(&fen, size)),
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match count(&arguments) {
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
