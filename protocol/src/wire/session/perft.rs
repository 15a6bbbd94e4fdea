use super::context::SearchContext;
use crate::wire::report::per_second;
use fauve_engine::rules::{for_each_turn, turn_token};
use fauve_engine::search::{Control, Engine};
use std::time::Instant;

/// Counts turn sequences, printing the count of each first turn or roll. Returns the last line: `Nodes searched: N`, or that the
/// count was stopped.
pub(super) fn run_perft<G: Engine>(
    position: &G,
    depth: u32,
    context: &SearchContext,
    control: &Control,
) -> String {
    let is_stopped = || control.is_stopped();
    let start = Instant::now();
    let mut total: u64 = 0;
    let mut complete = true;
    let mut say = |name: &str, count: Option<u64>| match count {
        Some(count) => {
            total = total.saturating_add(count);
            context.output.say(&format!("{name}: {count}"));
        }
        None => complete = false,
    };
    if depth == 0 {
        total = 1;
    } else if position.awaits_roll() {
        for &(roll, _) in G::rolls() {
            let mut rolled = *position;
            rolled.set_roll(roll);
            say(&roll.to_string(), rolled.count(depth, &is_stopped));
        }
    } else {
        for_each_turn(position, &mut |turn, after| {
            say(
                &turn_token(position, turn),
                after.count(depth - 1, &is_stopped),
            );
        });
    }
    if !complete {
        return context.format.message("perft stopped");
    }
    let time = start.elapsed();
    context.output.info(&format!(
        "{} ms, {} turns per second",
        time.as_millis(),
        per_second(total, time)
    ));
    format!("\nNodes searched: {total}")
}
