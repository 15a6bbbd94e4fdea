//! The Universal Chess Interface, on chess.

use super::driver::{Engine, exact, field, last, number, pv};
use crate::scratch::Scratch;
use std::time::{Duration, Instant};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
const MATED: &str = "3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

#[test]
fn uci_names_itself_and_its_options() {
    let mut engine = Engine::start(&[]);
    engine.send("uci");
    let (lines, _) = engine.until("uciok", |line| line == "uciok");
    assert!(lines[0].starts_with("id name Fauve "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    for wanted in [
        "option name Hash type spin default 16 min 1 max ",
        "option name Clear Hash type button",
        "option name Threads type spin default 1 min 1 max ",
        "option name MultiPV type spin default 1 min 1 max ",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default ",
        "option name UCI_Variant type combo default chess var chess",
        "option name UCI_Chess960 type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default ",
        "option name Strength Seed type spin default 0 min 0 max 4294967295",
        "option name UCI_EngineAbout type string default Fauve",
        "option name Debug Log File type string default <empty>",
        "option name Turn Output type combo default joined var joined var single",
        "option name Prologue type check default true",
        "option name Array type spin default 0 min 0 max 431",
        "option name Promotion Pool type combo default literal var literal var physical",
        "option name Castle Through Check type check default false",
        "option name Free Material type check default false",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(wanted)),
            "{wanted}: {lines:#?}"
        );
    }
}

#[test]
fn every_search_reports_and_its_answer_is_the_first_turn_of_its_last_line() {
    let mut engine = Engine::start(&[]);
    for (position, limit) in [
        ("startpos", "depth 6"),
        ("startpos moves e2e4 c7c5", "nodes 20000"),
        ("fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1", "depth 4"),
        ("fen 8/8/8/8/8/5k2/6q1/7K w - - 0 1", "depth 1"),
        ("fen k7/8/8/8/8/8/7r/K7 w - - 0 1", "movetime 50"),
    ] {
        engine.quietly(&format!("position {position}"));
        let search = engine.go(limit);
        if search.best == "(none)" {
            continue;
        }
        let last = last(&search.lines);
        for word in [
            "depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time",
        ] {
            assert!(number(last, word).is_some(), "{word}: {last}");
        }
        let line = pv(last);
        assert_eq!(line[0], search.best, "{last}");
        if let Some(ponder) = search.ponder {
            assert_eq!(line[1], ponder, "{last}");
        }
        let depths: Vec<_> = search
            .lines
            .iter()
            .filter_map(|line| number(line, "depth"))
            .collect();
        assert!(depths.is_sorted(), "{depths:?}");
        // Every turn of the line is legal.
        engine.quietly(&format!(
            "position {position}{}{}",
            if position.contains("moves") {
                " "
            } else {
                " moves "
            },
            line.join(" ")
        ));
    }
}

#[test]
fn mate_and_the_end_of_the_game() {
    let mut engine = Engine::start(&[]);
    engine.quietly(&format!("position fen {MATE_IN_ONE}"));
    let search = engine.go("depth 5");
    assert_eq!(search.best, "d1d8");
    let last = exact(&search.lines).pop().unwrap().clone();
    assert!(last.contains("score mate 1 "), "{last}");
    assert_eq!(pv(&last), ["d1d8"]);

    for (fen, score) in [(MATED, "mate 0"), (STALEMATE, "cp 0")] {
        engine.quietly(&format!("position fen {fen}"));
        for parameters in ["depth 3", "movetime 10", "wtime 1000 btime 1000"] {
            let search = engine.go(parameters);
            assert_eq!(search.best, "(none)");
            assert_eq!(search.lines, [format!("info depth 0 score {score}")]);
        }
    }
}

#[test]
fn draws_at_the_root_do_not_suppress_a_turn() {
    let mut engine = Engine::start(&[]);
    engine.quietly(&format!(
        "position startpos moves {}",
        ["g1f3 g8f6 f3g1 f6g8"; 3].join(" ")
    ));
    assert_eq!(engine.answer("query result"), "response draw");
    assert_ne!(engine.go("depth 3").best, "(none)");
    engine.quietly("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 100 80");
    assert_ne!(engine.go("depth 3").best, "(none)");
}

#[test]
fn is_there_during_a_search() {
    let mut engine = Engine::start(&[]);
    engine.send("go infinite");
    for _ in 0..5 {
        let start = Instant::now();
        assert!(
            !engine
                .sync()
                .iter()
                .any(|line| line.starts_with("bestmove"))
        );
        assert!(start.elapsed() < Duration::from_secs(5));
    }
    engine.send("stop");
    engine.best();
    // Exactly one answer.
    assert!(engine.ask("stop").is_empty());
}

#[test]
fn infinite_and_ponder_hold_their_answer_back() {
    let mut engine = Engine::start(&[]);
    for (fen, parameters, release) in [
        (MATE_IN_ONE, "infinite", "stop"),
        (MATED, "infinite", "stop"),
        (STALEMATE, "ponder wtime 1000 btime 1000", "ponderhit"),
        (MATE_IN_ONE, "ponder wtime 1000 btime 1000", "ponderhit"),
        (MATE_IN_ONE, "ponder movetime 20", "stop"),
        (MATE_IN_ONE, "infinite depth 2", "stop"),
        (MATE_IN_ONE, "ponder depth 1", "ponderhit"),
    ] {
        engine.quietly(&format!("position fen {fen}"));
        engine.send(&format!("go {parameters}"));
        std::thread::sleep(Duration::from_millis(150));
        assert!(
            !engine
                .sync()
                .iter()
                .any(|line| line.starts_with("bestmove")),
            "{parameters}{}",
            engine.story()
        );
        engine.send(release);
        let best = engine.best().best;
        assert_eq!(best == "(none)", fen != MATE_IN_ONE, "{fen} {best}");
    }
}

#[test]
fn a_second_go_stops_the_first() {
    let mut engine = Engine::start(&[]);
    engine.send("go infinite");
    engine.send("go ponder");
    engine.send("go depth 3");
    for _ in 0..3 {
        engine.best();
    }
    assert!(engine.sync().is_empty());
    engine.send("go infinite");
    engine.send("position startpos moves e2e4");
    engine.send("setoption name Hash value 8");
    engine.send("setoption name Clear Hash");
    engine.send("ucinewgame");
    engine.send("stop");
    engine.best();
    engine.go("depth 4");
    assert!(engine.sync().is_empty());
}

/// What a search finds that runs while the table is cleared is not in the table afterwards.
#[test]
fn a_new_game_ends_an_endless_search_and_forgets_it() {
    let mut engine = Engine::start(&[]);
    let fresh = engine.go("nodes 20000").lines;
    let nodes = |lines: &[String]| field(lines.last().unwrap(), "nodes").map(str::to_owned);
    for clearing in ["ucinewgame", "setoption name Clear Hash"] {
        engine.send("position startpos moves e2e4");
        engine.send("go infinite");
        std::thread::sleep(std::time::Duration::from_millis(100));
        engine.send(clearing);
        engine.best();
        engine.send("stop");
        engine.send("position startpos");
        assert_eq!(
            nodes(&engine.go("nodes 20000").lines),
            nodes(&fresh),
            "{clearing}"
        );
    }
}

/// The processor time of pondering is not that of the turn.
#[test]
fn the_processor_clock_begins_with_the_ponderhit() {
    let mut engine = Engine::start(&[]);
    engine.quietly("setoption name CPU Clock value true");
    engine.send("position startpos moves e2e4");
    engine.send("go ponder movetime 300");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let hit = std::time::Instant::now();
    engine.send("ponderhit");
    engine.best();
    assert!(
        hit.elapsed() >= std::time::Duration::from_millis(250),
        "{:?}",
        hit.elapsed()
    );
}

#[test]
fn stop_and_ponderhit_do_nothing_while_idle() {
    let mut engine = Engine::start(&[]);
    for line in [
        "stop",
        "ponderhit",
        "stop",
        "debug on",
        "debug off",
        "register later",
        "ucinewgame",
    ] {
        engine.quietly(line);
    }
    engine.go("depth 2");
    engine.quietly("stop");
}

#[test]
fn parameters_of_go_in_any_order_and_of_any_quality() {
    let mut engine = Engine::start(&[]);
    for parameters in [
        "wtime 1000 btime 1000 winc 10 binc 10 movestogo 5",
        "binc 0 movestogo 1 wtime 50",
        "wtime 0 btime 0",
        "wtime -500 btime -500 winc -1 binc -1",
        "btime 300",
        "winc 20",
        "movetime 0",
        "movetime -5",
        "depth 0",
        "depth -3",
        "depth 99999999999999999999 movetime 20",
        "nodes 0",
        "nodes 1",
        "nodes 18446744073709551616 depth 2",
        "mate 1 movetime 50",
        "depth x nodes 100",
        "depth 2 wtime",
        "banana depth 2 split",
        "movestogo 0 wtime 100 btime 100",
        "movestogo -7 wtime 100 btime 100",
        "searchmoves depth 2",
        "searchmoves e2e5 zzzz depth 2",
        "depth 2 searchmoves",
        "DEPTH 2",
        "wtime 100.5 btime 99.75",
        "wtime 999999999999999999 btime 999999999999999999 depth 3",
        "movetime 999999999999999999999 depth 3",
    ] {
        let search = engine.go(parameters);
        assert_ne!(search.best, "(none)", "{parameters}");
    }
    let restricted = engine.go("depth 4 searchmoves a2a3 h2h4");
    assert!(["a2a3", "h2h4"].contains(&restricted.best.as_str()));
    let restricted = engine.go("searchmoves b1a3 nodes 500 wtime 1000");
    assert_eq!(restricted.best, "b1a3");
}

#[test]
fn the_clock_is_kept() {
    let mut engine = Engine::start(&[]);
    for (parameters, most) in [
        ("movetime 100", 1000),
        ("wtime 300 btime 60000", 300),
        ("wtime 60000 btime 60000 winc 1000 binc 1000", 30_000),
        ("wtime 1000 btime 1000 movestogo 40", 900),
    ] {
        engine.quietly("ucinewgame");
        let start = Instant::now();
        engine.go(parameters);
        // Half a second on top, for machines at work on something else.
        assert!(
            start.elapsed() < Duration::from_millis(most + 500),
            "{parameters}: {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn one_thread_repeats_a_search_exactly() {
    let mut engine = Engine::start(&[]);
    let mut other = Engine::start(&[]);
    for nodes in [1, 100, 1000, 5000, 30_000] {
        let mut results = Vec::new();
        for engine in [&mut engine, &mut other] {
            for _ in 0..2 {
                engine.quietly("ucinewgame");
                engine.quietly("position startpos moves d2d4 d7d5");
                let search = engine.go(&format!("nodes {nodes}"));
                let told: Vec<_> = search
                    .lines
                    .iter()
                    .map(|line| {
                        (
                            number(line, "depth"),
                            number(line, "nodes"),
                            field(line, "cp").map(str::to_owned),
                            pv(line),
                        )
                    })
                    .collect();
                if nodes > 1 {
                    let most = told.iter().filter_map(|line| line.1).max().unwrap_or(0);
                    assert!(most <= nodes, "{most} of {nodes}");
                }
                results.push((told, search.best, search.ponder));
            }
        }
        assert!(
            results.windows(2).all(|pair| pair[0] == pair[1]),
            "{results:#?}"
        );
    }
}

/// GUIs send all their options again before a game.
#[test]
fn the_game_that_is_set_already_changes_nothing() {
    let mut engine = Engine::start(&[]);
    engine.quietly("position startpos moves e2e4");
    let fen = engine.fen();
    engine.send("go infinite");
    let said = engine.ask("setoption name UCI_Variant value chess");
    let start = |line: &String| line.starts_with("info string variant chess startpos ");
    assert!(said.iter().any(start), "{said:?}");
    assert!(!said.iter().any(|line| line.starts_with("bestmove")));
    engine.send("stop");
    engine.best();
    assert_eq!(engine.fen(), fen);
}

#[test]
fn several_principal_variations() {
    let mut engine = Engine::start(&[]);
    engine.quietly("setoption name MultiPV value 3");
    let search = engine.go("depth 4");
    let last: Vec<_> = search
        .lines
        .iter()
        .filter(|line| number(line, "depth") == Some(4))
        .collect();
    let firsts: Vec<_> = (1..=3)
        .map(|n| {
            let line = last
                .iter()
                .rfind(|line| number(line, "multipv") == Some(n))
                .unwrap_or_else(|| panic!("no multipv {n}{}", engine.story()));
            pv(line)[0].clone()
        })
        .collect();
    assert_eq!(firsts[0], search.best);
    assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    // More than there are turns.
    engine.quietly("setoption name MultiPV value 256");
    engine.quietly("position fen k7/8/8/8/8/8/7r/K7 w - - 0 1");
    engine.go("depth 3");
}

#[test]
fn win_draw_loss_is_shown_on_demand() {
    let mut engine = Engine::start(&[]);
    assert!(
        !engine
            .go("depth 3")
            .lines
            .iter()
            .any(|line| line.contains(" wdl "))
    );
    engine.quietly("setoption name UCI_ShowWDL value true");
    let search = engine.go("depth 3");
    for line in exact(&search.lines) {
        let (_, wdl) = line.split_once(" wdl ").unwrap_or_else(|| panic!("{line}"));
        let sum: u32 = wdl
            .split(' ')
            .take(3)
            .map(|n| n.parse::<u32>().unwrap())
            .sum();
        assert_eq!(sum, 1000, "{line}");
    }
}

/// A drawn game has no chances left, though the engine still plays on: bare kings, and the fiftieth move.
#[test]
fn a_finished_draw_is_certain() {
    let mut engine = Engine::start(&[]);
    engine.quietly("setoption name UCI_ShowWDL value true");
    for fen in [
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
        "7k/8/5K2/8/8/8/8/6R1 w - - 100 80",
    ] {
        engine.quietly(&format!("position fen {fen}"));
        let lines = engine.go("depth 3").lines;
        let values: Vec<_> = lines.iter().filter(|line| line.contains(" wdl ")).collect();
        assert!(!values.is_empty(), "{fen}");
        assert!(
            values
                .iter()
                .all(|line| line.contains(" wdl 0 1000 0 ") || line.ends_with(" wdl 0 1000 0")),
            "{values:?}"
        );
    }
}

/// Turns without the word `moves` are not left out silently.
#[test]
fn turns_behind_a_start_position_need_their_word() {
    let mut engine = Engine::start(&[]);
    engine.quietly("position startpos moves e2e4");
    for words in [
        "startpos e2e4 e7e5",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4",
    ] {
        let said = engine.ask(&format!("position {words}"));
        assert!(said.len() == 1 && said[0].contains("Error"), "{said:?}");
    }
    assert_eq!(engine.ask("query p1turn"), ["response false"]);
}

#[test]
fn threads_and_limited_strength() {
    let mut engine = Engine::start(&[]);
    engine.quietly("setoption name Threads value 2");
    engine.go("depth 6");
    engine.go("movetime 50");
    engine.quietly("setoption name UCI_LimitStrength value true");
    engine.quietly("setoption name UCI_Elo value 1000");
    assert_ne!(engine.go("depth 6").best, "(none)");
}

#[test]
fn a_position_is_stateless_and_keeps_its_legal_prefix() {
    let mut engine = Engine::start(&[]);
    assert_eq!(
        engine.answer("position startpos moves e2e4 e7e5 e2e5 g1f3"),
        "info string Error: illegal move e2e5 (move 3)"
    );
    assert_eq!(
        engine.fen(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    engine.quietly("position startpos");
    assert_eq!(
        engine.fen(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    for token in [
        "e7e5",
        "e2",
        "",
        "0000",
        "e2e4q",
        "e2e4,e7e5",
        "PNB:e2e4",
        "\u{1}",
        "e9e4",
        "(none)",
    ] {
        let said = engine.ask(&format!("position startpos moves {token}"));
        assert_eq!(
            said.len(),
            usize::from(!token.is_empty()),
            "{token}: {said:?}"
        );
        assert!(
            engine
                .fen()
                .starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"),
            "{token}"
        );
    }
    engine.quietly("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8");
    assert!(
        engine
            .fen()
            .starts_with("2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2")
    );
    engine.quietly("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n");
    assert!(engine.fen().starts_with("N7/7k/"));
}

#[test]
fn fields_of_a_fen_may_be_missing_and_unsound_rights_are_dropped() {
    let mut engine = Engine::start(&[]);
    for short in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
    ] {
        engine.quietly(&format!("position fen {short}"));
        assert!(engine.fen().ends_with("w KQkq - 0 1"));
    }
    engine.quietly("position fen 4k3/8/8/8/8/8/8/4K2R w");
    assert!(engine.fen().ends_with("w - - 0 1"));
    for (fen, kept) in [
        (
            "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ),
    ] {
        let said = engine.ask(&format!("position fen {fen}"));
        assert!(!said.is_empty() && said.iter().all(|line| line.contains("dropped")));
        assert_eq!(engine.fen(), kept);
    }
    // A target that no pawn attacks is not kept, and nothing needs to be said about it.
    engine.ask("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert!(engine.fen().ends_with("b KQkq - 0 1"));
}

#[test]
fn a_bad_position_is_refused_with_the_reason() {
    let mut engine = Engine::start(&[]);
    engine.quietly("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    for fen in [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "k6k/8/8/8/8/8/8/K7 w - - 0 1",
        "pppppppp/pppppppp/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "the quick brown fox",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - zero one",
        "\u{0}\u{7}\u{1b}[2J w - - 0 1",
    ] {
        let said = engine.answer(&format!("position fen {fen}"));
        assert!(said.starts_with("info string Error: "), "{said}");
        assert!(
            !said.contains(|letter: char| letter.is_control()),
            "{said:?}"
        );
        assert_eq!(engine.fen(), "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    }
    for line in [
        "position",
        "position moves e2e4",
        "position banana",
        "position fen",
    ] {
        assert!(engine.answer(line).starts_with("info string Error: "));
        assert_eq!(engine.fen(), "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    }
}

#[test]
fn options_take_any_case_and_refuse_nonsense() {
    let mut engine = Engine::start(&[]);
    for line in [
        "setoption name Hash value 2",
        "setoption name HASH value 3",
        "setoption  name   move overhead   value   20",
        "setoption name Clear Hash",
        "setoption name clear hash value now",
        "setoption name Ponder value TRUE",
        "setoption name Debug Log File value <empty>",
        "setoption name UCI_EngineAbout value you",
        "setoption name Turn Output value Joined",
    ] {
        engine.quietly(line);
    }
    for line in [
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption Hash 3",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value many",
        "setoption name Hash value -1",
        "setoption name Hash value 99999999999999999999999",
        "setoption name Threads value 0",
        "setoption name Ponder value perhaps",
        "setoption name UCI_Variant value draughts",
        "setoption name Debug Log File value /no/such/folder/log",
        "setoption name \u{1} value \u{2}",
    ] {
        let said = engine.answer(line);
        assert!(said.starts_with("info string Error: "), "{line}: {said}");
    }
    engine.send("go infinite");
    engine.send("setoption name Hash value 4");
    engine.send("setoption name Threads value 2");
    engine.send("setoption name MultiPV value 2");
    engine.send("stop");
    engine.best();
    engine.go("depth 3");
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_that_does_not_fit_is_refused_and_the_old_one_stays() {
    let mut engine = Engine::start(&[]);
    let said = engine.answer("setoption name Hash value 1048576");
    assert!(
        said.starts_with("info string Error: cannot set Hash to 1048576 MB")
            && said.contains("stays at 16 MB"),
        "{said}"
    );
    engine.go("depth 3");
}

#[test]
fn the_move_under_search_is_told_after_three_seconds() {
    let mut engine = Engine::start(&[]);
    engine.quietly(
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    );
    let start = Instant::now();
    engine.send("go infinite");
    let (_, current) = engine.until("currmove", |line| line.contains("currmove"));
    assert!(start.elapsed() > Duration::from_millis(2900), "{current}");
    engine.send("stop");
    engine.best();
    assert!(number(&current, "currmovenumber").is_some() && number(&current, "depth").is_some());
    assert!(field(&current, "currmove").is_some_and(|token| token.len() >= 4));
}

#[test]
fn the_debug_log_holds_the_traffic() {
    let file = Scratch::new("log.txt");
    let mut engine = Engine::start(&[]);
    engine.quietly(&format!(
        "setoption name Debug Log File value {}",
        file.text()
    ));
    engine.quietly("position startpos");
    engine.quietly("setoption name Debug Log File value");
    engine.sync();
    let log = file.read();
    assert!(
        log.contains(">> isready\n<< readyok\n>> position startpos\n"),
        "{log}"
    );
}

#[test]
fn lines_come_in_all_shapes() {
    let mut engine = Engine::start(&[]);
    engine.send_bytes(b"isready\r\n");
    engine.expect("readyok");
    engine.send_bytes(b"\t isready \t\r\n");
    engine.expect("readyok");
    engine.send_bytes(b"\xef\xbb\xbfisready\n");
    engine.expect("readyok");
    engine.send_bytes(b"\xff\xfe isready\n");
    engine.expect("readyok");
    engine.send_bytes(b"joho isready\n");
    engine.expect("readyok");
    engine.quietly("# isready go quit");
    engine.quietly("");
    engine.quietly("   ");
    engine.send_bytes(b"position\tstartpos\tmoves\te2e4\r\ngo depth 2\r\n");
    engine.best();
    assert!(engine.fen().contains(" b "));
    // The last line needs no end.
    engine.send_bytes(b"isready");
    engine.close_input();
    engine.expect("readyok");
    assert!(engine.exit().success());
}

#[test]
fn ends_with_zero_at_once() {
    for how in ["quit", "end of input", "TERM", "INT"] {
        for searching in [false, true] {
            let mut engine = Engine::start(&[]);
            if searching {
                engine.send("go infinite");
                engine.expect("info depth");
            }
            engine.sync();
            match how {
                "quit" => engine.send("quit"),
                "end of input" => engine.close_input(),
                signal => {
                    let sent = std::process::Command::new("kill")
                        .args([format!("-{signal}"), engine.id().to_string()])
                        .status();
                    assert!(sent.is_ok_and(|status| status.success()));
                }
            }
            let start = Instant::now();
            assert_eq!(engine.exit().code(), Some(0), "{how} {searching}");
            assert!(start.elapsed() < Duration::from_secs(5));
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(b"uci\n").expect("the program listens");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    drop(stdin);
}

#[test]
fn stop_is_answered_soon() {
    let mut engine = Engine::start(&[]);
    let mut times: Vec<Duration> = (0..20)
        .map(|n| {
            engine.send("go infinite");
            std::thread::sleep(Duration::from_millis(5 + 7 * n));
            let start = Instant::now();
            engine.send("stop");
            engine.best();
            start.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "stop latency: median {:?}, worst {:?}",
        times[10], times[19]
    );
    // The aim is 5 ms on an idle core; this guards against waits by design.
    assert!(times[10] < Duration::from_millis(100), "{times:?}");
}

/// How many threads the program has, once those that are done are gone.
#[cfg(target_os = "linux")]
fn threads(engine: &Engine) -> usize {
    let count = || {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", engine.id()));
        tasks.expect("the program runs").count()
    };
    (0..20).fold(usize::MAX, |least, _| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        least.min(count())
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_new_game_leaves_no_threads_behind_but_those_that_search() {
    let mut engine = Engine::start(&[]);
    engine.quietly("setoption name Hash value 64");
    engine.go("depth 2");
    let before = threads(&engine);
    engine.quietly("ucinewgame");
    engine.quietly("setoption name Clear Hash");
    assert_eq!(threads(&engine), before);
    // Those that search wait for the next search, and there are never more of them.
    engine.quietly("setoption name Threads value 8");
    for _ in 0..2 {
        engine.quietly("ucinewgame");
        assert_eq!(threads(&engine), before + 7);
        engine.go("depth 2");
        assert_eq!(threads(&engine), before + 7);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_new_game_needs_no_more_threads_than_there_are() {
    let mut engine = Engine::start(&[]);
    engine.quietly("setoption name Hash value 64");
    engine.go("depth 2");
    // From here on there is no room for the stack of another thread.
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let size = status.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("VmSize:")?.trim().strip_suffix(" kB")?;
        kilobytes.parse::<u64>().ok()
    });
    let limit = (size.expect("a size in kilobytes") + 1024) * 1024;
    let limited = std::process::Command::new("prlimit")
        .arg(format!("--pid={}", engine.id()))
        .arg(format!("--as={limit}:{limit}"))
        .status();
    assert!(limited.expect("prlimit of util-linux").success());
    engine.quietly("setoption name Threads value 4");
    engine.quietly("ucinewgame");
    engine.quietly("setoption name Clear Hash");
    engine.quietly("position startpos moves e2e4");
    assert_ne!(engine.go("depth 6").best, "(none)");
}

/// Limits the address space of a program to what it has now and `more` megabytes.
#[cfg(target_os = "linux")]
fn limit_memory(engine: &Engine, more: u64) {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let size = status.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("VmSize:")?.trim().strip_suffix(" kB")?;
        kilobytes.parse::<u64>().ok()
    });
    let limit = (size.expect("a size in kilobytes") + more * 1024) * 1024;
    let limited = std::process::Command::new("prlimit")
        .arg(format!("--pid={}", engine.id()))
        .arg(format!("--as={limit}:{limit}"))
        .status();
    assert!(limited.expect("prlimit of util-linux").success());
}

#[cfg(target_os = "linux")]
#[test]
fn the_old_table_goes_before_the_new_one_comes_and_comes_back_if_that_fails() {
    let mut engine = Engine::start(&[]);
    engine.quietly("setoption name Hash value 200");
    engine.go("depth 2");
    limit_memory(&engine, 150);
    // Both together would be 430 MB, where there are some 350.
    engine.quietly("setoption name Hash value 230");
    let refused = engine.answer("setoption name Hash value 500");
    assert!(refused.ends_with("it stays at 230 MB"), "{refused}");
    engine.quietly("setoption name Hash value 200");
    assert_ne!(engine.go("depth 4").best, "(none)");
    // A search without an end keeps its table. The new one is there before `readyok`, and costs the next search no time.
    let refused = |lines: &[String]| {
        lines
            .iter()
            .any(|line| line.ends_with("it stays at 200 MB"))
    };
    engine.send("go infinite");
    assert!(!refused(&engine.ask("setoption name Hash value 500")));
    engine.send("stop");
    engine.best();
    assert!(refused(&engine.sync()));
    engine.send("go infinite");
    engine.sync();
    engine.send("stop");
    let said = engine.ask("setoption name Hash value 500");
    assert!(refused(&said), "{said:?}");
    assert!(!refused(&engine.go("depth 2").lines));
}
