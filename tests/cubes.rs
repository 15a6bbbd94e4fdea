//! Cubes 4D: vectors, properties, texts, refusals and draws.

#[path = "naive/cubes.rs"]
mod naive;

use crate::properties;
use fauve_engine::core::{Color, StepList};
use fauve_engine::eval::{Evaluate, StagedLegality, TableMoves, Tactics};
use fauve_engine::rules::cubes::{Action, Cubes4d, LONE_KING_DRAW, Options, PATTERN_DRAW, Step};
use fauve_engine::rules::{
    Draws, Field, Game, Notation, Outcome, Problem, Rules, legal_steps, parse_turn, perft,
};
use naive::Naive;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Deserialize;

const RIGHT: &str =
    "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1";
const LEFT: &str =
    "e10:2r1n1q1k1g1n2b/0p11p1p1p10/2110112/0P11P1P1P10/2R1N1Q1K1G1N2B w RBrb Gg - - 1";
const PROLOGUE: &str =
    "e10:2r1n1q1k1g1n2b/011p1p1p10/2110112/011P1P1P10/2R1N1Q1K1G1N2B b RBrb Gg - - 1 pre";

#[derive(Deserialize)]
struct Vectors {
    positions: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    fen: String,
    check: bool,
    perft: Vec<u64>,
}

fn vectors_of_others() -> Vec<Vector> {
    let vectors: Vectors =
        serde_json::from_str(include_str!("data/cubes4d.json")).expect("test data");
    assert_eq!(vectors.positions.len(), 22);
    vectors.positions
}

fn rules_as_written() -> Options {
    Options::default()
}

fn without_prologue() -> Options {
    Options {
        prologue: false,
        ..Options::default()
    }
}

fn read(fen: &str) -> Cubes4d {
    Cubes4d::from_fen(fen, &rules_as_written())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

fn refusal(fen: &str) -> (Field, Problem) {
    let error = Cubes4d::from_fen(fen, &rules_as_written()).expect_err(fen);
    (error.field, error.problem)
}

/// Plays tokens from a position.
fn play(fen: &str, options: Options, tokens: &[&str]) -> Game<Cubes4d> {
    let position = Cubes4d::from_fen(fen, &options).expect(fen).position;
    let mut game = Game::new(position, options);
    for token in tokens {
        let turn = parse_turn(game.position(), token).unwrap_or_else(|error| panic!("{error}"));
        game.play(turn[0]);
    }
    game
}

fn tokens(position: &Cubes4d) -> Vec<String> {
    let mut tokens: Vec<_> = legal_steps(position)
        .into_iter()
        .map(|step| position.step_token(step))
        .collect();
    tokens.sort();
    tokens
}

#[test]
fn perft_of_the_vectors() {
    for Vector {
        fen,
        check,
        perft: leaves,
    } in vectors_of_others()
    {
        let position = read(&fen);
        assert_eq!(position.fen(), fen);
        assert_eq!(position.in_check(), check, "{fen}");
        for (depth, leaves) in (1..).zip(leaves) {
            assert_eq!(perft(&position, depth), leaves, "{fen} depth {depth}");
        }
    }
}

/// The moves of a position with the first five fields of the positions after them.
fn moves_with_results(position: &Cubes4d) -> Vec<(String, String)> {
    let mut moves: Vec<_> = legal_steps(position)
        .into_iter()
        .map(|step| {
            let mut next = *position;
            next.play(step);
            let fields: Vec<String> = next.fen().split(' ').take(5).map(String::from).collect();
            (position.step_token(step), fields.join(" "))
        })
        .collect();
    moves.sort();
    moves
}

/// Plays random games that take a piece one time in five where they can, and compares positions with a generator that goes
/// cell by cell.
#[test]
fn a_plain_generator_agrees_on_positions_of_random_games() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut below = |bound: usize| (rng.next_u64() % bound as u64) as usize;
    let mut compared = 0;
    for game in 0..30 {
        let mut position = read(if game % 2 == 0 { LEFT } else { RIGHT });
        for ply in 0..160 {
            let steps = legal_steps(&position);
            if steps.is_empty() {
                break;
            }
            if ply % 8 == game % 8 {
                let fen = position.fen();
                let plain = Naive::read(&fen);
                assert_eq!(
                    plain.is_in_check(position.side_to_move() == Color::White),
                    position.in_check()
                );
                let mut expected: Vec<_> = plain
                    .moves()
                    .into_iter()
                    .map(|(token, next)| (token, next.text()))
                    .collect();
                expected.sort();
                assert_eq!(moves_with_results(&position), expected, "{fen}");
                compared += 1;
            }
            let captures: Vec<_> = steps.iter().filter(|step| step.is_capture()).collect();
            let step = if !captures.is_empty() && below(5) == 0 {
                *captures[below(captures.len())]
            } else {
                steps[below(steps.len())]
            };
            position.play(step);
        }
    }
    assert!(compared >= 500, "{compared}");
}

#[test]
fn the_plain_generator_counts_right() {
    let [right, left] = [RIGHT, LEFT].map(|fen| Naive::read(fen).perft(2));
    assert_eq!(right + left, 2144);
}

#[test]
#[ignore = "ten seconds: cargo test -- --ignored long_"]
fn long_the_plain_generator_counts_right_three_steps_deep() {
    assert_eq!(Naive::read(RIGHT).perft(3), 32821);
    assert_eq!(Naive::read(LEFT).perft(3), 32700);
}

#[test]
fn start_positions_and_the_prologue() {
    let start = Cubes4d::start(&rules_as_written());
    assert_eq!(start.fen(), PROLOGUE);
    assert_eq!(read(PROLOGUE), start);
    assert_eq!(start.side_to_move(), Color::Black);
    assert!(start.is_prologue() && !start.in_check());
    assert_eq!(tokens(&start), ["left", "right"]);
    for (depth, leaves) in [(1, 2), (2, 70), (3, 2144)] {
        assert_eq!(perft(&start, depth), leaves);
    }
    for (choice, fen) in [("left", LEFT), ("right", RIGHT)] {
        let game = play(PROLOGUE, rules_as_written(), &[choice]);
        assert_eq!(game.position().fen(), fen);
        assert_eq!(game.position(), &read(fen));
        assert_eq!(game.position().key(), read(fen).key());
        assert_eq!(game.position().game_ply(), 0);
    }
    assert_eq!(Cubes4d::start(&without_prologue()).fen(), RIGHT);
    for options in [rules_as_written(), without_prologue()] {
        let left = Cubes4d::named_start("startpos-left", &options).expect("a start position");
        assert_eq!(left.fen(), LEFT);
        assert!(Cubes4d::named_start("startpos-up", &options).is_none());
    }
}

#[test]
fn properties_of_random_games() {
    let starts = ["startpos", RIGHT, LEFT];
    properties::random_games::<Cubes4d>(&rules_as_written(), &starts, 4, 5);
    let vectors = vectors_of_others();
    let starts: Vec<&str> = vectors.iter().map(|vector| vector.fen.as_str()).collect();
    properties::random_games::<Cubes4d>(&rules_as_written(), &starts, 1, 9);
}

#[test]
fn damaged_texts_do_no_harm() {
    properties::hostile_texts::<Cubes4d>(&rules_as_written(), &["startpos", RIGHT, LEFT]);
}

#[test]
fn noisy_steps_are_the_captures_and_history_indices_are_in_range() {
    for Vector { fen, .. } in vectors_of_others() {
        let position = read(&fen);
        let steps = legal_steps(&position);
        let mut captures: Vec<_> = steps
            .iter()
            .filter(|step| step.is_capture())
            .map(|&step| position.step_token(step))
            .collect();
        let mut noisy = StepList::new();
        position.generate_noisy(&mut noisy);
        let mut noisy: Vec<_> = noisy
            .into_iter()
            .map(|step| position.step_token(step))
            .collect();
        captures.sort();
        noisy.sort();
        assert_eq!(noisy, captures, "{fen}");
        for step in steps {
            assert!(position.history_index(step) < Cubes4d::HISTORY_SIZE);
            assert_eq!(position.is_noisy(step), position.gain(step) > 0);
        }
    }
}

/// Positions of games of the engine in which one side is 5 pawns ahead.
pub fn won_positions() -> impl Iterator<Item = Cubes4d> {
    include_str!("data/cubes4d-won.txt").lines().map(read)
}

/// Of the pseudo-legal steps those that pass the test of legality are the legal ones.
#[test]
fn pseudo_legal_steps_are_tested_one_by_one() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(29);
    let (mut compared, mut refused, mut known, mut of) = (0, 0, 0, 0);
    let starts = [LEFT, RIGHT].map(read);
    for start in won_positions()
        .step_by(5)
        .chain(starts.into_iter().cycle().take(60))
    {
        let mut position = start;
        for _ in 0..40 {
            let mut legal = legal_steps(&position);
            let mut pseudo_legal = StepList::new();
            position.generate_pseudo_legal(&mut pseudo_legal);
            let (all, before) = (pseudo_legal.len(), pseudo_legal.clone());
            let mut judge = <Cubes4d as StagedLegality>::LegalityCheck::default();
            pseudo_legal.retain(|step| position.is_legal(&mut judge, *step));
            refused += all - pseudo_legal.len();
            compared += 1;
            if compared % 40 == 0 {
                // Steps that are decoded from numbers of the table are among them, and most of them have such a number.
                let recalled = (0..=u16::MAX).filter_map(|tag| position.resolve_tt_move(tag));
                let listed = recalled.inspect(|step| assert!(before.contains(step), "{step:?}"));
                known += listed.count();
                of += all;
            }
            let order = |step: &Step| (step.from, step.to, step.action as u8);
            legal.sort_by_key(order);
            pseudo_legal.sort_by_key(order);
            assert_eq!(pseudo_legal, legal, "{}", position.fen());
            let Some(&step) = legal.get(random.next_u64() as usize % legal.len().max(1)) else {
                break;
            };
            position.play(step);
        }
    }
    assert!(
        compared > 5_000 && refused > 50_000,
        "{compared} positions, {refused} refused"
    );
    assert!(10 * known > 9 * of, "{known} of {of} recalled");
}

#[test]
fn lazy_values_are_near_the_exact_ones() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(31);
    let (mut compared, mut far) = (0, 0);
    for start in won_positions().chain([LEFT, RIGHT].map(read).into_iter().cycle().take(60)) {
        let mut position = start;
        for _ in 0..30 {
            if let Some((lazy, margin)) = position.lazy_eval() {
                compared += 1;
                far += u32::from((position.evaluate() - lazy).abs() > margin);
            }
            let legal = legal_steps(&position);
            let Some(&step) = legal.get(random.next_u64() as usize % legal.len().max(1)) else {
                break;
            };
            position.play(step);
        }
    }
    assert!(
        compared > 1_000 && far * 50 < compared,
        "{far} of {compared}"
    );
}

/// A piece takes back from its own height or from above, not from below.
#[test]
fn exchanges_know_who_can_take_back() {
    let wins = |fen: &str, token: &str, threshold: i32| {
        let position = read(fen);
        let step = parse_turn(&position, token).expect("a legal move")[0];
        position.wins_exchange(step, threshold)
    };
    let exchange =
        |fen: &str, token: &str| [-1100, 0, 100, 101].map(|threshold| wins(fen, token, threshold));
    // A Queen takes a Pawn that a Rook guards on his own level, and one beside a Rook who stands a level below.
    let guarded = "e10:1111k111/1111111/1Q1p111r11/1111111/2111K111 w - - - - 1";
    assert_eq!(exchange(guarded, "e8f8"), [true, false, false, false]);
    let below = "e10:0111k111/1111111/2Q2p1r1111/1111111/1111K111 w - - - - 1";
    assert_eq!(exchange(below, "e8f8"), [true, true, true, false]);
    // A Rook of her own behind her takes the one that takes her: 100 less 1200 and 400 more. The other way round the Pawn is won.
    let covered = "e10:1111k111/1111111/1Q1p111r11/11R11111/2111K111 w - - - - 1";
    assert!(wins(covered, "e8f8", -700) && !wins(covered, "e8f8", -699));
    assert!(wins(covered, "f7f8", 100) && !wins(covered, "f7f8", 101));
    // A quiet step to a place that the Rook sees loses the Queen.
    let open = "e10:1111k111/1111111/1Q1111r11/1111111/2111K111 w - - - - 1";
    assert_eq!(exchange(open, "e8f8"), [false; 4]);
}

fn mirrored(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let (origin, rows) = fields[0].split_once(':').expect("a board");
    let rows: Vec<String> = rows.split('/').rev().map(swap_case).collect();
    let top: usize = origin[1..].parse().expect("a rank");
    let bottom = top + 1 - rows.len();
    let flip_cell = |cell: &str| {
        let rank: usize = cell[1..].parse().expect("a rank");
        format!("{}{}", &cell[..1], 16 - rank)
    };
    // Upper case comes first in both fields.
    let swap_field = |field: &str| {
        let swapped = swap_case(field);
        let (mut white, black): (String, String) =
            swapped.chars().partition(char::is_ascii_uppercase);
        white.push_str(&black);
        white
    };
    format!(
        "{}{}:{} {} {} {} {} - 1",
        &origin[..1],
        16 - bottom,
        rows.join("/"),
        if fields[1] == "w" { "b" } else { "w" },
        swap_field(fields[2]),
        swap_field(fields[3]),
        if fields[4] == "-" {
            "-".to_owned()
        } else {
            flip_cell(fields[4])
        },
    )
}

fn swap_case(text: &str) -> String {
    text.chars()
        .map(|letter| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        })
        .collect()
}

#[test]
fn evaluation_and_rules_do_not_know_the_colours() {
    for Vector {
        fen, perft: leaves, ..
    } in vectors_of_others()
    {
        let (position, mirror) = (read(&fen), read(&mirrored(&fen)));
        assert_eq!(position.evaluate(), mirror.evaluate(), "{fen}");
        assert_eq!(mirror.count_turns(), leaves[0], "{fen}");
        assert!(position.evaluate().abs() < 10_000);
    }
    // The arrangement is symmetric, so all that is left is the right to move.
    assert_eq!(
        read(RIGHT).evaluate(),
        read(&RIGHT.replace(" w ", " b ")).evaluate()
    );
}

#[test]
fn keys_tell_what_the_rules_look_at() {
    let lone = "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/0111110/2111K112";
    let families: [&[&str]; 6] = [
        // Side, castling, pool.
        &[
            RIGHT,
            LEFT,
            PROLOGUE,
            &RIGHT.replace(" w ", " b "),
            &RIGHT.replace("RBrb", "Rrb"),
            &RIGHT.replace("RBrb", "Brb"),
            &RIGHT.replace("RBrb", "RBb"),
            &RIGHT.replace("RBrb", "RBr"),
            &RIGHT.replace("RBrb", "-"),
            &RIGHT.replace("Gg", "-"),
            &RIGHT.replace("Gg", "G"),
            &RIGHT.replace("Gg", "g"),
        ],
        // The cube moved last.
        &[
            RIGHT,
            &RIGHT.replace("Gg - -", "Gg e8 -"),
            &RIGHT.replace("Gg - -", "Gg f8 -"),
        ],
        // Heights alone.
        &[
            RIGHT,
            &RIGHT.replace("/2110112/", "/1210112/"),
            &RIGHT.replace("/2110112/", "/1120112/"),
        ],
        // Counts of the lone Kings.
        &[
            &format!("{lone} w rb g - w0 1"),
            &format!("{lone} w rb g - w1 1"),
            &format!("{lone} w rb g - w10 1"),
        ],
        &[
            "e10:2111k112/0111110/2110112/0111110/2111K112 w - - - w3b0 1",
            "e10:2111k112/0111110/2110112/0111110/2111K112 w - - - w0b3 1",
            "e10:2111k112/0111110/2110112/0111110/2111K112 w - - - w0b0 1",
        ],
        // Colours of pieces on the same cells.
        &[
            RIGHT,
            &RIGHT.replace("P1P1P", "P1p1P").replace("p1p1p", "p1P1p"),
        ],
    ];
    for family in families {
        let family: Vec<String> = family.iter().map(ToString::to_string).collect();
        let legal: Vec<&str> = family.iter().map(String::as_str).collect();
        properties::keys_differ::<Cubes4d>(&rules_as_written(), &legal);
    }
    properties::keys_equal::<Cubes4d>(
        &rules_as_written(),
        &[RIGHT, &RIGHT.replace(" - - 1", " - - 77")],
    );
}

#[test]
fn lone_counts_begin_at_nothing_and_grow() {
    // The Rook takes the last piece but the King.
    let fen = "e10:2111k112/0111110/2110112/0111110/2R1p11K112 w - - - - 5";
    let game = play(fen, rules_as_written(), &["e6f6"]);
    assert_eq!(game.position().lone_count(Color::Black), Some(0));
    assert_eq!(game.position().lone_count(Color::White), None);
    let game = play(fen, rules_as_written(), &["e6f6", "h10i10", "f6e6"]);
    assert_eq!(game.position().lone_count(Color::Black), Some(1));
    assert!(game.position().fen().ends_with(" b1 6"));
}

#[test]
fn refusals_name_field_and_reason() {
    let contradiction = |how| Problem::Contradiction(how);
    let cases: Vec<(String, Field, Problem)> = vec![
        (String::new(), Field::Board, Problem::Missing),
        (
            "word".into(),
            Field::Board,
            Problem::Unreadable("word".into()),
        ),
        (
            "p10:1".into(),
            Field::Board,
            Problem::Unreadable("p10".into()),
        ),
        (
            "e16:1".into(),
            Field::Board,
            Problem::Unreadable("e16".into()),
        ),
        (
            RIGHT.split(' ').next().expect("a board").into(),
            Field::Side,
            Problem::Missing,
        ),
        (
            RIGHT.replace(" w ", " W "),
            Field::Side,
            Problem::Unreadable("W".into()),
        ),
        (
            RIGHT.replace("1g", "1x"),
            Field::Board,
            Problem::UnknownLetter('x'),
        ),
        (
            RIGHT.replace("/2110112/", "/211-112/"),
            Field::Board,
            Problem::UnknownLetter('-'),
        ),
        (
            RIGHT.replace("/2110112/", "/21101120/"),
            Field::Board,
            Problem::RankLength {
                rank: 3,
                squares: 8,
            },
        ),
        (
            RIGHT.replace("/2110112/", "//"),
            Field::Board,
            Problem::RankLength {
                rank: 3,
                squares: 0,
            },
        ),
        (
            format!("a15:{} w", "1/".repeat(15)),
            Field::Board,
            Problem::RankCount(16),
        ),
        (
            RIGHT.replace("e10", "e4"),
            Field::Board,
            contradiction("the ranks do not fit into the arena"),
        ),
        (
            RIGHT.replace("e10", "j10"),
            Field::Board,
            contradiction("the files do not fit into the arena"),
        ),
        (
            RIGHT.replace("/2110112/", "/2110114/"),
            Field::Board,
            contradiction("a column has more than 3 cubes"),
        ),
        (
            RIGHT.replace("/2110112/", "/2110111/"),
            Field::Board,
            contradiction("the board does not have 36 cubes"),
        ),
        (
            RIGHT.replace("1k", "1"),
            Field::Board,
            Problem::Kings(Color::Black, 0),
        ),
        (
            RIGHT.replace("1Q", "1K"),
            Field::Board,
            Problem::Kings(Color::White, 2),
        ),
        (
            "e10:33k/33/33/00/33/33/33K w".into(),
            Field::Board,
            contradiction("the base is not connected"),
        ),
        (
            "e10:33k0/330/330/330/330N/33K0 w".into(),
            Field::Board,
            contradiction("a piece stands neither on a cube nor in an admissible trench"),
        ),
        (
            RIGHT.replace("RBrb", "RBrbR"),
            Field::Castling,
            Problem::Unreadable("RBrbR".into()),
        ),
        (
            RIGHT.replace("RBrb", "KQkq"),
            Field::Castling,
            Problem::UnknownLetter('K'),
        ),
        (
            RIGHT.replace("2R1N", "2R1"),
            Field::Castling,
            contradiction("a castling letter without its Knight"),
        ),
        (
            RIGHT.replace("1P1P1P", "1P1R1P"),
            Field::Castling,
            contradiction("a castling letter needs exactly one such Rook or Bishop"),
        ),
        (
            RIGHT.replace("Gg", "Gx"),
            Field::Pool,
            Problem::UnknownLetter('x'),
        ),
        (
            RIGHT.replace("Gg", "GGg"),
            Field::Pool,
            Problem::TooMany(Color::White, "Grand Pawns"),
        ),
        (
            RIGHT.replace("Gg", "Gqg"),
            Field::Pool,
            Problem::TooMany(Color::Black, "Queens"),
        ),
        (
            RIGHT.replace("Gg - -", "Gg h8 -"),
            Field::LastCube,
            contradiction("the cube moved last lies on a column without a piece"),
        ),
        (
            RIGHT.replace("Gg - -", "Gg e10 -"),
            Field::LastCube,
            contradiction("the cube moved last lies on a column without a piece"),
        ),
        (
            RIGHT.replace("Gg - -", "Gg z9 -"),
            Field::LastCube,
            Problem::Unreadable("z9".into()),
        ),
        (
            RIGHT.replace("- - 1", "- w0 1"),
            Field::LoneKing,
            contradiction("the King is not alone"),
        ),
        (
            RIGHT.replace("- - 1", "- x 1"),
            Field::LoneKing,
            Problem::UnknownLetter('x'),
        ),
        (
            RIGHT.replace("- - 1", "- w 1"),
            Field::LoneKing,
            Problem::Unreadable("w".into()),
        ),
        (
            "e10:2111k112/0111110/2110112/0111110/2111K112 w - - - w3w4 1".into(),
            Field::LoneKing,
            contradiction("two counts for one King"),
        ),
        (
            "e10:2111k112/0111110/2110112/0111110/2111K112 w - - - w11 1".into(),
            Field::LoneKing,
            Problem::Unreadable("w11".into()),
        ),
        (
            RIGHT.replace("- - 1", "- - +5"),
            Field::TurnNumber,
            Problem::Unreadable("+5".into()),
        ),
        (
            RIGHT.replace("- - 1", "- - -5"),
            Field::TurnNumber,
            Problem::Unreadable("-5".into()),
        ),
        (
            format!("{RIGHT} more"),
            Field::Position,
            Problem::UnknownWord("more".into()),
        ),
        (
            format!("{RIGHT} pre"),
            Field::Prologue,
            contradiction("'pre' is valid only in the start position without lateral Pawns"),
        ),
        (
            // Black's Queen attacks the King on the open file, and it is Black's turn.
            "e10:2111k112/0111110/2110112/0111110/21q11K112 b - - - - 1".into(),
            Field::Position,
            Problem::OpponentInCheck,
        ),
    ];
    for (fen, field, problem) in cases {
        assert_eq!(refusal(&fen), (field, problem), "{fen}");
    }
}

/// As in the other games.
#[test]
fn turn_numbers_out_of_range_are_corrected_with_a_warning() {
    for (number, corrected) in [("0", "1"), ("99999999999999999999", "4294967295")] {
        let fen = RIGHT.replace("- - 1", &format!("- - {number}"));
        let parsed = Cubes4d::from_fen(&fen, &rules_as_written()).expect("a position");
        let expected = RIGHT.replace("- - 1", &format!("- - {corrected}"));
        assert_eq!(parsed.position.fen(), expected);
        assert_eq!(parsed.warnings.len(), 1, "{:?}", parsed.warnings);
    }
}

#[test]
fn missing_fields_have_defaults_and_free_material_lifts_the_limits() {
    let board = RIGHT.split(' ').next().expect("a board");
    assert_eq!(
        read(&format!("{board} w")).fen(),
        format!("{board} w - - - - 1")
    );
    // A wider rectangle than necessary is read and not printed.
    let wide = "d11:00000000/02r1n1q1k1g1n2b/0011p1p1p10p/02110112/0011P1P1P10P/02R1N1Q1K1G1N2B";
    assert_eq!(read(&format!("{wide} w RBrb Gg")).fen(), RIGHT);

    let free = Options {
        free_material: true,
        ..Options::default()
    };
    let rich = RIGHT.replace("Gg", "GGQQgqq");
    assert_eq!(
        Cubes4d::from_fen(&rich, &free)
            .expect("free")
            .position
            .fen(),
        rich
    );
    let too_rich = RIGHT.replace("Gg", &"Q".repeat(1000));
    let error = Cubes4d::from_fen(&too_rich, &free).expect_err("too many");
    assert_eq!(error.field, Field::Pool);
}

#[test]
fn texts_for_people() {
    let position = read(RIGHT);
    let san = |token: &str| {
        let turn = parse_turn(&position, token).unwrap_or_else(|error| panic!("{error}"));
        position.step_san(turn[0])
    };
    assert_eq!(san("e6e8"), "R(-3,-2,2)-(-3,0,2)");
    assert_eq!(san("f6g8"), "N(-2,-2,1)-(-1,0,1)+");
    assert_eq!(san("e6f6"), "R(-3,-2,2)\u{2194}N(-2,-2,1)");
    assert_eq!(san("e8@f9"), "\u{25a1}(-3,0,2)-(-2,1,1)");
    let cube = tokens(&position)
        .into_iter()
        .find(|token| token.contains('@'))
        .expect("a cube can move");
    assert!(san(&cube).starts_with("\u{25a1}(") && !san(&cube).contains('@'));
    let board = position.board_text();
    assert!(
        board.contains("2r") && board.contains("op") && board.contains("-3"),
        "{board}"
    );
    assert!(read(PROLOGUE).board_text().contains("left or right"));
}

#[test]
fn the_same_two_moves_made_unmade_and_remade_draw() {
    // A piece or a cube goes out, home and out again: the sixth ply draws, not the fifth.
    for white in [["e6e8", "e8e6"], ["f7@f8", "f8@f7"]] {
        let [out, home] = white;
        let plies = [out, "i9i8", home, "i8i9", out, "i9i8"];
        for length in 0..=6 {
            let game = play(RIGHT, without_prologue(), &plies[..length]);
            let expected = (length == 6).then_some(Outcome::Draw(PATTERN_DRAW));
            assert_eq!(game.outcome(), expected, "{plies:?} {length}");
        }
    }
}

#[test]
fn pattern_draw_on_steps() {
    let cell = |text| fauve_engine::rules::cubes::Cell::from_text(text).expect("a cell");
    let step = |from, to, action| Step {
        from: cell(from),
        to: cell(to),
        action,
    };
    for white in [Action::Quiet, Action::Cube] {
        for black in [Action::Quiet, Action::Cube] {
            let (m, back) = (step("e6", "e7", white), step("e7", "e6", white));
            let (n, n_back) = (step("g10", "g9", black), step("g9", "g10", black));
            let full = [m, n, back, n_back, m, n];
            assert_eq!(Cubes4d::pattern_draw(&full), Some(PATTERN_DRAW));
            assert_eq!(Cubes4d::pattern_draw(&full[..5]), None);
            assert_eq!(
                Cubes4d::pattern_draw(&[&[n], &full[..]].concat()),
                Some(PATTERN_DRAW)
            );
            for i in 0..6 {
                let mut other = full;
                other[i] = step("k6", "k7", Action::Quiet);
                assert_eq!(Cubes4d::pattern_draw(&other), None);
            }
        }
    }
    for action in [Action::Capture, Action::Castle, Action::PromoteQueen] {
        let m = step("e6", "e7", action);
        let n = step("g10", "g9", Action::Quiet);
        let (m_back, n_back) = (step("e7", "e6", action), step("g9", "g10", Action::Quiet));
        assert_eq!(Cubes4d::pattern_draw(&[m, n, m_back, n_back, m, n]), None);
    }
    // Two different pieces that change places bring nothing back.
    let (m, n) = (
        step("e6", "e7", Action::Quiet),
        step("g10", "g9", Action::Cube),
    );
    let not_back = step("e7", "e6", Action::Cube);
    let n_back = step("g9", "g10", Action::Cube);
    assert_eq!(Cubes4d::pattern_draw(&[m, n, not_back, n_back, m, n]), None);
}

#[test]
fn ends_of_games() {
    let ten = "e10:2111k112/0111110/2110112/0111110/2R111K112 b - - - b10 1";
    let game = Game::new(read(ten), rules_as_written());
    assert_eq!(game.outcome(), Some(Outcome::Draw(LONE_KING_DRAW)));
    assert_eq!(LONE_KING_DRAW.to_string(), "the lone King's resistance");
    let nine = ten.replace("b10", "b9");
    assert_eq!(Game::new(read(&nine), rules_as_written()).outcome(), None);
    // The tenth resisted move is White's.
    let white = nine.replace(" b - - -", " w - - -");
    let game = play(&white, rules_as_written(), &["e6f6"]);
    assert_eq!(game.outcome(), Some(Outcome::Draw(LONE_KING_DRAW)));
}

/// The pool and the pairs that may still castle stay as they are when nothing is done; nobody passes before the game has begun.
#[test]
fn a_pass_changes_the_turn_alone() {
    let fen = PROLOGUE.strip_suffix(" pre").expect("a prologue");
    let passed = read(fen).null_move().expect("no check");
    assert_eq!(passed, read(&passed.fen()));
    let (before, after) = (read(fen).fen(), passed.fen());
    let fields = |fen: &str| fen.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (before, after) = (fields(&before), fields(&after));
    assert_eq!((&before[0], &before[2..4]), (&after[0], &after[2..4]));
    assert_eq!((before[1].as_str(), after[1].as_str()), ("b", "w"));
    assert_eq!(read(PROLOGUE).null_move(), None);
}
