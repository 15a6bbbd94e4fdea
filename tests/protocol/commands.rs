//! What the program understands beyond UCI, and its command line.

use super::driver::{Engine, last};
use std::process::{Command, Output, Stdio};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn fauve(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fauve"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn stdout(arguments: &[&str]) -> String {
    let output = fauve(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("the output is text")
}

fn nodes_searched(engine: &mut Engine, command: &str) -> (Vec<String>, u64) {
    engine.send(command);
    let (lines, last) = engine.until("the sum", |line| line.starts_with("Nodes searched: "));
    let sum = last["Nodes searched: ".len()..].parse().expect("a number");
    let divided: u64 = lines
        .iter()
        .filter(|line| !line.starts_with("info"))
        .filter_map(|line| line.split_once(": ")?.1.parse::<u64>().ok())
        .sum();
    if divided > 0 {
        assert_eq!(divided, sum, "{lines:?}");
    }
    (lines, sum)
}

#[test]
fn perft_divides_by_turns() {
    let mut engine = Engine::start(&[]);
    let (lines, sum) = nodes_searched(&mut engine, "go perft 3");
    assert_eq!(sum, 8902);
    assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
    assert_eq!(nodes_searched(&mut engine, "go perft 1").1, 20);
    assert_eq!(nodes_searched(&mut engine, "go perft 0").1, 1);
    engine.quietly(
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    );
    assert_eq!(nodes_searched(&mut engine, "go perft 3").1, 97862);
    engine.quietly("position fen 3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
    assert_eq!(nodes_searched(&mut engine, "go perft 2").1, 0);
}

/// A count goes as deep into the stack as it is long.
#[test]
fn a_perft_that_would_overflow_the_stack_is_refused() {
    let mut engine = Engine::start(&[]);
    engine.send("go perft 99999");
    engine.expect("info string go perft takes at most 255 turns");
    // The deepest one that is taken has room enough: kings and blocked pawns can move for ever.
    engine.quietly("position fen 7k/8/8/8/8/5p1p/5P1P/7K w - - 0 1");
    engine.send("go perft 255");
    engine.sync();
    engine.send("stop");
    engine.until("the end", |line| {
        line.starts_with("Nodes searched: ") || line == "info string perft stopped"
    });
    let output = fauve(&["perft", "256"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(errors, "fauve: the depth is 255 turns at most\n");
}

#[test]
fn a_long_perft_can_be_stopped() {
    let mut engine = Engine::start(&[]);
    engine.send("go perft 15");
    engine.sync();
    engine.send("stop");
    engine.expect("info string perft stopped");
    engine.go("depth 2");
}

#[test]
fn the_game_can_be_played_and_asked_about() {
    let mut engine = Engine::start(&[]);
    assert_eq!(engine.answer("query p1turn"), "response true");
    assert_eq!(engine.answer("query gameover"), "response false");
    assert_eq!(engine.answer("query result"), "response none");
    assert_eq!(engine.answer("query roll"), "response -");
    assert_eq!(engine.answer("query legal").split(' ').count(), 21);
    engine.quietly("play f2f3 e7e5");
    engine.quietly("play g2g4");
    assert_eq!(engine.answer("query p1turn"), "response false");
    assert_eq!(engine.ask("legal d8h"), ["d8h4", "1 turn"]);
    engine.quietly("play d8h4");
    assert_eq!(engine.answer("query gameover"), "response true");
    assert_eq!(engine.answer("query result"), "response p2win");
    assert_eq!(engine.answer("query legal"), "response");
    assert!(
        engine
            .ask("d")
            .iter()
            .any(|line| line == "Game over: Black wins by checkmate")
    );
    engine.quietly("undo");
    assert_eq!(engine.answer("query gameover"), "response false");
    for _ in 0..3 {
        engine.quietly("undo");
    }
    assert_eq!(engine.fen(), START);
    for line in [
        "undo",
        "play",
        "play e2e5",
        "roll",
        "roll 123",
        "query",
        "query weather",
        "flop",
    ] {
        assert!(
            engine.answer(line).starts_with("info string Error: "),
            "{line}"
        );
    }
    assert_eq!(engine.fen(), START);
}

/// The last line of `eval`; the lines above are the piece values.
fn static_value(engine: &mut Engine) -> String {
    engine.ask("eval").pop().expect("a value")
}

#[test]
fn boards_evaluations_and_the_rest_are_shown() {
    let mut engine = Engine::start(&[]);
    let board = engine.ask("d");
    assert!(board.contains(&format!("Fen: {START}")), "{board:?}");
    assert!(board.iter().any(|line| line.starts_with("Key: ")));
    assert!(board.iter().any(|line| line == "White to move"));
    assert!(static_value(&mut engine).starts_with("Static evaluation: "));
    assert!(engine.answer("compiler").starts_with("Compiled by rustc "));
    let help = engine.ask("help");
    // A screen of 24 lines, with the prompt.
    assert!(help.len() < 24 && help.iter().all(|line| line.len() <= 80));
    let help = help.join("\n");
    for word in ["position", "go", "legal", "query"] {
        assert!(help.contains(word), "{word}");
    }
    let options = engine.ask("help options").join("\n");
    for word in ["Hash", "Promotion Pool"] {
        assert!(options.contains(word), "{word}");
    }
    assert!(engine.ask("help go").concat().contains("[movetime MS]"));
    assert!(
        engine
            .ask("help promotion pool")
            .concat()
            .contains("superchess: ")
    );
    assert_eq!(engine.answer("help me"), "no command or option 'me'");
}

#[test]
fn flip_exchanges_the_colours() {
    let mut engine = Engine::start(&[]);
    engine.quietly("position startpos moves e2e4 c7c5 g1f3");
    let value = static_value(&mut engine);
    engine.quietly("flip");
    assert_eq!(
        engine.fen(),
        "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 1 2"
    );
    let flipped = static_value(&mut engine);
    let number = |line: &str| {
        let word = line.split(' ').nth(2).unwrap();
        word.parse::<f64>().unwrap()
    };
    assert!(
        (number(&value) + number(&flipped)).abs() < 0.001,
        "{value} {flipped}"
    );
    engine.quietly("flip");
    assert_eq!(
        engine.fen(),
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    );
}

#[test]
fn the_start_of_two_move_chess_favours_neither_side() {
    let mut engine = Engine::start(&["--variant", "twomove"]);
    // White's first turn is one move, and the position is its own colour flip.
    let even = "Static evaluation: +0.00 pawns (White's view)";
    engine.quietly("position startpos");
    assert_eq!(static_value(&mut engine), even);
    engine.quietly("flip");
    assert_eq!(static_value(&mut engine), even);
}

#[test]
fn the_benchmark_repeats_its_nodes() {
    let last = |text: &str| {
        text.trim_end()
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned()
    };
    let nodes = |line: &str| -> u64 {
        let words: Vec<_> = line.split(' ').collect();
        assert!(matches!(words.as_slice(), [_, "nodes", _, "nps"]), "{line}");
        words[0].parse().expect("a number")
    };
    let first = nodes(&last(&stdout(&["bench", "chess"])));
    assert!(first > 10_000);
    assert_eq!(nodes(&last(&stdout(&["bench", "chess"]))), first);
    let mut engine = Engine::start(&[]);
    engine.send("bench chess");
    let (_, line) = engine.until("the sum", |line| line.ends_with(" nps"));
    assert_eq!(nodes(&line), first);
}

#[test]
fn subcommands_do_one_job() {
    assert!(stdout(&["perft", "4"]).contains("Nodes searched: 197281"));
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert!(stdout(&["perft", kiwipete, "3"]).contains("Nodes searched: 97862"));
    let words: Vec<&str> = kiwipete.split(' ').collect();
    let words = [&["perft"], words.as_slice(), &["2"]].concat();
    assert!(stdout(&words).contains("Nodes searched: 2039"));
    assert_eq!(stdout(&["legal"]).lines().count(), 20);
    assert_eq!(stdout(&["legal", "--prefix", "e2"]), "e2e3\ne2e4\n");
    assert!(stdout(&["--version"]).starts_with("fauve "));
    assert!(stdout(&["--help"]).contains("fauve play superchess"));
    for arguments in [
        &["perft"] as &[&str],
        &["perft", "deep"],
        &["perft", "8/8/8/8/8/8/8/8 w - - 0 1", "2"],
        &["bench", "go"],
        &["--variant", "go"],
        &["fly"],
        &["legal", "--colour"],
    ] {
        let output = fauve(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

/// The same search, limited in the same way, by the protocol and by `analyse`.
#[test]
fn an_analysis_shows_a_bound_as_a_bound() {
    let mut seen = 0;
    for nodes in [1800, 11_000].into_iter().chain((3000..9000).step_by(500)) {
        let limit = nodes.to_string();
        let mut engine = Engine::start(&[]);
        let search = engine.go(&format!("nodes {limit}"));
        let said = last(&search.lines);
        let bound = ["lower", "upper"]
            .into_iter()
            .find(|bound| said.contains(&format!(" {bound}bound ")));
        let analyse = |json: &[&str]| {
            let text = stdout(&[&["analyse", "--nodes", &limit], json].concat());
            let mut lines = text.lines().map(str::to_owned);
            lines.rfind(|line| line.contains('%') || line.starts_with('{'))
        };
        let json = analyse(&["--json"]).expect("a line");
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(
            json.get("bound").and_then(|word| word.as_str()),
            bound,
            "{said}"
        );
        let text = analyse(&[]).expect("a line");
        assert_eq!(text.contains('\u{2265}'), bound == Some("lower"), "{text}");
        seen += u32::from(bound.is_some());
    }
    assert!(seen > 0, "no search ended with a bound");
}
