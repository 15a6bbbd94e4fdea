//! The benchmark, as the command `bench` of the program has it.

use fauve_engine::Variant;
use fauve_engine::rules::Game;
use fauve_engine::search::{Control, Engine, Instant, Limits, Settings, Table};
use serde_json::{Value, json};

/// Searches the positions of a game's benchmark, and sums up.
pub fn bench<G: Engine>(variant: Variant, control: &Control) -> Result<Value, String> {
    let options = G::Options::default();
    let mut nodes = 0;
    let begin = Instant::now();
    for fen in G::BENCH {
        let parsed = G::from_fen(fen, &options).map_err(|error| error.to_string())?;
        let table = Table::new(16).map_err(|error| error.to_string())?;
        let limits = Limits {
            depth: Some(G::BENCH_DEPTH),
            ..Limits::default()
        };
        let game = Game::new(parsed.position, options);
        let answer = G::run_search(
            &game,
            &limits,
            &Settings::default(),
            &table,
            control,
            &mut |_| {},
        );
        if control.is_stopped() {
            return Err("stopped".to_owned());
        }
        nodes += answer.nodes;
    }
    let milliseconds = begin.elapsed().as_secs_f64() * 1000.0;
    Ok(json!({ "variant": variant.name(), "nodes": nodes, "ms": milliseconds }))
}
