use super::{Chance, Turn, for_each_turn, legal_steps};
use crate::core::{StepList, map_in_parallel};

/// The number of ordered sequences of `depth` turns from a position. Depth counts turns; the rest of a turn begun is
/// one; a position that awaits its roll sums the distinct rolls, each once. Draw rules are ignored; mate or a taken
/// king ends the line.
///
/// ```
/// use fauve_engine::rules::{Notation, dice::DiceChess, perft, twomove::TwoMove};
///
/// // Two-move chess: White's first turn is one move, Black's answer two.
/// let start = TwoMove::start(&Default::default());
/// assert_eq!([perft(&start, 1), perft(&start, 2)], [20, 8379]);
/// // DiceChess: the turns of all 56 rolls together.
/// assert_eq!(perft(&DiceChess::start(&Default::default()), 1), 11_245);
/// ```
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

/// [`perft`], or `None` if `is_stopped` says so before the end; it is asked at least once for every position two turns above the last.
///
/// ```
/// use fauve_engine::rules::{Notation, chess::Chess, perft_until};
///
/// let start = Chess::start(&Default::default());
/// assert_eq!(perft_until(&start, 4, &|| false), Some(197_281));
/// assert_eq!(perft_until(&start, 99, &|| true), None);
/// ```
pub fn perft_until<G: Chance>(
    position: &G,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= 1 || (depth == 2 && G::MAX_STEPS == 1) {
        return Some(perft(position, depth));
    }
    let mut total: u64 = 0;
    if position.awaits_roll() {
        for rolled in rolled(position) {
            total = total.saturating_add(perft_until(&rolled, depth, is_stopped)?);
        }
        return Some(total);
    }
    for step in legal_steps(position) {
        let mut next = *position;
        next.play(step);
        let left = if next.is_mid_turn() { depth } else { depth - 1 };
        total = total.saturating_add(perft_until(&next, left, is_stopped)?);
    }
    Some(total)
}

/// [`perft`] on all processors, as far as the system gives threads.
///
/// ```
/// use fauve_engine::rules::{Notation, chess::Chess, perft, perft_parallel};
/// let start = Chess::start(&Default::default());
/// assert_eq!(perft_parallel(&start, 4), perft(&start, 4));
/// ```
pub fn perft_parallel<G: Chance>(position: &G, depth: u32) -> u64 {
    if depth < 2 {
        return perft(position, depth);
    }
    let roots: Vec<G> = if position.awaits_roll() {
        rolled(position).collect()
    } else {
        vec![*position]
    };
    let mut first = Vec::new();
    for root in roots {
        let mut steps = StepList::new();
        root.generate(&mut steps);
        first.extend(steps.into_iter().map(|step| (root, step)));
    }
    let count = |(): &mut (), (root, step): &(G, G::Step)| perft_after(root, *step, depth);
    map_in_parallel(&first, || (), count).into_iter().sum()
}

/// [`perft`] split by the first turn, in generation order, on all processors as far as the system gives threads. `depth`
/// is at least 1. A position that
/// awaits its roll has no turns and gives an empty list.
///
/// ```
/// use fauve_engine::rules::{Notation, chess::Chess, divide, perft, turn_token};
///
/// // To find the turn in which two generators differ, compare the parts.
/// let start = Chess::start(&Default::default());
/// let parts = divide(&start, 3);
/// let e4 = parts.iter().find(|(turn, _)| turn_token(&start, turn) == "e2e4");
/// assert_eq!(e4.map(|&(_, count)| count), Some(600));
/// assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), perft(&start, 3));
/// ```
pub fn divide<G: Chance>(position: &G, depth: u32) -> Vec<(Turn<G::Step>, u64)> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, after| {
        turns.push((Turn::from_slice(turn), *after));
    });
    let count =
        |(): &mut (), (_, after): &(Turn<G::Step>, G)| perft(after, depth.saturating_sub(1));
    let counts = map_in_parallel(&turns, || (), count);
    let turns = turns.into_iter().map(|(turn, _)| turn);
    turns.zip(counts).collect()
}
