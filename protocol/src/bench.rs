//! The benchmark of several games, with a line for each position.

use crate::variants::with_game;
use crate::wire::report::per_second;
use fauve_engine::Variant;
use fauve_engine::search::{BenchError, Control, bench};
use std::time::Duration;

/// Runs the benchmark of these games; `say` receives a line for each position. Returns the last line, with the total over all
/// positions.
///
/// # Errors
/// When the benchmark was stopped, a position is invalid or there is no memory for a table.
pub fn run(
    variants: &[Variant],
    control: &Control,
    say: &mut dyn FnMut(&str),
) -> Result<String, BenchError> {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for &variant in variants {
        let mut report = |fen: &str, nodes: u64, time: Duration| {
            let milliseconds = time.as_millis();
            say(&format!(
                "info string {variant} {nodes} nodes {milliseconds} ms {fen}"
            ));
        };
        let (more, longer) = with_game!(variant, G => bench::<G>(control, &mut report))?;
        nodes += more;
        time += longer;
    }
    Ok(format!("{nodes} nodes {} nps", per_second(nodes, time)))
}
