//! Superchess: prologue, arrays, pool, perft vectors, position strings and draws.

use crate::properties::{
    EN_PASSANT_STARTS, en_passant_rights, hostile_texts, keys_differ, keys_equal, random_games,
};
use fauve_engine::core::{Color, Kind, Square};
use fauve_engine::rules::superchess::{Action, Options, Superchess};
use fauve_engine::rules::{
    DrawReason, FenError, Field, Game, Notation, Outcome, Problem, RecomputeKey, Rules, StepError,
    WinReason, for_each_turn, legal_steps, parse_turn, perft, perft_parallel, turn_san, turn_token,
};
use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

const LITERAL: Options = Options {
    prologue: true,
    array: 0,
    physical_pool: false,
};
const PHYSICAL: Options = Options {
    physical_pool: true,
    ..LITERAL
};

fn read(fen: &str, options: Options) -> Superchess {
    let parsed =
        Superchess::from_fen(fen, &options).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(parsed.warnings, Vec::<String>::new(), "{fen}");
    parsed.position
}

/// The position after some turn tokens.
fn after(position: &Superchess, tokens: &str) -> Superchess {
    let mut position = *position;
    for token in tokens.split_whitespace() {
        for step in parse_turn(&position, token).unwrap_or_else(|error| panic!("{error}")) {
            position.play(step);
        }
    }
    position
}

fn tokens(position: &Superchess) -> BTreeSet<String> {
    let steps = legal_steps(position);
    let tokens: BTreeSet<_> = steps
        .iter()
        .map(|&step| position.step_token(step))
        .collect();
    assert_eq!(tokens.len(), steps.len());
    tokens
}

fn start() -> Superchess {
    Superchess::start(&LITERAL)
}

/// The positions after every prologue, with how many prologues lead to each.
fn prologues() -> BTreeMap<String, u32> {
    fn walk(position: &Superchess, ends: &mut BTreeMap<String, u32>) {
        if position.prologue().is_none() {
            *ends.entry(position.fen()).or_default() += 1;
            return;
        }
        for_each_turn(position, &mut |_, next| walk(next, ends));
    }
    let mut ends = BTreeMap::new();
    walk(&start(), &mut ends);
    ends
}

struct Array {
    rank: String,
    fen: String,
    perft: [u64; 4],
}

/// The rows of the list of arrays.
fn arrays() -> Vec<Array> {
    include_str!("data/superchess-432.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            let [rank, fen, counts @ ..] = &fields[..] else {
                panic!("{line}")
            };
            let counts: Vec<u64> = counts.iter().map(|count| count.parse().unwrap()).collect();
            Array {
                rank: (*rank).to_owned(),
                fen: (*fen).to_owned(),
                perft: counts.try_into().unwrap(),
            }
        })
        .collect()
}

#[test]
fn the_prologue_has_12_12_4_21_turns_and_leads_to_432_arrays() {
    assert_eq!(
        [1, 2, 3, 4].map(|depth| perft(&start(), depth)),
        [12, 12 * 12, 12 * 12 * 4, 12 * 12 * 4 * 3 * 7]
    );
    let ends = prologues();
    assert_eq!(ends.values().sum::<u32>(), 12_096);
    let listed: BTreeSet<_> = arrays()
        .iter()
        .map(|array| read(&array.fen, LITERAL).fen())
        .collect();
    assert_eq!(listed.len(), 432);
    assert_eq!(ends.into_keys().collect::<BTreeSet<_>>(), listed);
}

#[test]
fn the_option_array_counts_through_the_list() {
    for (array, row) in (0..).zip(arrays()) {
        for physical_pool in [false, true] {
            let options = Options {
                prologue: false,
                array,
                physical_pool,
            };
            let position = Superchess::start(&options);
            assert_eq!(position, read(&row.fen, options));
            assert!(position.fen().contains(&format!("/{}[", row.rank)));
        }
    }
}

#[test]
fn perft_of_the_432_arrays() {
    arrays().par_iter().for_each(|array| {
        let position = read(&array.fen, LITERAL);
        for (depth, count) in (1..).zip(array.perft) {
            assert_eq!(
                perft(&position, depth),
                count,
                "{} depth {depth}",
                array.fen
            );
        }
    });
}

#[derive(Deserialize)]
struct Vectors {
    positions: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    fen: String,
    perft: BTreeMap<String, Vec<u64>>,
}

#[test]
fn perft_of_special_positions_in_both_pools() {
    let vectors: Vectors = serde_json::from_str(include_str!("data/superchess.json")).unwrap();
    assert_eq!(vectors.positions.len(), 15);
    for vector in &vectors.positions {
        for (pool, options) in [("physical", PHYSICAL), ("literal", LITERAL)] {
            let position = read(&vector.fen, options);
            for (depth, &count) in (1..).zip(&vector.perft[pool]) {
                assert_eq!(
                    perft_parallel(&position, depth),
                    count,
                    "{} ({}) {pool} depth {depth}",
                    vector.name,
                    vector.fen
                );
            }
        }
    }
}

#[test]
fn each_turn_of_the_prologue_has_its_wing_and_its_pieces() {
    let first: BTreeSet<_> = "AESV"
        .chars()
        .flat_map(|piece| ["f1", "g1", "h1"].map(|square| format!("{piece}@{square}")))
        .collect();
    assert_eq!(tokens(&start()), first);
    let position = after(&start(), "E@h1");
    assert_eq!(
        position.fen(),
        "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNE b Qq - 0 1 p1"
    );
    let second: BTreeSet<_> = "ASV"
        .chars()
        .flat_map(|piece| ["a8", "b8", "c8", "d8"].map(|square| format!("{piece}@{square}")))
        .collect();
    assert_eq!(tokens(&position), second);
    let position = after(&position, "V@d8");
    assert_eq!(
        position.fen(),
        "rnbvkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBVKBNE w Qq - 0 1 p2"
    );
    assert_eq!(
        tokens(&position),
        ["A@f1", "A@g1", "S@f1", "S@g1"].map(str::to_owned).into()
    );
    let position = after(&position, "S@g1");
    assert_eq!(
        position.fen(),
        "rnbvkbse/pppppppp/8/8/8/8/PPPPPPPP/RNBVKBSE b Qq - 0 1 p3"
    );
    let expected: BTreeSet<_> = ['a', 'b', 'c']
        .iter()
        .flat_map(|file| {
            let mut squares = [*file, 'd', 'g', 'h'];
            squares.sort_unstable();
            let mut tokens = vec![format!("A@{file}8")];
            for (i, a) in squares.iter().enumerate() {
                for b in &squares[i + 1..] {
                    tokens.push(format!("A@{file}8,{a}8{b}8"));
                }
            }
            tokens
        })
        .collect();
    assert_eq!(expected.len(), 21);
    assert_eq!(tokens(&position), expected);
    assert_eq!(
        after(&position, "A@a8").fen(),
        "anbvkbse/pppppppp/8/8/8/8/PPPPPPPP/ANBVKBSE[NRRQnrrq] w - - 0 1"
    );
    assert_eq!(
        after(&position, "A@b8,b8h8").fen(),
        "rebvkbsa/pppppppp/8/8/8/8/PPPPPPPP/REBVKBSA[NNRQnnrq] w Qq - 0 1"
    );
}

#[test]
fn prologue_tokens() {
    let position = after(&start(), "E@h1 V@b8 A@f1");
    let swapped = after(&position, "S@d8,b8f8");
    assert_eq!(after(&position, "S@d8,f8b8"), swapped);
    let turn = parse_turn(&position, "S@d8,f8b8").unwrap();
    assert_eq!(turn.len(), 1);
    assert_eq!(turn_token(&position, &turn), "S@d8,b8f8");
    assert_eq!(turn_san(&position, &turn), "S@d8,b8f8");
    for bad in [
        "S@d8,b8g8", // no superpiece on g8
        "S@d8,b8b8",
        "S@d8,b1f1",
        "S@d8,b8",
        "S@d8,",
        "S@d8,b8f8,d8h8",
        "S@d1",
        "s@d8",
        "SS@d8",
        "@d8",
        "S@b8",
        "S@e8",
        "E@d8",
        "S@é8",
        "S@d8,éf8",
        "e7e5",
        "0000",
        "",
        ",",
    ] {
        assert!(
            matches!(parse_turn(&position, bad), Err(StepError::Illegal(_))),
            "{bad}"
        );
    }
    // The swap as a token of its own.
    let placed = parse_turn(&position, "S@d8").unwrap()[0];
    let whole = parse_turn(&position, "S@d8,b8f8").unwrap()[0];
    assert_eq!(position.continued(placed, "b8f8"), Some(whole));
    assert_eq!(position.continued(placed, "f8b8"), Some(whole));
    for other in ["b8g8", "b1f1", "e2e4", "b8", "", "é", "aé8"] {
        assert_eq!(position.continued(placed, other), None, "{other}");
    }
    assert_eq!(position.continued(whole, "d8h8"), None);
    let first = parse_turn(&start(), "E@h1").unwrap()[0];
    assert_eq!(start().continued(first, "g1h1"), None);
    // In the game proper a comma separates turns that are not there.
    assert!(parse_turn(&swapped, "e2e4,e7e5").is_err());
}

#[test]
fn every_prologue_position_comes_back_from_its_text() {
    let mut positions = vec![start()];
    for turns in 0..4 {
        let mut next = Vec::new();
        for position in &positions {
            assert_eq!(position.prologue(), Some(turns));
            assert_eq!(read(&position.fen(), LITERAL), *position);
            assert_eq!(position.key(), position.recomputed_key());
            for step in legal_steps(position) {
                let token = position.step_token(step);
                assert_eq!(position.step_san(step), token);
                assert_eq!(parse_turn(position, &token).unwrap()[..], [step]);
                let mut child = *position;
                child.play(step);
                assert_ne!(child.key(), position.key());
                next.push(child);
            }
        }
        // Distinct positions have distinct keys, and transpositions the same.
        let by_key: BTreeMap<u64, String> = next.iter().map(|p| (p.key(), p.fen())).collect();
        let fens: BTreeSet<_> = next.iter().map(Notation::fen).collect();
        assert_eq!(by_key.len(), fens.len());
        next.sort_by_key(Rules::key);
        next.dedup();
        positions = next;
    }
    assert_eq!(positions.len(), 432);
    for position in positions {
        assert_eq!(position.prologue(), None);
        assert_eq!(position.key(), position.recomputed_key());
    }
}

#[test]
fn castling_is_left_where_the_prologue_left_the_rook() {
    for array in arrays() {
        let position = read(&array.fen, LITERAL);
        for (file, letters) in [(0, "Qq"), (7, "Kk")] {
            let square = Square::new(file, 0);
            let has_rook = position
                .board()
                .pieces(Color::White, Kind::Rook)
                .has(square);
            let castling = position.castling().to_string();
            assert_eq!(
                letters.chars().all(|letter| castling.contains(letter)),
                has_rook,
                "{}",
                array.fen
            );
        }
    }
    // The corners of an Empress that moves away, or of a rook that comes back, give no right.
    let position = read(
        "r3k2e/pppp1ppp/2v5/4p3/4P3/2V5/PPPP1PPP/E3K2R w Kq - 0 1",
        LITERAL,
    );
    let legal = tokens(&position);
    assert!(legal.contains("e1g1") && !legal.contains("e1c1"));
    assert_eq!(
        after(&position, "e1g1 e8c8").fen(),
        "2kr3e/pppp1ppp/2v5/4p3/4P3/2V5/PPPP1PPP/E4RK1[NNBBRQSnnbbrqs] w - - 2 2"
    );
}

#[test]
fn damaged_texts_are_refused_or_make_sense() {
    for options in [LITERAL, PHYSICAL] {
        hostile_texts::<Superchess>(
            &options,
            &[
                "startpos",
                "rnbvkbse/pppppppp/8/8/8/8/PPPPPPPP/RNBVKBSE b Qq - 0 1 p3",
                "r3k2e/ppppVppp/2v~5/3Pp3/8/2V5/PPPP1PPP/E3K2R[NNbq] w Kq e6 3 9",
                "Q~6k/P7/8/8/8/8/7p/K6v~[Ne] b - - 12 80",
            ],
        );
    }
}

#[test]
fn clocks_stop_counting_where_their_text_ends() {
    let position = read("7k/8/8/8/8/8/8/KV6[] w - - 65534 1", LITERAL);
    let later = after(&position, "b1c3 h8g8 c3b1");
    assert_eq!(later.fen(), "6k1/8/8/8/8/8/8/KV6[] b - - 65535 2");
    assert_eq!(read(&later.fen(), LITERAL), later);
}

/// The promotions among the legal moves, as tokens.
fn promotions(position: &Superchess) -> Vec<String> {
    tokens(position)
        .into_iter()
        .filter(|token| token.len() == 5)
        .collect()
}

#[test]
fn a_pawn_becomes_what_its_pool_holds() {
    for options in [LITERAL, PHYSICAL] {
        let position = read("8/P6k/8/8/8/8/p6K/8[NNQv] w - - 0 1", options);
        assert_eq!(promotions(&position), ["a7a8n", "a7a8q"]);
        let mark = if options.physical_pool { "" } else { "~" };
        let knight = after(&position, "a7a8n");
        assert_eq!(
            knight.fen(),
            format!("N{mark}7/7k/8/8/8/8/p6K/8[NQv] b - - 0 1")
        );
        assert_eq!(promotions(&knight), ["a2a1v"]);
        let queen = after(&position, "a7a8q a2a1v");
        assert_eq!(
            queen.fen(),
            format!("Q{mark}7/7k/8/8/8/8/7K/v{mark}7[NN] w - - 0 2")
        );
        // A promoted piece carries its mark along.
        assert_eq!(
            after(&queen, "a8f8 a1b2").fen(),
            format!("5Q{mark}2/7k/8/8/8/8/1v{mark}5K/8[NN] w - - 2 3")
        );
    }
    // A promotion letter is read in either case; a move to the last rank without one is none.
    let position = read("8/P6k/8/8/8/8/p6K/8[NQv] w - - 0 1", LITERAL);
    assert!(parse_turn(&position, "a7a8Q").is_ok());
    for bad in ["a7a8", "a7a8r", "a7a8a", "a7a8k", "a7a8p", "a7a8qq"] {
        assert!(parse_turn(&position, bad).is_err(), "{bad}");
    }
}

#[test]
fn a_captured_piece_is_available_to_its_owner() {
    for options in [LITERAL, PHYSICAL] {
        let position = read("q7/7k/8/8/8/8/8/Q6K[] w - - 0 1", options);
        assert_eq!(
            after(&position, "a1a8").fen(),
            "Q7/7k/8/8/8/8/8/7K[q] b - - 0 1"
        );
        // Amazons and pawns never come back, neither by capture nor en passant.
        let position = read("a7/6pk/8/3pP3/8/8/7K/R7[] w - d6 0 1", options);
        assert!(after(&position, "a1a8").fen().contains("[]"));
        assert!(after(&position, "e5d6").fen().contains("[]"));
        // A capture that promotes: the captured piece goes to its owner's pool, the new one leaves the other's.
        let position = read("n6k/1P6/8/8/8/8/8/7K[R] w - - 0 1", options);
        assert_eq!(promotions(&position), ["b7a8r", "b7b8r"]);
        let mark = if options.physical_pool { "" } else { "~" };
        assert_eq!(
            after(&position, "b7a8r").fen(),
            format!("R{mark}6k/8/8/8/8/8/8/7K[n] b - - 0 1")
        );
    }
}

#[test]
fn a_promoted_piece_comes_back_under_the_physical_pool_only() {
    let moves = "b7b8q a8b8";
    let literal = read("r6k/1P6/8/8/8/8/8/7K[Q] w - - 0 1", LITERAL);
    assert_eq!(
        after(&literal, "b7b8q").fen(),
        "rQ~5k/8/8/8/8/8/8/7K[] b - - 0 1"
    );
    assert_eq!(
        after(&literal, moves).fen(),
        "1r5k/8/8/8/8/8/8/7K[] w - - 0 2"
    );
    let physical = read("r6k/1P6/8/8/8/8/8/7K[Q] w - - 0 1", PHYSICAL);
    assert_eq!(
        after(&physical, moves).fen(),
        "1r5k/8/8/8/8/8/8/7K[Q] w - - 0 2"
    );
    // The mark says whether a capture returns the piece.
    for (fen, pool) in [
        ("r6k/8/8/8/8/8/8/R~6K[] b - - 0 1", "[]"),
        ("r6k/8/8/8/8/8/8/R6K[] b - - 0 1", "[R]"),
    ] {
        let position = after(&read(fen, LITERAL), "a8a1");
        assert_eq!(
            position.fen(),
            format!("7k/8/8/8/8/8/8/r6K{pool} w - - 0 2")
        );
    }
    let position = read("r6k/8/8/8/8/8/8/R~6K[] b - - 0 1", PHYSICAL);
    assert!(position.promoted().is_empty());
    assert_eq!(
        after(&position, "a8a1").fen(),
        "7k/8/8/8/8/8/8/r6K[R] w - - 0 2"
    );
}

#[test]
fn a_pawn_with_nothing_to_become_stays_but_attacks() {
    // Neither push nor capture, also when that would be the only move: stalemate.
    let fen = "2r1k3/3P4/8/8/8/1q6/8/K7";
    let position = read(&format!("{fen}[] b - - 0 1"), LITERAL);
    assert!(position.in_check());
    let position = read("2r1n2k/3P4/8/8/8/1q6/8/K7[] w - - 0 1", LITERAL);
    assert_eq!(tokens(&position), BTreeSet::new());
    assert_eq!(
        Game::new(position, LITERAL).outcome(),
        Some(Outcome::Draw(DrawReason::Stalemate))
    );
    let position = read("2r1n2k/3P4/8/8/8/1q6/8/K7[V] w - - 0 1", LITERAL);
    assert_eq!(promotions(&position), ["d7c8v", "d7d8v", "d7e8v"]);
    // The king may not step onto the squares that such a pawn attacks, and a mate may rest on it.
    let position = read("k7/3P4/8/8/8/8/8/6K1[] b - - 0 1", LITERAL);
    assert!(!position.in_check());
    let position = read("3k4/1P6/1K6/8/8/8/8/7R[] w - - 0 1", LITERAL);
    let mut game = Game::new(position, LITERAL);
    for token in ["h1h8", "d8d7", "h8h7", "d7d8"] {
        game.play(parse_turn(game.position(), token).unwrap()[0]);
    }
    assert!(!tokens(&after(game.position(), "h7h6")).contains("d8c8"));
}

#[test]
fn without_brackets_the_pool_is_the_set_less_the_pieces() {
    for (fen, pool) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "[ESVesv]",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "[NNBBRRQESVnnbbrrqesv]"),
        ("4k3/nnn5/8/8/8/8/R7/4K3 w - - 0 1", "[NNBBRQESVbbrrqesv]"),
        ("4k3/eq6/8/8/8/8/Q~7/4K3 w - - 0 1", "[NNBBRRESVnnbbrrsv]"),
        ("4k3/a7/8/8/8/8/A7/4K3 w - - 0 1", "[NNBBRRQESVnnbbrrqesv]"),
        ("4k3/8/8/8/8/8/8/4K3[] w - - 0 1", "[]"),
        ("4k3/8/8/8/8/8/8/4K3[-] w - - 0 1", "[]"),
        ("4k3/8/8/8/8/8/8/4K3[vQbNNn] w - - 0 1", "[NNQnbv]"),
    ] {
        let text = read(fen, LITERAL).fen();
        let found = &text[text.find('[').unwrap()..=text.find(']').unwrap()];
        assert_eq!(found, pool, "{fen}");
    }
}

#[test]
fn more_pieces_than_a_set_never_fill_the_pool_beyond_it() {
    for options in [LITERAL, PHYSICAL] {
        let mut position = read("8/7k/8/nnn5/8/8/8/R6K w - - 0 1", options);
        for (token, pieces) in [
            ("a1a5", 2),
            ("h7g8", 2),
            ("a5b5", 1),
            ("g8h8", 1),
            ("b5c5", 0),
        ] {
            position = after(&position, token);
            assert_eq!(
                position.board().pieces(Color::Black, Kind::Knight).len(),
                pieces
            );
            assert_eq!(
                position.pool().count(Color::Black, Kind::Knight),
                2 - pieces
            );
            assert_eq!(read(&position.fen(), options), position);
        }
    }
}

#[test]
fn refusals_name_the_field_and_the_problem() {
    let refused = |fen: &str| Superchess::from_fen(fen, &LITERAL).unwrap_err();
    let contradicts = |fen: &str, field: Field| {
        assert!(
            matches!(
                refused(fen),
                FenError { field: found, problem: Problem::Contradiction(_) } if found == field
            ),
            "{fen}: {:?}",
            refused(fen)
        );
    };
    for (fen, field, problem) in [
        ("", Field::Board, Problem::Missing),
        ("p0", Field::Board, Problem::RankCount(1)),
        ("4k3/8/8/8/8/8/8/4K3", Field::Side, Problem::Missing),
        (
            "4k3/8/8/8/8/8/8/4K3 x",
            Field::Side,
            Problem::Unreadable("x".into()),
        ),
        (
            "4k3/8/8/8/8/8/8/4X3 w",
            Field::Board,
            Problem::UnknownLetter('X'),
        ),
        (
            "4k3/8/8/8/8/8/8/8 w",
            Field::Board,
            Problem::Kings(Color::White, 0),
        ),
        (
            "4kk2/8/8/8/8/8/8/4K3 w",
            Field::Board,
            Problem::Kings(Color::Black, 2),
        ),
        (
            "4k3/8/8/8/8/AA6/8/4K3 w",
            Field::Board,
            Problem::TooMany(Color::White, "Amazons"),
        ),
        (
            "4k3/pppppppp/p7/8/8/8/8/4K3 w",
            Field::Board,
            Problem::TooMany(Color::Black, "pawns"),
        ),
        (
            "4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w",
            Field::Board,
            Problem::TooMany(Color::White, "pieces"),
        ),
        ("4k3/8/8/8/8/8/8/P3K3 w", Field::Board, Problem::PawnOnEdge),
        (
            "4k3/8/8/8/8/8/8/4K2e b",
            Field::Position,
            Problem::OpponentInCheck,
        ),
        (
            "4k3/8/8/8/8/8/6v1/4K3 b",
            Field::Position,
            Problem::OpponentInCheck,
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[N w",
            Field::Pool,
            Problem::Unreadable("[N".into()),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[N]] w",
            Field::Pool,
            Problem::UnknownLetter(']'),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[A] w",
            Field::Pool,
            Problem::UnknownLetter('A'),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[P] w",
            Field::Pool,
            Problem::UnknownLetter('P'),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[k] w",
            Field::Pool,
            Problem::UnknownLetter('k'),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[é] w",
            Field::Pool,
            Problem::UnknownLetter('é'),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3[QQ] w",
            Field::Pool,
            Problem::TooMany(Color::White, "queens"),
        ),
        (
            "4k3/8/8/8/n7/8/8/4K3[Qnn] w",
            Field::Pool,
            Problem::TooMany(Color::Black, "knights"),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w KX",
            Field::Castling,
            Problem::UnknownLetter('X'),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9",
            Field::EnPassant,
            Problem::Unreadable("e9".into()),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - x",
            Field::Clock,
            Problem::Unreadable("x".into()),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 -1",
            Field::TurnNumber,
            Problem::Unreadable("-1".into()),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 pre",
            Field::Position,
            Problem::UnknownWord("pre".into()),
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p4",
            Field::Prologue,
            Problem::Unreadable("p4".into()),
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0 p0",
            Field::Prologue,
            Problem::UnknownWord("p0".into()),
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p99999999999999999999",
            Field::Prologue,
            Problem::Unreadable("p99999999999999999999".into()),
        ),
    ] {
        assert_eq!(refused(fen), FenError::new(field, problem), "{fen}");
    }
    // A promoted piece does not count against the set, an unmarked one does.
    assert!(Superchess::from_fen("4k3/8/8/8/n~7/8/8/4K3[nn] w", &LITERAL).is_ok());
    assert!(Superchess::from_fen("4k3/8/8/8/n~7/8/8/4K3[nn] w", &PHYSICAL).is_err());
    for fen in [
        "4k3/P~7/8/8/8/8/8/4K3 w",
        "4k~3/8/8/8/8/8/8/4K3 w",
        "4k3/a~7/8/8/8/8/8/4K3 w",
    ] {
        contradicts(fen, Field::Board);
        assert!(Superchess::from_fen(fen, &PHYSICAL).is_ok());
    }
    contradicts(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1 p0",
        Field::Pool,
    );
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 p0", // side
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1 p1", // number of superpieces
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1 p0", // pawn moved
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1 p0",
        "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNE w Qq - 0 1 p1", // side
        "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNV b Qq - 0 1 p1", // mirroring
        "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQq - 0 1 p1",
        "enbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/ENBQKBNR b Kk - 0 1 p1", // wing
        "rnbqkben/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBEN b Qq - 0 1 p1", // knight on a rook's square
        "rnbqkvne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKVNE w Qq - 0 1 p2", // wings
        "rnsqkbve/pppppppp/8/8/8/8/PPPPPPPP/RNSQKBVE b Qq - 0 1 p2",
        "rnsvkbne/pppppppp/8/8/8/8/PPPPPPPP/RNSVKBNE b Qq - 0 1 p3", // wings
        "rnbekbne/pppppppp/8/8/8/8/PPPPPPPP/RNBEKBNE w Qq - 0 1 p2", // twice the same
        "rnbqekne/pppppppp/8/8/8/8/PPPPPPPP/RNBQEKNE w - - 0 1 p2",  // king
    ] {
        contradicts(fen, Field::Prologue);
    }
}

#[test]
fn what_is_dropped_or_put_right_is_said() {
    let warned = |fen: &str, expected: &str, warnings: usize| {
        let parsed = Superchess::from_fen(fen, &LITERAL).unwrap();
        assert_eq!(parsed.position.fen(), expected, "{fen}");
        assert_eq!(
            parsed.warnings.len(),
            warnings,
            "{fen}: {:?}",
            parsed.warnings
        );
    };
    let pool = "NNBBRRQESVnnbbrrqsv";
    warned(
        "4k2e/8/8/8/8/8/8/4K3 w k - 0 1",
        &format!("4k2e/8/8/8/8/8/8/4K3[{pool}] w - - 0 1"),
        1,
    );
    warned(
        "4k2e/8/8/8/8/8/8/4K3 w",
        &format!("4k2e/8/8/8/8/8/8/4K3[{pool}] w - - 0 1"),
        0,
    );
    warned(
        "4k2e/8/8/8/8/8/8/4K3 w - e6 0 1",
        &format!("4k2e/8/8/8/8/8/8/4K3[{pool}] w - - 0 1"),
        1,
    );
    warned(
        "4k3/8/8/8/8/8/8/R~3K2R[] w KQ - 0 1",
        "4k3/8/8/8/8/8/8/R~3K2R[] w K - 0 1",
        1,
    );
    // A target that no pawn attacks is not worth a word.
    warned(
        "4k2e/8/8/4p3/8/8/8/4K3 w - e6 0 1",
        &format!("4k2e/8/8/4p3/8/8/8/4K3[{pool}] w - - 0 1"),
        0,
    );
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0";
    warned("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w p0", start, 0);
    warned(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR p0 w KQkq - 0 1",
        start,
        0,
    );
    warned(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1 p0",
        start,
        1,
    );
    warned(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9 p0",
        start,
        1,
    );
}

#[test]
fn positions_that_differ_in_one_thing_have_different_keys() {
    let groups: [&[&str]; 6] = [
        // pool
        &[
            "8/P6k/8/8/8/8/p6K/8[] w - - 0 1",
            "8/P6k/8/8/8/8/p6K/8[N] w - - 0 1",
            "8/P6k/8/8/8/8/p6K/8[NN] w - - 0 1",
            "8/P6k/8/8/8/8/p6K/8[n] w - - 0 1",
            "8/P6k/8/8/8/8/p6K/8[V] w - - 0 1",
            "8/P6k/8/8/8/8/p6K/8[Nv] w - - 0 1",
        ],
        // promoted pieces
        &[
            "8/P6k/8/8/8/N5N1/p6K/8[] w - - 0 1",
            "8/P6k/8/8/8/N~5N1/p6K/8[] w - - 0 1",
            "8/P6k/8/8/8/N5N~1/p6K/8[] w - - 0 1",
            "8/P6k/8/8/8/N~5N~1/p6K/8[] w - - 0 1",
        ],
        // prologue
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        ],
        &[
            "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNE b Qq - 0 1 p1",
            "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNE[] b Qq - 0 1",
        ],
        // en passant
        &[
            "4k3/8/8/2pPp3/8/8/8/4K3[] w - - 0 1",
            "4k3/8/8/2pPp3/8/8/8/4K3[] w - c6 0 1",
            "4k3/8/8/2pPp3/8/8/8/4K3[] w - e6 0 1",
        ],
        // castling and side
        &[
            "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R[] b KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R[] w Qkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R[] w Kkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R[] w KQq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R[] w KQk - 0 1",
        ],
    ];
    for group in groups {
        keys_differ::<Superchess>(&LITERAL, group);
    }
    keys_equal::<Superchess>(
        &LITERAL,
        &[
            "8/P6k/8/8/8/8/p6K/8[] w - - 0 1",
            "8/P6k/8/8/8/8/p6K/8[] w - - 33 44",
        ],
    );
    keys_equal::<Superchess>(
        &LITERAL,
        &[
            "4k3/8/8/2p5/8/8/8/4K3[] w - c6 0 1",
            "4k3/8/8/2p5/8/8/8/4K3[] w - - 0 1",
        ],
    );
    let fen = "8/P6k/8/8/8/8/p6K/8[] w - - 0 1";
    assert_ne!(read(fen, LITERAL).key(), read(fen, PHYSICAL).key());
}

#[test]
fn en_passant_rights_are_legal_captures() {
    en_passant_rights::<Superchess>(&LITERAL, EN_PASSANT_STARTS);
    let superpieces = "e2sk2a/pp1p1p1p/8/2P1P1P1/2p1p1p1/8/PP1P1P1P/E2SK2A w - - 0 1";
    let starts = [EN_PASSANT_STARTS, &[superpieces]].concat();
    en_passant_rights::<Superchess>(&PHYSICAL, &starts);
}

#[test]
fn random_games_hold_the_properties() {
    for options in [LITERAL, PHYSICAL] {
        random_games::<Superchess>(
            &options,
            &[
                "startpos",
                "r3k2e/pppp1ppp/2v5/4p3/4P3/2V5/PPPP1PPP/E3K2R w Kq - 0 1",
                "2r1s2k/1P1P1P2/7q/8/8/7Q/1p1p1p2/2R1S2K w - - 0 1",
                "4k3/P1P4p/8/8/8/8/p1p4P/4K3 w - - 0 1",
            ],
            20,
            4,
        );
    }
}

/// A number below `n`, from a counter.
fn pick(seed: u64, count: &mut u64, n: usize) -> usize {
    *count += 1;
    (fauve_engine::core::zobrist::splitmix(seed, *count) % n as u64) as usize
}

#[test]
fn the_pool_of_random_games_adds_up() {
    (0..120u64).into_par_iter().for_each(|seed| {
        let options = if seed % 2 == 0 { LITERAL } else { PHYSICAL };
        let mut position = Superchess::start(&options);
        let mut count = 0;
        for _ in 0..250 {
            let steps = legal_steps(&position);
            if steps.is_empty() {
                break;
            }
            // Captures and promotions are what the pool lives on.
            let mut noisy = fauve_engine::core::StepList::new();
            position.generate_noisy(&mut noisy);
            assert!(noisy.iter().all(|step| steps.contains(step)));
            let step = if noisy.is_empty() || pick(seed, &mut count, 3) > 0 {
                steps[pick(seed, &mut count, steps.len())]
            } else {
                noisy[pick(seed, &mut count, noisy.len())]
            };
            let before = position;
            position.play(step);
            assert_eq!(position.key(), position.recomputed_key());
            assert_eq!(read(&position.fen(), options), position);
            if let Action::Place(_) = step.action() {
                continue;
            }
            let on_board = fauve_engine::rules::superchess::Pool::of_board(position.board());
            for color in Color::ALL {
                for kind in fauve_engine::rules::superchess::Pool::KINDS {
                    let available = position.pool().count(color, kind);
                    if options.physical_pool {
                        assert_eq!(available, on_board.count(color, kind));
                    } else {
                        let pieces = position.board().pieces(color, kind);
                        let promoted = pieces & position.promoted();
                        assert!(available + (pieces - promoted).len() <= 2);
                        assert!(available <= on_board.count(color, kind));
                        // Nothing vanishes but promoted pieces that are taken.
                        let used = before.promoted().len() > position.promoted().len();
                        let kept = |position: &Superchess| {
                            position.pool().count(color, kind)
                                + position.board().pieces(color, kind).len()
                        };
                        assert!(kept(&position) == kept(&before) || used);
                    }
                }
            }
        }
    });
}

#[test]
fn draws_end_the_game_at_once_and_mate_goes_first() {
    let outcome = |fen: &str, tokens: &str| {
        let mut game = Game::new(read(fen, LITERAL), LITERAL);
        for token in tokens.split_whitespace() {
            assert_eq!(game.outcome(), None, "{fen} before {token}");
            game.play(parse_turn(game.position(), token).unwrap()[0]);
        }
        game.outcome()
    };
    let draw = |reason| Some(Outcome::Draw(reason));
    assert_eq!(
        outcome("7k/8/8/8/8/8/8/KV6[] w - - 99 80", "b1c3"),
        draw(DrawReason::Clock)
    );
    assert_eq!(outcome("7k/8/5K2/8/8/8/8/E7[] w - - 98 80", "a1b1"), None);
    assert_eq!(
        outcome("7k/8/5K2/8/8/8/8/A7[] b - - 99 80", "h8g8"),
        draw(DrawReason::Clock)
    );
    assert_eq!(
        outcome("6k1/8/6K1/8/8/8/8/A7[] w - - 99 80", "a1a8"),
        Some(Outcome::Win(Color::White, WinReason::CHECKMATE))
    );
    assert_eq!(
        outcome(
            "7k/8/8/8/8/8/8/KV6[] w - - 0 1",
            "b1c3 h8g8 c3b1 g8h8 b1c3 h8g8 c3b1 g8h8"
        ),
        draw(DrawReason::Repetition)
    );
    // An en passant capture by a pinned pawn, here pinned by an Empress, does not belong to the position.
    assert_eq!(
        outcome(
            "3k4/8/8/8/3p4/8/4P3/3EK3[] w - - 0 1",
            "e2e4 d8d7 e1f1 d7d8 f1e1 d8d7 e1f1 d7d8 f1e1"
        ),
        draw(DrawReason::Repetition)
    );
    for (fen, is_dead) in [
        ("7k/8/8/8/8/8/8/K7[QESVNNRRBBqesvnnrrbb] w - - 0 1", true),
        ("7k/8/8/8/8/8/8/KB6[] w - - 0 1", true),
        ("7k/8/8/8/8/8/8/KN6[] w - - 0 1", true),
        ("7k/8/8/8/8/8/1b6/KN6[] w - - 0 1", false),
        ("6bk/8/8/8/8/8/8/KB6[] w - - 0 1", true),
        ("6bk/8/8/8/8/8/8/K1B5[] w - - 0 1", false),
        ("7k/8/8/8/8/8/8/KNN5[] w - - 0 1", false),
        ("7k/8/8/8/8/8/8/KV6[] w - - 0 1", false),
        ("7k/8/8/8/8/8/8/KS6[] w - - 0 1", false),
        ("7k/8/8/8/8/8/P7/K7[] w - - 0 1", false),
    ] {
        let expected = is_dead.then_some(Outcome::Draw(DrawReason::DeadPosition));
        assert_eq!(outcome(fen, ""), expected, "{fen}");
    }
}

#[test]
fn moves_read_as_san() {
    for (fen, token, san) in [
        ("7k/8/8/8/8/8/8/K2A4[] w - - 0 1", "d1e3", "Ae3"),
        ("8/7k/8/3p4/8/2S5/8/K7[] w - - 0 1", "c3d5", "Sxd5"),
        ("7k/8/8/8/8/V~1V5/8/6K1[] w - - 0 1", "a3b3", "Vab3"),
        ("7k/8/8/8/V~7/8/V7/6K1[] w - - 0 1", "a4a3", "V4a3"),
        ("6k1/8/8/8/8/2E5/8/R3K2R[] w KQ - 0 1", "e1c1", "O-O-O"),
        ("7k/8/8/8/8/2E5/8/K7[] w - - 0 1", "c3c8", "Ec8+"),
        ("6k1/5ppp/8/8/8/2E5/8/K7[] w - - 0 1", "c3c8", "Ec8#"),
        ("7k/P7/8/8/8/8/8/K7[E] w - - 0 1", "a7a8e", "a8=E+"),
        ("1n5k/P7/8/8/8/8/8/K7[V] w - - 0 1", "a7b8v", "axb8=V"),
    ] {
        let position = read(fen, LITERAL);
        let turn = parse_turn(&position, token).unwrap();
        assert_eq!(turn_san(&position, &turn), san, "{fen}");
    }
}

#[test]
fn the_board_shows_promoted_pieces_pool_and_prologue() {
    let text = start().board_text();
    assert!(text.contains("prologue: 0 of 4 turns made"), "{text}");
    let text = read(
        "7k/8/8/8/8/2E~5/8/K7[QQ] w - - 0 1"
            .replace("QQ", "Qv")
            .as_str(),
        LITERAL,
    )
    .board_text();
    assert!(
        text.contains("E~") && text.contains("available: [Qv]"),
        "{text}"
    );
}

/// Positions of lost games in which a guard is pinned: what an exchange that does not see pins hides for a hundred thousand nodes.
#[test]
fn pinned_guards_are_seen_at_once() {
    let table = Table::new(64).unwrap();
    let search = |fen, nodes| {
        let options = PHYSICAL;
        let game = Game::new(
            Superchess::from_fen(fen, &options).unwrap().position,
            options,
        );
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        table.clear();
        let (settings, control) = (Settings::default(), Control::default());
        let answer = Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {});
        let turn = turn_token(game.position(), &answer.best.unwrap());
        (turn, answer.score)
    };
    // The pawn on g2 is pinned: the Amazon mates.
    let mates = "3r1rk1/pp2pppp/2p2a2/7q/3P1P2/1QA1P3/PP4PP/R3R1K1[NNBBESVnnbbesv] b - - 0 16";
    assert_eq!(search(mates, 10_000), ("f6g4".into(), Score::Mate(5)));
    // Rxe6 loses.
    let loses = "r5k1/pp1R2pp/2n1pre1/7a/4R3/P1N5/1PP1EPPP/4A1K1[NBBQSVnbbqsv] w - - 7 21";
    assert_ne!(search(loses, 10_000).0, "e4e6");
    // Rg8 wins.
    let wins = "2kr4/1bpa4/1p4ep/p2P3n/P1P2p2/1P2PE2/2VA2P1/4R1K1[NNBBRQSnbrqsv] b - - 2 25";
    let (turn, score) = search(wins, 150_000);
    assert!(
        turn == "d8g8" && matches!(score, Score::Cp(200..)),
        "{turn} {score:?}"
    );
}

/// A side with a superpiece can mate, a lone King cannot, and in the prologue both can.
#[test]
fn the_material_says_which_side_can_still_win() {
    use fauve_engine::core::Color;
    use fauve_engine::rules::Draws;
    let can = |fen: &str| {
        let position = Superchess::from_fen(fen, &Options::default())
            .unwrap()
            .position;
        [Color::White, Color::Black].map(|side| position.can_win(side))
    };
    assert_eq!(can("4k3/8/8/8/8/8/8/V3K3 w - - 0 1"), [true, false]);
    assert_eq!(can("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"), [false, false]);
    assert_eq!(can("4k2v/8/8/8/8/8/8/N3K3 w - - 0 1"), [true, true]);
    let start = Superchess::start(&Options::default());
    assert!(Color::ALL.iter().all(|&side| start.can_win(side)));
}
