use super::{Chance, Turn, for_each_turn};
use crate::core::StepList;
use rayon::prelude::*;

/// The number of ordered sequences of `depth` turns from a position. Depth counts turns; the rest of a turn begun is
/// one; a position that awaits its roll sums the distinct rolls, each once. Draw rules are ignored; mate or a taken
/// king ends the line.
pub fn perft<G: Chance>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_turns(),
        _ if position.awaits_roll() => rolled(position).map(|rolled| perft(&rolled, depth)).sum(),
        _ => {
            let mut steps = StepList::new();
            position.generate(&mut steps);
            steps
                .iter()
                .map(|&step| perft_after(position, step, depth))
                .sum()
        }
    }
}

fn rolled<G: Chance>(position: &G) -> impl Iterator<Item = G> {
    G::rolls().iter().map(|&(roll, _)| {
        let mut rolled = *position;
        rolled.set_roll(roll);
        rolled
    })
}

fn perft_after<G: Chance>(position: &G, step: G::Step, depth: u32) -> u64 {
    let mut next = *position;
    next.play(step);
    perft(&next, if next.is_mid_turn() { depth } else { depth - 1 })
}

/// [`perft`] on all processors.
pub fn perft_parallel<G: Chance>(position: &G, depth: u32) -> u64 {
    if depth < 2 {
        return perft(position, depth);
    }
    if position.awaits_roll() {
        return rolled(position)
            .map(|rolled| perft_parallel(&rolled, depth))
            .sum();
    }
    let mut steps = StepList::new();
    position.generate(&mut steps);
    steps
        .par_iter()
        .map(|&step| perft_after(position, step, depth))
        .sum()
}

/// [`perft`] split by the first turn, in generation order, on all processors. `depth` is at least 1. A position that
/// awaits its roll has no turns and gives an empty list.
pub fn divide<G: Chance>(position: &G, depth: u32) -> Vec<(Turn<G::Step>, u64)> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, after| {
        turns.push((Turn::from_slice(turn), *after));
    });
    turns
        .into_par_iter()
        .map(|(turn, after)| (turn, perft(&after, depth.saturating_sub(1))))
        .collect()
}
