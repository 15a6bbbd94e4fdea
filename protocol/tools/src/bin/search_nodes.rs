//! Searches a position for a number of nodes, on one thread with a fresh table, and prints how many it searched: `cargo run --release -p
//! fauve-tools --bin search_nodes -- chess 100000 [FEN]`. The instruction-count check of the benches runs it under callgrind.

use fauve_engine::rules::Game;
use fauve_engine::search::{Control, Engine, Limits, Searcher, Settings, Table};
use fauve_engine::with_game;
use fauve_game::start;
use fauve_tools::counts;
use std::error::Error;
use std::process::ExitCode;

/// Megabytes of the table.
const TABLE: usize = 16;

fn search<G: Engine>(fen: &str, nodes: u64) -> Result<u64, Box<dyn Error>> {
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

fn main() -> ExitCode {
    counts::print(
        "usage: search_nodes VARIANT NODES [FEN]",
        |variant, nodes, fen| with_game!(variant, G => search::<G>(fen, nodes)),
    )
}
