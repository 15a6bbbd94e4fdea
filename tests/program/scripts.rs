//! Scripts in a pipe: searches that come to an end by themselves come to it, one after the other.

use super::end_of_input::feed;
use crate::protocol::driver::{Engine, number};
use std::time::{Duration, Instant};

/// The greatest depth that each search of an output told before its answer.
fn depths(said: &str) -> Vec<u64> {
    let mut deepest = 0;
    let mut depths = Vec::new();
    for line in said.lines() {
        deepest = deepest.max(number(line, "depth").unwrap_or(0));
        if line.starts_with("bestmove ") {
            depths.push(std::mem::take(&mut deepest));
        }
    }
    depths
}

#[test]
fn searches_of_a_script_are_finished_in_their_order() {
    let script = "position startpos\ngo depth 7\nposition startpos moves e2e4\ngo depth 6\nd\n";
    let (said, _) = feed(script);
    assert_eq!(depths(&said), [7, 6], "{said}");
    // What is shown behind them is the position of the last line.
    let (_, shown) = said.rsplit_once("bestmove ").expect("two answers");
    assert!(shown.contains(" b KQkq "), "{shown}");
    for (script, expected) in [
        ("go nodes 3000\ngo movetime 200\ngo depth 5\n", 3),
        ("go wtime 3000 btime 3000\ngo depth 5\n", 2),
        (
            "ugi\ngo depth 6\nposition startpos moves e2e4\ngo depth 6\n",
            2,
        ),
    ] {
        let depths = depths(&feed(script).0);
        assert_eq!(depths.len(), expected, "{script}");
        assert!(
            depths.iter().all(|&depth| depth >= 5),
            "{script}: {depths:?}"
        );
    }
}

#[test]
fn counts_of_a_script_are_finished_in_their_order() {
    let (said, _) = feed("go perft 4\ngo perft 4\nposition startpos moves e2e4\ngo perft 3\n");
    let sums: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("Nodes searched: "))
        .collect();
    assert_eq!(sums, ["197281", "197281", "13160"], "{said}");
    assert!(!said.contains("stopped"), "{said}");
    let (said, _) = feed("bench twomove\nbench twomove\n");
    let sums = said.lines().filter(|line| line.ends_with(" nps"));
    assert_eq!(sums.count(), 2, "{said}");
}

#[test]
fn options_and_games_of_a_script_wait_for_the_search_before_them() {
    let script = "go depth 6\nsetoption name UCI_Variant value twomove\nposition startpos moves e2e4\ngo depth 1\n\
                  setoption name UCI_Variant value chess\nsetoption name Hash value 2\nucinewgame\ngo depth 6\n";
    let (said, _) = feed(script);
    assert_eq!(depths(&said), [6, 1, 6], "{said}");
    let answers: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("bestmove "))
        .collect();
    assert!(answers[1].contains(','), "{said}");
    // The refusal of a position comes behind the answer of the search before it.
    let (said, _) = feed("go depth 4\nposition fen 8/8\n");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[lines.len() - 1].contains("Error"), "{said}");
    assert!(lines[lines.len() - 2].starts_with("bestmove "), "{said}");
}

#[test]
fn what_has_no_end_is_stopped_by_the_next_go() {
    let (said, _) =
        feed("go infinite\ngo depth 5\ngo ponder depth 9\ngo depth 5\ngo\ngo depth 5\n");
    let depths = depths(&said);
    assert_eq!(depths.len(), 6, "{said}");
    for place in [1, 3, 5] {
        assert_eq!(depths[place], 5, "{said}");
    }
}

#[test]
fn a_ponder_search_has_an_end_once_it_was_hit() {
    let (said, _) = feed("go ponder depth 7\nponderhit\ngo depth 6\n");
    assert_eq!(depths(&said), [7, 6], "{said}");
    // The hit is for the search before it, also where that one had to wait.
    let (said, _) = feed("go depth 6\ngo ponder depth 7\nponderhit\ngo depth 5\n");
    assert_eq!(depths(&said), [6, 7, 5], "{said}");
}

#[test]
fn quit_ends_the_searches_with_their_answers() {
    for script in [
        "go movetime 60000\nquit\n",
        "go infinite\nquit\n",
        "go ponder wtime 1000 btime 1000\nquit\n",
        "go wtime 9000000 btime 9000000\nquit\n",
        "go depth 99\nposition startpos moves e2e4\ngo depth 99\ngo perft 9\ngo infinite\nquit\n",
    ] {
        let (said, time) = feed(script);
        let searches = script.matches("go ").count() - script.matches("perft").count();
        assert_eq!(depths(&said).len(), searches, "{script}: {said}");
        assert!(!said.contains("bestmove (none)"), "{script}: {said}");
        assert!(time < Duration::from_secs(20), "{script}: {time:?}");
    }
    let (said, _) = feed("xboard\nnew\nlevel 40 500 0\ngo\nquit\n");
    assert!(said.lines().any(|line| line.starts_with("move ")), "{said}");
}

#[test]
fn stop_ends_the_search_and_those_that_wait_behind_it_but_none_that_comes_later() {
    let mut engine = Engine::start(&[]);
    for line in [
        "go depth 99",
        "position startpos moves e2e4",
        "go movetime 600000",
        "position startpos moves d2d4",
        "go infinite",
        "stop",
        "position startpos moves c2c4",
        "go depth 5",
    ] {
        engine.send(line);
    }
    for _ in 0..3 {
        assert_ne!(engine.best().best, "(none)");
    }
    let last = engine.best();
    assert!(
        last.lines
            .iter()
            .any(|line| number(line, "depth") == Some(5))
    );
    assert!(engine.fen().contains("/2P5/"));
    assert!(engine.ask("stop").is_empty());
}

#[test]
fn isready_is_answered_at_once_whatever_waits() {
    let mut engine = Engine::start(&[]);
    engine.send("go movetime 600000");
    for _ in 0..50 {
        engine.send("position startpos moves e2e4");
        engine.send("go depth 2");
        let said = engine.sync();
        assert!(
            !said.iter().any(|line| line.starts_with("bestmove")),
            "{said:?}"
        );
    }
    engine.send("stop");
    for _ in 0..51 {
        engine.best();
    }
    // Whoever has read the answer finds the search over.
    for number in 0..200 {
        let turn = ["e2e4", "d2d4"][number % 2];
        engine.quietly(&format!("position startpos moves {turn}"));
        engine.go("nodes 1");
        let error = engine.answer("position fen 8/8");
        assert!(error.contains("Error"), "{error}");
    }
}

#[test]
fn thousands_of_waiting_lines_cost_nothing() {
    let game = " g1f3 g8f6 f3g1 f6g8".repeat(20);
    let mut script = "go movetime 500\n".to_owned();
    for number in 0..2000 {
        script += &format!(
            "position startpos moves{game}\ngo nodes {}\n",
            1 + number % 7
        );
    }
    let start = Instant::now();
    let (said, _) = feed(&script);
    assert_eq!(said.matches("bestmove ").count(), 2001);
    assert!(
        start.elapsed() < Duration::from_mins(1),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn go_while_xboards_engine_thinks_changes_nothing() {
    let (said, _) = feed("xboard\nnew\npost\nsd 10\ngo\ngo\n");
    let moves = said.lines().filter(|line| line.starts_with("move "));
    assert_eq!(moves.count(), 1, "{said}");
    assert!(said.lines().any(|line| line.starts_with("10 ")), "{said}");
}
