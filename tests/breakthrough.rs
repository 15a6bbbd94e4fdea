//! Breakthrough, the sixth game: its rules, and that everything made for the others works for it.

use crate::properties::{hostile_texts, keys_differ, keys_equal, random_games};
use crate::protocol::driver::Engine;
use crate::scratch::Scratch;
use fauve_engine::core::Color;
use fauve_engine::rules::breakthrough::Breakthrough;
use fauve_engine::rules::{Game, NoOptions, Notation, Outcome, Rules, legal_steps, perft};
use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};
use std::path::Path;
use std::process::Command;

const MIDDLE: &str = "1pp2pp1/p1pp2pp/1p2p3/3p4/2P1P3/1P3P2/P1P3PP/PP2PP1P b - - 0 9";

fn read(fen: &str) -> Breakthrough {
    Breakthrough::from_fen(fen, &NoOptions)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

#[test]
fn perft_from_the_start() {
    let start = Breakthrough::start(&NoOptions);
    for (depth, count) in (1..).zip([22, 484, 11_132, 256_036]) {
        assert_eq!(perft(&start, depth), count, "depth {depth}");
    }
}

#[test]
fn what_holds_in_every_game() {
    let starts = ["startpos", MIDDLE, "8/2P2p2/8/8/8/8/2p2P2/8 w - - 0 40"];
    random_games::<Breakthrough>(&NoOptions, &starts, 20, 3);
    hostile_texts::<Breakthrough>(&NoOptions, &starts);
    let keys = [
        MIDDLE,
        &MIDDLE.replace(" b ", " w "),
        "8/2P2p2/8/8/8/8/2p2P2/8 w - - 0 1",
        "8/2P2p2/8/8/8/8/2P2p2/8 w - - 0 1",
    ];
    keys_differ::<Breakthrough>(&NoOptions, &keys);
    keys_equal::<Breakthrough>(&NoOptions, &[MIDDLE, &MIDDLE.replace(" 9", " 10")]);
}

#[test]
fn pieces_go_forward_and_capture_diagonally() {
    let tokens = |fen: &str| {
        let position = read(fen);
        let mut tokens: Vec<String> = legal_steps(&position)
            .iter()
            .map(|&step| position.step_token(step))
            .collect();
        tokens.sort();
        tokens
    };
    let fen = "8/8/8/2ppp3/3P4/8/8/8 w - - 0 1";
    assert_eq!(tokens(fen), ["d4c5", "d4e5"]);
    let black = "8/8/8/2ppp3/3P4/8/8/8 b - - 0 1";
    let expected = [
        "c5b4", "c5c4", "c5d4", "d5c4", "d5e4", "e5d4", "e5e4", "e5f4",
    ];
    assert_eq!(tokens(black), expected);
}

#[test]
fn reaching_the_last_rank_or_taking_every_piece_wins() {
    for (fen, end) in [
        (
            "3P4/8/8/8/8/8/3p4/8 b - - 0 1",
            "White wins by reaching the last rank",
        ),
        (
            "8/3P4/8/8/8/8/8/3p4 w - - 0 1",
            "Black wins by reaching the last rank",
        ),
        (
            "8/8/8/3P4/8/8/8/8 b - - 0 1",
            "White wins by taking every piece",
        ),
        (
            "8/8/8/3p4/8/8/8/8 w - - 0 1",
            "Black wins by taking every piece",
        ),
    ] {
        let game = Game::new(read(fen), NoOptions);
        assert_eq!(game.outcome().expect(fen).to_string(), end);
        assert!(legal_steps(game.position()).is_empty());
    }
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "P7/8/8/8/8/8/8/p7 w - - 0 1",
        "8/8/3k4/8/8/8/8/P7 w - - 0 1",
        "8/8/PPPPPPPP/PPPPPPPP/P7/8/p7/8 w - - 0 1",
        "8/3p4/8/8/8/8/3P4/8 w KQkq - 0 1",
    ] {
        assert!(Breakthrough::from_fen(fen, &NoOptions).is_err(), "{fen}");
    }
}

#[test]
fn the_search_wins_what_is_won() {
    let position = read("8/8/2P5/8/8/5p2/8/8 w - - 0 1");
    let table = Table::new(1).expect("memory");
    let limits = Limits {
        depth: Some(8),
        ..Limits::default()
    };
    let answer = Searcher::new(&table, &Settings::default(), &Control::default()).run(
        &Game::new(position, NoOptions),
        &limits,
        &mut |_| {},
    );
    assert_eq!(answer.score, Score::Mate(2));
    let mut game = Game::new(position, NoOptions);
    game.play(answer.best.expect("a turn")[0]);
    assert!(game.outcome().is_none());
    assert_eq!(game.position().side_to_move(), Color::Black);
    let mated = solve("8/2P5/8/8/8/5p2/8/8 w - - 0 1");
    assert_eq!(mated, 3);
}

/// The number of first turns that win within one turn.
fn solve(fen: &str) -> usize {
    let position = read(fen);
    let solution = fauve_engine::search::solve::solve(&position, 1, &Control::default());
    solution.keys.len()
}

#[test]
fn it_plays_on_the_wire() {
    let mut engine = Engine::start(&[]);
    engine.send("uci");
    let (lines, _) = engine.until("uciok", |line| line == "uciok");
    assert!(lines.iter().any(|line| line.ends_with(" var breakthrough")));
    let said = engine.answer("setoption name UCI_Variant value breakthrough");
    let start = Breakthrough::START;
    assert_eq!(
        said,
        format!("info string variant breakthrough startpos {start}")
    );
    let search = engine.go("depth 4");
    let position = read(start);
    let is_legal = |token: &str| {
        legal_steps(&position)
            .iter()
            .any(|&s| position.step_token(s) == token)
    };
    assert!(is_legal(&search.best), "{}", search.best);
    engine.quietly(&format!("position fen {MIDDLE} moves d5c4 b3c4"));
    assert_eq!(
        engine.fen(),
        "1pp2pp1/p1pp2pp/1p2p3/8/2P1P3/5P2/P1P3PP/PP2PP1P b - - 0 10"
    );
    let flipped = "pp2pp1p/p1p3pp/5p2/2p1p3/8/1P2P3/P1PP2PP/1PP2PP1 w - - 0 10";
    engine.send("flip");
    assert_eq!(engine.fen(), flipped);
    let description = engine.ask("d").join("\n");
    assert!(description.contains("White to move"), "{description}");
    assert_eq!(engine.answer("query gameover"), "response false");
    engine.quietly("position fen 8/2P5/8/8/8/5p2/8/8 w - - 0 1 moves c7c8");
    assert_eq!(engine.answer("query result"), "response p1win");
    for command in ["d", "eval", "query legal"] {
        let said = engine.ask(command).join("\n").to_lowercase();
        assert!(!said.contains("king") && !said.contains("check"), "{said}");
    }
}

/// A match on the record and as PGN, replayed from both; nowhere is there a king or a mate.
#[test]
fn it_plays_matches_that_can_be_verified() {
    let folder = Scratch::folder("breakthrough");
    let (record, pgn) = (folder.at("games.jsonl"), folder.at("games.pgn"));
    let fauve = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_fauve"))
            .args(arguments)
            .output()
            .expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}\n{output:?}");
        text
    };
    let report = fauve(&[
        "match",
        "--variant",
        "breakthrough",
        "--engine",
        "cmd=self",
        "name=a",
        "nodes=300",
        "--engine",
        "cmd=self",
        "name=b",
        "nodes=30",
        "--games",
        "6",
        "--seed",
        "3",
        "--record",
        &record,
        "--pgn",
        &pgn,
    ]);
    fauve(&["verify", &record, &pgn]);
    for text in [
        report,
        std::fs::read_to_string(&record).expect("the record"),
        std::fs::read_to_string(&pgn).expect("the PGN"),
    ] {
        assert!(text.contains("wins by reaching the last rank"), "{text}");
        let lower = text.to_lowercase();
        assert!(
            !lower.contains("king") && !lower.contains("mates"),
            "{text}"
        );
    }
}

/// A game is one folder, one evaluation file and one line: this one in 200 lines.
#[test]
fn it_is_two_hundred_lines() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/src");
    let lines = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a source file");
        text.lines().count()
    };
    let mut count = 1 + lines(&source.join("eval/breakthrough.rs"));
    for file in std::fs::read_dir(source.join("rules/breakthrough")).expect("the folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            count += lines(&path);
        }
    }
    assert!(count <= 200, "{count} lines");
    let list = std::fs::read_to_string(source.join("games.rs")).expect("the list");
    let mentions = list
        .lines()
        .filter(|line| line.contains("breakthrough::"))
        .count();
    assert_eq!(mentions, 1);
}

#[test]
fn outcomes_are_of_this_game() {
    let game = Game::new(read("3P4/8/8/8/8/8/3p4/8 b - - 0 1"), NoOptions);
    let Some(Outcome::Win(Color::White, reason)) = game.outcome() else {
        panic!("White has won");
    };
    assert_eq!(reason.brief, "wins by reaching the last rank");
}
