//! Orthodox chess: perft suite, agreement with cozy-chess on random positions, FEN and draws.

use crate::properties::{
    EN_PASSANT_STARTS, en_passant_rights, hostile_texts, keys_differ, keys_equal, random_games,
};
use fauve_engine::core::{Color, Move, StepList};
use fauve_engine::rules::chess::{Chess, Options};
use fauve_engine::rules::{
    DrawReason, Draws, FenError, Field, Game, Notation, Outcome, Problem, Rules, WinReason,
    legal_steps, parse_turn, perft, perft_parallel,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeSet, HashSet};

fn position(fen: &str) -> Chess {
    Chess::from_fen(fen, &Options::default())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

/// The six usual positions and their counts from depth 1 (<https://www.chessprogramming.org/Perft_Results>).
#[test]
fn perft_suite() {
    let suite: [(&str, &[u64]); 7] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[20, 400, 8902, 197281, 4865609],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2039, 97862, 4085603, 193690690],
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            &[14, 191, 2812, 43238, 674624, 11030083],
        ),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9467, 422333, 15833292],
        ),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            &[6, 264, 9467, 422333, 15833292],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1486, 62379, 2103487, 89941194],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2079, 89890, 3894594, 164075551],
        ),
    ];
    for (fen, counts) in suite {
        let position = position(fen);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(
                perft_parallel(&position, depth),
                count,
                "{fen} depth {depth}"
            );
        }
    }
}

#[test]
fn properties() {
    let starts = [
        "startpos",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    random_games::<Chess>(&Options::default(), &starts, 20, 4);
    hostile_texts::<Chess>(&Options::default(), &starts);
    keys_differ::<Chess>(
        &Options::default(),
        &[
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w Qkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w Kkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w - - 0 1",
            "r3k2r/8/8/2pB4/8/8/8/R3K2R w KQkq - 0 1",
        ],
    );
    keys_equal::<Chess>(
        &Options::default(),
        &[
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq - 7 30",
        ],
    );
    // No pawn attacks the target.
    keys_equal::<Chess>(
        &Options::default(),
        &[
            "4k3/8/8/2p5/8/8/8/4K3 w - c6 0 1",
            "4k3/8/8/2p5/8/8/8/4K3 w - - 0 1",
        ],
    );
}

#[test]
fn en_passant_rights_are_legal_captures() {
    en_passant_rights::<Chess>(&Options::default(), EN_PASSANT_STARTS);
}

/// cozy-chess writes castling as the king taking its rook.
fn cozy_token(board: &cozy_chess::Board, step: cozy_chess::Move) -> String {
    let castles = board.color_on(step.from) == board.color_on(step.to);
    let token = step.to_string();
    if castles {
        let file = if step.to.file() > step.from.file() {
            'g'
        } else {
            'c'
        };
        format!("{}{file}{}", step.from, &token[3..4])
    } else {
        token
    }
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        for step in moves {
            count += if depth == 1 {
                1
            } else {
                let mut next = board.clone();
                next.play_unchecked(step);
                cozy_perft(&next, depth - 1)
            };
        }
        false
    });
    count
}

/// More than 1,000 different positions of random games: the same legal moves and the same perft 2 and 3 as another
/// program finds.
#[test]
fn agrees_with_cozy_chess() {
    let mut seen = HashSet::new();
    for (start, games) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            15,
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            10,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 10),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 10),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 10),
    ] {
        for seed in 0..games {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut game = Game::new(position(start), Options::default());
            for ply in 0..200 {
                let steps = legal_steps(game.position());
                // Every third position is enough: neighbours are much alike.
                if ply % 3 == 0 && seen.insert(game.position().key()) {
                    compare_with_cozy(game.position(), &steps);
                }
                if game.outcome().is_some() {
                    break;
                }
                game.play(steps[(rng.next_u64() % steps.len() as u64) as usize]);
            }
        }
    }
    assert!(seen.len() > 1000, "{} positions", seen.len());
}

/// The legal moves, captures and counts of a position are those that cozy-chess finds.
pub fn compare_with_cozy(position: &Chess, steps: &[Move]) {
    let fen = position.fen();
    let is_chess960 = position.orthodox().rook_rights().any();
    let board = cozy_chess::Board::from_fen(&fen, is_chess960)
        .unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut theirs = BTreeSet::new();
    board.generate_moves(|moves| {
        theirs.extend(moves.into_iter().map(|step| {
            if is_chess960 {
                step.to_string()
            } else {
                cozy_token(&board, step)
            }
        }));
        false
    });
    let ours: BTreeSet<String> = steps.iter().map(Move::to_string).collect();
    assert_eq!(ours, theirs, "{fen}");
    assert_eq!(position.in_check(), !board.checkers().is_empty(), "{fen}");
    let mut noisy = StepList::new();
    position.generate_noisy(&mut noisy);
    let noisy: BTreeSet<String> = noisy.iter().map(Move::to_string).collect();
    let captures_and_promotions = steps
        .iter()
        .filter(|step| {
            let mut next = *position;
            next.make(**step).captured.is_some() || step.promotion().is_some()
        })
        .map(Move::to_string)
        .collect();
    assert_eq!(noisy, captures_and_promotions, "{fen}");
    for depth in 2..=3 {
        assert_eq!(perft(position, depth), cozy_perft(&board, depth), "{fen}");
    }
}

fn refusal(fen: &str) -> FenError {
    Chess::from_fen(fen, &Options::default())
        .map(|parsed| parsed.position.fen())
        .expect_err(fen)
}

#[test]
fn impossible_positions_are_refused_for_what_is_wrong() {
    use Problem::*;
    let text = |text: &str| Unreadable(text.to_owned());
    let list = [
        ("", Field::Board, Missing),
        ("   ", Field::Board, Missing),
        ("words", Field::Board, RankCount(1)),
        (
            "8/8/8/8/8/8/8/8 w - - 0 1",
            Field::Board,
            Kings(Color::White, 0),
        ),
        ("4k3/8/8/8/8/8/8/8 w", Field::Board, Kings(Color::White, 0)),
        ("8/8/8/8/8/8/8/4K3 w", Field::Board, Kings(Color::Black, 0)),
        (
            "4k3/8/8/8/8/8/8/K3K3 w",
            Field::Board,
            Kings(Color::White, 2),
        ),
        (
            "pppppppp/pppppppp/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w",
            Field::Board,
            Kings(Color::White, 0),
        ),
        (
            "4k3/8/8/8/P7/8/PPPPPPPP/4K3 w",
            Field::Board,
            TooMany(Color::White, "pawns"),
        ),
        (
            "nnnnknnn/nnnnnnnn/n7/8/8/8/8/4K3 b",
            Field::Board,
            TooMany(Color::Black, "pieces"),
        ),
        ("P3k3/8/8/8/8/8/8/4K3 w", Field::Board, PawnOnEdge),
        ("4k3/8/8/8/8/8/8/p3K3 w", Field::Board, PawnOnEdge),
        ("4k3/8/8/8/8/8/8/4KA2 w", Field::Board, UnknownLetter('A')),
        ("4k3/8/8/8/8/8/4K3 w", Field::Board, RankCount(7)),
        ("4k3/8/8/8/8/8/8/8/4K3 w", Field::Board, RankCount(9)),
        (
            "4k4/8/8/8/8/8/8/4K3 w",
            Field::Board,
            RankLength {
                rank: 1,
                squares: 9,
            },
        ),
        (
            "4k3/8/8/8/8/8/8/4K2 w",
            Field::Board,
            RankLength {
                rank: 8,
                squares: 7,
            },
        ),
        ("4k3/8/8/8/8/8/8/4K3", Field::Side, Missing),
        ("4k3/8/8/8/8/8/8/4K3 x", Field::Side, text("x")),
        (
            "4k3/8/8/8/8/8/8/4K3 w KX",
            Field::Castling,
            UnknownLetter('X'),
        ),
        ("4k3/8/8/8/8/8/8/4K3 w kk", Field::Castling, text("kk")),
        ("4k3/8/8/8/8/8/8/4K3 w - e4", Field::EnPassant, text("e4")),
        (
            "4k3/8/8/8/8/8/8/4K3 w - a3c3",
            Field::EnPassant,
            text("a3c3"),
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - x", Field::Clock, text("x")),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1", Field::Clock, text("-1")),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5",
            Field::TurnNumber,
            text("1.5"),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2",
            Field::Position,
            UnknownWord("2".to_owned()),
        ),
        (
            "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
            Field::Position,
            OpponentInCheck,
        ),
        ("4k3/4Q3/8/8/8/8/8/4K3 w", Field::Position, OpponentInCheck),
        ("8/8/8/8/8/8/4k3/4K3 w", Field::Position, OpponentInCheck),
        ("4k3/3P4/8/8/8/8/8/4K3 w", Field::Position, OpponentInCheck),
    ];
    for (fen, field, problem) in list {
        assert_eq!(refusal(fen), FenError::new(field, problem), "{fen}");
    }
}

#[test]
fn fens_are_completed_and_corrected() {
    let read = |fen: &str| Chess::from_fen(fen, &Options::default()).expect(fen);
    for (fen, normal, warnings) in [
        ("4k3/8/8/8/8/8/8/4K3 w", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        (
            "4k3/8/8/8/8/8/8/4K3 b - - 3",
            "4k3/8/8/8/8/8/8/4K3 b - - 3 1",
            0,
        ),
        (
            "\t4k3/8/8/8/8/8/8/4K3  b - -\t99999999999999999999 99999999999999999999\r\n",
            "4k3/8/8/8/8/8/8/4K3 b - - 65535 4294967295",
            2,
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 b - - 0 0",
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
            1,
        ),
        // Rights without king and rook at home.
        (
            "r3k2r/8/8/8/8/8/8/1R2K2R w kqKQ",
            "r3k2r/8/8/8/8/8/8/1R2K2R w Kkq - 0 1",
            1,
        ),
        (
            "r2k3r/8/8/8/8/8/8/4K3 w kq",
            "r2k3r/8/8/8/8/8/8/4K3 w - - 0 1",
            2,
        ),
        // A target that nobody attacks goes in silence, an impossible one with a warning.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            0,
        ),
        (
            "4k3/8/8/3P4/8/8/8/4K3 w - e6 0 1",
            "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1",
            1,
        ),
        (
            "4k3/8/8/3Pp3/8/8/8/4K3 b - e6 0 1",
            "4k3/8/8/3Pp3/8/8/8/4K3 b - - 0 1",
            1,
        ),
        (
            "4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1",
            "4k3/8/4n3/3Pp3/8/8/8/4K3 w - - 0 1",
            1,
        ),
        (
            "4k3/4n3/8/3Pp3/8/8/8/4K3 w - e6 0 1",
            "4k3/4n3/8/3Pp3/8/8/8/4K3 w - - 0 1",
            1,
        ),
        // So does one whose capture would be illegal: in check, pinned, or uncovering the king on the rank.
        (
            "4k3/8/8/3Pp3/8/8/8/3K3r w - e6 0 1",
            "4k3/8/8/3Pp3/8/8/8/3K3r w - - 0 1",
            0,
        ),
        (
            "4k3/3r4/8/3Pp3/8/8/8/3K4 w - e6 0 1",
            "4k3/3r4/8/3Pp3/8/8/8/3K4 w - - 0 1",
            0,
        ),
        (
            "4k3/8/8/K2Pp2r/8/8/8/8 w - e6 0 1",
            "4k3/8/8/K2Pp2r/8/8/8/8 w - - 0 1",
            0,
        ),
        // Legal: no line to the king is opened; one of two pawns is not pinned; the checking pawn is taken.
        (
            "4k1b1/8/8/3Pp3/2K5/8/8/8 w - e6 0 1",
            "4k1b1/8/8/3Pp3/2K5/8/8/8 w - e6 0 1",
            0,
        ),
        (
            "4k3/3r4/8/3PpP2/8/8/8/3K4 w - e6 0 1",
            "4k3/3r4/8/3PpP2/8/8/8/3K4 w - e6 0 1",
            0,
        ),
        (
            "4k3/8/8/3Pp3/5K2/8/8/8 w - e6 0 1",
            "4k3/8/8/3Pp3/5K2/8/8/8 w - e6 0 1",
            0,
        ),
    ] {
        let parsed = read(fen);
        assert_eq!(parsed.position.fen(), normal);
        assert_eq!(
            parsed.warnings.len(),
            warnings,
            "{fen}: {:?}",
            parsed.warnings
        );
    }
    // The clock survives its upper end.
    let mut end = read("4k3/8/8/8/8/8/8/4K3 b - - 65535 4294967294").position;
    for token in ["e8e7", "e1e2", "e7e8", "e2e1"] {
        let turn = parse_turn(&end, token).expect("a legal move");
        end.play(turn[0]);
    }
    assert_eq!(end.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 65535 4294967295");
}

fn play(game: &mut Game<Chess>, tokens: &str) {
    for token in tokens.split_whitespace() {
        let turn = parse_turn(game.position(), token)
            .unwrap_or_else(|error| panic!("{}: {error}", game.position().fen()));
        game.play(turn[0]);
    }
}

#[test]
fn games_end_by_the_laws() {
    let outcome = |fen: &str, tokens: &str| {
        let mut game = Game::new(position(fen), Options::default());
        play(&mut game, tokens);
        game.outcome()
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let draw = |reason| Some(Outcome::Draw(reason));
    assert_eq!(
        outcome(start, "f2f3 e7e5 g2g4 d8h4"),
        Some(Outcome::Win(Color::Black, WinReason::CHECKMATE))
    );
    assert_eq!(
        outcome("7k/5Q2/8/8/8/8/8/K7 b", ""),
        draw(DrawReason::Stalemate)
    );
    // Threefold, not before the third time.
    let dance = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    assert_eq!(outcome(start, dance), None);
    assert_eq!(
        outcome(start, &format!("{dance} f6g8")),
        draw(DrawReason::Repetition)
    );
    // After 1 e4 the target e3 is not part of the position, since no pawn attacks it.
    assert_eq!(
        outcome(start, "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1"),
        draw(DrawReason::Repetition)
    );
    // Nor is it where the only capture is illegal: the pawn on d4 is pinned to its king.
    let pinned = "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1";
    let around = "e2e4 d8d7 e1f1 d7d8 f1e1";
    assert_eq!(outcome(pinned, &format!("{around} d8d7 e1f1 d7d8")), None);
    assert_eq!(
        outcome(pinned, &format!("{around} d8d7 e1f1 d7d8 f1e1")),
        draw(DrawReason::Repetition)
    );
    // A legal capture counts, although it is not made.
    let free = "3k4/8/8/8/3p4/8/4P3/2R1K3 w - - 0 1";
    assert_eq!(
        outcome(free, &format!("{around} d8d7 e1f1 d7d8 f1e1")),
        None
    );
    assert_eq!(
        outcome(free, &format!("{around} d8d7 e1f1 d7d8 f1e1 d8d7")),
        draw(DrawReason::Repetition)
    );
    // Rights that got lost on the way make the position another one.
    let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let around = "a1b1 a8b8 b1a1 b8a8";
    assert_eq!(outcome(castle, &format!("{around} {around}")), None);
    assert_eq!(
        outcome(castle, &format!("{around} {around} {around}")),
        draw(DrawReason::Repetition)
    );
    // 50 moves of both sides; mate on the last of them goes first.
    let rook = "7k/8/5K2/8/8/8/8/R7 w - - 98 80";
    assert_eq!(outcome(rook, "a1b1"), None);
    assert_eq!(outcome(rook, "a1b1 h8g8"), draw(DrawReason::Clock));
    assert_eq!(
        outcome("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8"),
        Some(Outcome::Win(Color::White, WinReason::CHECKMATE))
    );
    assert_eq!(outcome("7k/8/6K1/8/8/8/P7/R7 w - - 99 80", "a2a3"), None);
}

#[test]
fn dead_positions() {
    let outcome = |board: &str| {
        Game::new(position(&format!("{board} w - - 0 1")), Options::default()).outcome()
    };
    for dead in [
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4KN2",
        "4kn2/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4KB2",
        // Bishops of one square colour, however many: f8 and g1 are dark.
        "4kb2/8/8/8/8/8/8/4K1B1",
        "4kb1b/8/8/8/8/8/8/4K1B1",
    ] {
        assert_eq!(
            outcome(dead),
            Some(Outcome::Draw(DrawReason::DeadPosition)),
            "{dead}"
        );
    }
    for alive in [
        "4kb2/8/8/8/8/8/8/4KB2",
        "4kn2/8/8/8/8/8/8/4KN2",
        "4k3/8/8/8/8/8/8/4KNN1",
        "4k3/8/8/8/8/8/8/4KNB1",
        "4k3/7p/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/3RK3",
    ] {
        assert_eq!(outcome(alive), None, "{alive}");
    }
}

#[test]
fn moves_in_algebraic_notation() {
    for (fen, token, san) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "Rxa8+"),
        ("3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O+"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
        ("4k3/8/8/8/8/1K6/8/R6R w - - 0 1", "a1d1", "Rad1"),
        ("4k3/R7/8/8/8/1K6/8/R7 w - - 0 1", "a1a4", "R1a4"),
        ("1k6/8/8/8/4Q2Q/8/7K/7Q w - - 0 1", "h4e1", "Qh4e1"),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", "dxc6"),
        ("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        // The other knight is pinned and does not count.
        ("4k3/8/8/1b6/8/3N4/8/4KN2 w - - 0 1", "f1d2", "Nd2"),
        ("4k3/4r3/8/8/8/8/4N1N1/4K3 w - - 0 1", "g2f4", "Nf4"),
    ] {
        let position = position(fen);
        let turn = parse_turn(&position, token).expect(token);
        assert_eq!(position.step_san(turn[0]), san, "{fen}");
    }
}

#[test]
fn tokens_are_read_strictly() {
    let start = position("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1");
    for good in ["e7d8q", "e7d8Q", "e1d1"] {
        assert!(parse_turn(&start, good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "e7d8",
        "e7d8k",
        "e7d8p",
        "e7d8qq",
        "e1d1q",
        "E1D1",
        "e1é1",
        "0000",
        "e1d1,d1e1",
        "e1d",
        "e7d8\u{0}",
        "(none)",
    ] {
        assert!(parse_turn(&start, bad).is_err(), "{bad}");
    }
}

#[test]
fn the_board_is_drawn() {
    let drawing = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").board_text();
    let lines: Vec<&str> = drawing.lines().collect();
    assert_eq!(lines.len(), 18);
    assert_eq!(lines[1], "8 | r | n | b | q | k | b | n | r |");
    assert_eq!(lines[15], "1 | R | N | B | Q | K | B | N | R |");
    assert_eq!(lines[17].split_whitespace().collect::<String>(), "abcdefgh");
}

/// Which side can mate by some sequence of moves, White's answer first: the figures of python-chess
/// (`Board.has_insufficient_material`).
#[test]
fn the_material_says_which_side_can_still_mate() {
    for (board, white, black) in [
        ("8/8/4k3/8/8/4K3/8/8", false, false),
        ("8/8/4k3/8/8/4K3/8/B7", false, false),
        ("8/8/4k3/8/8/4K3/8/N7", false, false),
        ("8/8/4k2q/8/8/4K3/8/N7", false, true),
        ("8/8/4k2r/8/8/4K3/8/N7", true, true),
        ("8/8/4k2p/8/8/4K3/8/N7", true, true),
        ("8/8/4k2b/8/8/4K3/8/N7", true, true),
        ("8/8/4k2n/8/8/4K3/8/N7", true, true),
        ("8/8/4k2r/8/8/4K3/8/B7", false, true),
        ("8/8/4k2q/8/8/4K3/8/B7", false, true),
        ("8/8/4k2n/8/8/4K3/8/B7", true, true),
        ("8/8/4k2p/8/8/4K3/8/B7", true, true),
        ("8/8/4k2b/8/8/4K3/8/B7", false, false),
        ("8/8/4k1b1/8/8/4K3/8/B7", true, true),
        ("8/8/4k3/8/8/4K3/8/NN6", true, false),
        ("8/8/4k3/8/8/4K3/8/NB6", true, false),
        ("8/8/4k3/8/8/4K3/P7/8", true, false),
        ("8/8/4k3/8/8/4K3/8/R7", true, false),
        ("8/8/4k3/8/8/4K3/8/BB6", true, false),
        ("8/8/4k3/8/8/4K3/1B6/B7", false, false),
        ("8/8/4k2q/8/8/4K3/8/NN6", true, true),
        ("8/8/4k1qr/8/8/4K3/8/N7", true, true),
    ] {
        let position = position(&format!("{board} w - - 0 1"));
        let can = [Color::White, Color::Black].map(|side| position.can_win(side));
        assert_eq!(can, [white, black], "{board}");
    }
}
