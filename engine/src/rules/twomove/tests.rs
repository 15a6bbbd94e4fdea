//! The set-wise predicate and the counts against plain enumeration.

use super::Options;
use super::{TwoMove, movegen, reach};
use crate::core::{Bitboard, Color, Kind, Move, StepList};
use crate::rules::{Notation, RecomputeKey, Rules};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

fn random(rng: &mut Xoshiro256PlusPlus, below: usize) -> usize {
    (rng.next_u64() % below as u64) as usize
}

/// A position with few or many pieces anywhere, legal or not, sometimes with castling rights and targets.
fn random_board(rng: &mut Xoshiro256PlusPlus) -> TwoMove {
    let mut position = TwoMove::start(&Options::default());
    position.moves_left = 2;
    position.opening = false;
    if random(rng, 2) == 0 {
        // Castling is rare in scattered positions: keep kings and rooks at home.
        for square in position.board.occupied() {
            let (color, kind) = position.board.piece_at(square).unwrap();
            if !matches!(kind, Kind::King | Kind::Rook) {
                position.board.toggle(color, kind, square);
            }
        }
        if random(rng, 2) == 0 {
            let color = Color::ALL[random(rng, 2)];
            let king = position.board.king(color);
            position.board.toggle(color, Kind::King, king);
            place(rng, &mut position, color, Kind::King);
        }
    } else {
        position.board = crate::rules::Board::default();
        place(rng, &mut position, Color::White, Kind::King);
        place(rng, &mut position, Color::Black, Kind::King);
    }
    let pieces = random(rng, 22);
    for _ in 0..pieces {
        let color = Color::ALL[random(rng, 2)];
        let kind = [
            Kind::Pawn,
            Kind::Pawn,
            Kind::Pawn,
            Kind::Pawn,
            Kind::Knight,
            Kind::Bishop,
            Kind::Rook,
            Kind::Queen,
        ][random(rng, 8)];
        place(rng, &mut position, color, kind);
    }
    position.side = Color::ALL[random(rng, 2)];
    position.rights = crate::rules::CastlingRights::default();
    for color in Color::ALL {
        for castling_side in crate::rules::CastlingSide::ALL {
            if position
                .board
                .pieces(color, Kind::King)
                .has(castling_side.king_home(color))
                && position
                    .board
                    .pieces(color, Kind::Rook)
                    .has(castling_side.rook_home(color))
                && random(rng, 4) > 0
            {
                position.rights.add(color, castling_side);
            }
        }
    }
    let us = position.side;
    position.targets = TwoMove::live_targets(&position.board, reach::sixth_rank(us));
    if random(rng, 2) == 0 {
        position.targets = position.targets.rest();
    }
    position.key = position.recomputed_key();
    position
}

fn place(rng: &mut Xoshiro256PlusPlus, position: &mut TwoMove, color: Color, kind: Kind) {
    let mut free = !position.board.occupied();
    if kind == Kind::Pawn {
        free = free - (Bitboard::RANK_1 | Bitboard::RANK_8);
    }
    let squares: Vec<_> = free.collect();
    position
        .board
        .toggle(color, kind, squares[random(rng, squares.len())]);
}

/// The definition: every first move, after it every second move, and whether one of them goes where the king stands.
fn capturable_by_pairs(position: &TwoMove, by: Color) -> bool {
    let king = position.board.king(!by);
    let takes = |position: &TwoMove| {
        let mut found = false;
        for kind in Kind::CHESS {
            for from in position.board.pieces(by, kind) {
                found |= reach::destinations(&position.board, by, kind, from).has(king);
            }
        }
        found
    };
    let mut start = *position;
    if start.side != by {
        start.side = by;
        start.targets = Bitboard::EMPTY;
    }
    start.moves_left = 2;
    if takes(&start) {
        return true;
    }
    let mut found = false;
    movegen::pseudo_legal(&start, &mut |step| {
        let mut next = start;
        next.play(step);
        found |= takes(&next);
    });
    found
}

#[test]
fn capturable_is_what_the_pairs_say() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut yes = 0;
    for _ in 0..200_000 {
        let position = random_board(&mut rng);
        for by in Color::ALL {
            let expected = capturable_by_pairs(&position, by);
            assert_eq!(
                position.capturable_by(by),
                expected,
                "{} by {by:?}",
                position.fen()
            );
            yes += u32::from(expected);
        }
    }
    // Both answers are common, so that the comparison means something.
    assert!((40_000..360_000).contains(&yes), "{yes}");
}

/// Legal turns by making every pair and testing it by pairs again.
fn count_by_pairs(position: &TwoMove) -> u64 {
    let mut count = 0;
    movegen::pseudo_legal(position, &mut |step| {
        let mut next = *position;
        next.play(step);
        if position.moves_left == 2 {
            count += count_by_pairs(&next);
        } else if step != position.reversal {
            count += u64::from(!capturable_by_pairs(&next, next.side));
        }
    });
    count
}

fn play_random(
    rng: &mut Xoshiro256PlusPlus,
    visit: &mut impl FnMut(&TwoMove, &mut Xoshiro256PlusPlus),
) {
    let mut position = TwoMove::start(&Options::default());
    for _ in 0..160 {
        visit(&position, rng);
        let mut steps = StepList::<Move>::new();
        position.generate(&mut steps);
        steps.retain(|step| {
            let mut next = position;
            next.play(*step);
            next.moves_left == 2 || next.count_turns() > 0
        });
        if steps.is_empty() {
            break;
        }
        position.play(steps[random(rng, steps.len())]);
    }
}

#[test]
fn counts_are_what_the_pairs_say() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut compared = 0;
    for _ in 0..40 {
        play_random(&mut rng, &mut |position, rng| {
            if random(rng, 4) == 0 {
                assert_eq!(
                    position.count_turns(),
                    count_by_pairs(position),
                    "{}",
                    position.fen()
                );
                compared += 1;
            }
        });
    }
    assert!(compared > 500, "{compared}");
    compared = 0;
    for _ in 0..3000 {
        let position = random_board(&mut rng);
        if !position.can_take_king() {
            assert_eq!(
                position.count_turns(),
                count_by_pairs(&position),
                "{}",
                position.fen()
            );
            assert_eq!(
                position.has_turn(),
                position.count_turns() > 0,
                "{}",
                position.fen()
            );
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

/// The set-wise second halves against making and testing every move, after every first half of random positions.
fn compare_second_halves(seed: u64, boards: usize) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut compared = 0;
    let mut compare = |position: &TwoMove| {
        movegen::pseudo_legal(position, &mut |step| {
            let mut half = *position;
            half.play(step);
            if half.moves_left == 2 {
                return;
            }
            let mut expected = Vec::new();
            movegen::pseudo_legal(&half, &mut |step| {
                if step != half.reversal
                    && half.is_safe_after(half.board.kind_of_piece(step.from()), step)
                {
                    expected.push(step.to_string());
                }
            });
            let mut steps = StepList::<Move>::new();
            half.generate(&mut steps);
            let mut found: Vec<_> = steps.iter().map(Move::to_string).collect();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{}", half.fen());
            assert_eq!(half.count_turns(), found.len() as u64, "{}", half.fen());
            assert_eq!(half.has_turn(), !found.is_empty(), "{}", half.fen());
            compared += 1;
        });
    };
    for _ in 0..boards {
        let position = random_board(&mut rng);
        if !position.can_take_king() {
            compare(&position);
        }
    }
    for _ in 0..boards / 500 {
        play_random(&mut rng, &mut |position, _| compare(position));
    }
    compared
}

#[test]
fn second_halves_are_those_that_pass_the_test() {
    let compared = compare_second_halves(3, 40_000);
    assert!(compared > 100_000, "{compared}");
}

/// `cargo test --release -p fauve-engine twomove -- --ignored`
#[test]
#[ignore = "a minute"]
fn many_second_halves_are_those_that_pass_the_test() {
    for seed in 100..110 {
        compare_second_halves(seed, 400_000);
    }
}
