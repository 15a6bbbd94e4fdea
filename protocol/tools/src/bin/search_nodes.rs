//! Searches a position for a number of nodes, on one thread with a fresh table, and prints how many it searched: `cargo run --release -p
//! fauve-tools --bin search_nodes -- chess 100000 [FEN]`. The instruction-count check of the benches runs it under callgrind.

use fauve_engine::rules::Game;
use fauve_engine::search::{Control, Engine, Limits, Searcher, Settings, Table};
use fauve_engine::{Variant, with_game};
use std::error::Error;
use std::process::ExitCode;

/// Megabytes of the table.
const TABLE: usize = 16;

fn search<G: Engine>(fen: &str, nodes: u64) -> Result<u64, Box<dyn Error>> {
    let options = G::Options::default();
    let position = if fen.is_empty() || fen == "startpos" {
        G::start(&options)
    } else {
        G::from_fen(fen, &options)?.position
    };
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

fn run(arguments: &[String]) -> Result<u64, Box<dyn Error>> {
    let [variant, nodes, fen @ ..] = arguments else {
        return Err("usage: search_nodes VARIANT NODES [FEN]".into());
    };
    let nodes = nodes
        .parse()
        .map_err(|_| format!("not a number of nodes: {nodes}"))?;
    let fen = fen.join(" ");
    let variant =
        Variant::from_name(variant).ok_or_else(|| format!("unknown variant: {variant}"))?;
    with_game!(variant, G => search::<G>(&fen, nodes))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(nodes) => {
            println!("{nodes}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
