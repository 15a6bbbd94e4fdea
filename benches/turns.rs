//! Whole turns, one thread: `cargo bench -p fauve-benches --bench turns`. DiceChess: all distinct results of all 56 rolls,
//! against making every ordered turn of every roll. Two-move chess: counting legal turns, against making every pair of
//! moves and every first reply to it.

use criterion::{Criterion, criterion_group, criterion_main};
use fauve_engine::core::StepList;
use fauve_engine::rules::dice::{DiceChess, Found, Options, Walker};
use fauve_engine::rules::twomove::{self, TwoMove};
use fauve_engine::rules::{Chance, Notation, Rules, for_each_turn};
use paired::{compare, group};
use std::collections::HashSet;
use std::hint::black_box;

const DICE: [(&str, &str); 2] = [
    (
        "dice results, start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "dice results, kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
];

/// Number of distinct results of all rolls, each made as a position.
fn results(walker: &mut Walker, found: &mut Vec<Found>, position: &DiceChess) -> u64 {
    let mut sum = 0;
    walker.start(position);
    for roll in 0..DiceChess::rolls().len() {
        walker.results_of_roll(roll, found);
        for result in found.iter() {
            black_box(walker.position(result));
        }
        sum += found.len() as u64;
    }
    sum
}

/// Number of distinct results, found by making every ordered turn.
fn results_of_turns(position: &DiceChess) -> u64 {
    let mut sum = 0;
    for &(roll, _) in DiceChess::rolls() {
        let mut rolled = *position;
        rolled.set_roll(roll);
        let mut seen = HashSet::new();
        for_each_turn(&rolled, &mut |_, after| {
            seen.insert(after.key());
        });
        sum += seen.len() as u64;
    }
    sum
}

fn dice(criterion: &mut Criterion) {
    let mut group = group(criterion, "turns", 3);
    let (mut walker, mut found) = (Walker::new(), Vec::new());
    for (name, fen) in DICE {
        let position = DiceChess::from_fen(fen, &Options::default())
            .expect("a legal position")
            .position;
        let (ours, theirs) = compare(
            &mut group,
            name,
            || results(&mut walker, &mut found, black_box(&position)),
            ("turn by turn", || results_of_turns(black_box(&position))),
        );
        assert_eq!(ours, theirs, "{name}");
    }
    group.finish();
}

const TWO_MOVE: [(&str, &str); 3] = [
    (
        "two-move turns, after three moves",
        "rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    ),
    (
        "two-move turns, kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    (
        "two-move turns, middlegame",
        "2r2rk1/1bqnbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 0 1",
    ),
];

/// Whether the side to move can capture the king with its first or second move, found by making its first moves.
fn takes_king(position: &TwoMove) -> bool {
    let by = position.side_to_move();
    let attacks = |position: &TwoMove| {
        let board = position.board();
        board.attackers(by, board.king(!by), board.occupied()).any()
    };
    if attacks(position) {
        return true;
    }
    let mut steps = StepList::new();
    position.pseudo_legal(&mut steps);
    steps.into_iter().any(|step| {
        let mut next = *position;
        next.play(step);
        attacks(&next)
    })
}

/// Counts legal turns by generating the moves of both sides.
fn count_by_pairs(position: &TwoMove) -> u64 {
    let mut steps = StepList::new();
    position.pseudo_legal(&mut steps);
    let mut count = 0;
    for step in steps {
        let mut next = *position;
        next.play(step);
        if next.side_to_move() == position.side_to_move() {
            count += count_by_pairs(&next);
        } else if position.forbidden_reversal() != Some(step) {
            count += u64::from(!takes_king(&next));
        }
    }
    count
}

fn two_move(criterion: &mut Criterion) {
    let mut group = group(criterion, "turns", 3);
    for (name, fen) in TWO_MOVE {
        let position = TwoMove::from_fen(fen, &twomove::Options::default())
            .expect("a legal position")
            .position;
        let (ours, theirs) = compare(
            &mut group,
            name,
            || black_box(&position).count_turns(),
            ("double generation", || count_by_pairs(black_box(&position))),
        );
        assert_eq!(ours, theirs, "{name}");
    }
    group.finish();
}

criterion_group!(benches, dice, two_move);
criterion_main!(benches);
