//! Aspiration windows at the root.

use super::worker::{Searchable, Worker};
use crate::search::policy::Policy;
use crate::search::report::Bound;
use crate::search::value::{ILLEGAL, INFINITE, is_mate};

/// Searches the root to `depth` turns with a window around the expected value, and widens it until the value lies inside.
/// Calls `failed` for each value outside.
pub fn aspiration_search<G: Searchable, P: Policy>(
    worker: &mut Worker<G, P>,
    position: &G,
    depth: u32,
    expected: i32,
    mut failed: impl FnMut(&mut Worker<G, P>, i32, Bound),
) -> i32 {
    let parameters = worker.parameters();
    let mut delta = parameters.aspiration_delta;
    let widest = parameters.aspiration_widest;
    let (mut alpha, mut beta) = if (depth as i32) < parameters.aspiration_depth || is_mate(expected)
    {
        (-INFINITE, INFINITE)
    } else {
        (expected - delta, expected + delta)
    };
    loop {
        let value = worker.search_root(position, depth as i32, alpha, beta);
        if worker.clock.stopped() || value == ILLEGAL {
            return value;
        }
        if value <= alpha && alpha > -INFINITE {
            failed(worker, value, Bound::Upper);
            beta = i32::midpoint(alpha, beta);
            alpha = value - delta;
        } else if value >= beta && beta < INFINITE {
            failed(worker, value, Bound::Lower);
            beta = value + delta;
        } else {
            return value;
        }
        delta *= 2;
        if delta > widest || is_mate(value) {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
    }
}
