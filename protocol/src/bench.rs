//! `bench`: searches of fixed positions to fixed depths with one thread and a fresh table. The sum of their nodes is
//! the same on every run and machine, and changes exactly when the search, the evaluation or the rules change.

use crate::variants::with_game;
use crate::wire::report::per_second;
use fauve_engine::Variant;
use fauve_engine::rules::Game;
use fauve_engine::search::{Control, Engine, Limits, Settings, Table};
use std::time::{Duration, Instant};

/// Benchmarks games; `say` gets the lines, the sum over all positions last. Ends early, without a sum, on `stop`.
pub fn run(variants: &[Variant], control: &Control, say: &mut dyn FnMut(&str)) {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for &variant in variants {
        match with_game!(variant, G => bench::<G>(variant, control, say)) {
            Ok((more, longer)) => {
                nodes += more;
                time += longer;
            }
            Err(error) => return say(&format!("info string Error: bench: {error}")),
        }
    }
    say(&format!("{nodes} nodes {} nps", per_second(nodes, time)));
}

fn bench<G: Engine>(
    variant: Variant,
    control: &Control,
    say: &mut dyn FnMut(&str),
) -> Result<(u64, Duration), String> {
    let options = G::Options::default();
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for fen in G::BENCH {
        let position = G::from_fen(fen, &options)
            .map_err(|error| error.to_string())?
            .position;
        let table = Table::new(16).map_err(|error| error.to_string())?;
        let limits = Limits {
            depth: Some(G::BENCH_DEPTH),
            ..Limits::default()
        };
        let start = Instant::now();
        let answer = G::search(
            &Game::new(position, options),
            &limits,
            &Settings::default(),
            &table,
            control,
            &mut |_| {},
        );
        if control.is_stopped() {
            return Err("stopped".to_owned());
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
