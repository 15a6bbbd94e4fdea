//! Turns of several moves, prologues and other start positions over the wire.

use super::VARIANTS;
use super::driver::{Engine, exact, last, pv};

#[test]
fn games_are_chosen_by_option_and_on_the_command_line() {
    let mut engine = Engine::start(&[]);
    for (names, variant) in [
        (["chess", "Chess", "CHESS"], "chess"),
        (["superchess", "super", "Super"], "superchess"),
        (["twomove", "two-move", "doublemove"], "twomove"),
        (["dicechess", "dice", "DiceChess"], "dicechess"),
        (["cubes4d", "cubes", "Cubes4D"], "cubes4d"),
    ] {
        for name in names {
            let said = engine.answer(&format!("setoption name UCI_Variant value {name}"));
            let start = said
                .strip_prefix(&format!("info string variant {variant} startpos "))
                .unwrap_or_else(|| panic!("{said}"))
                .to_owned();
            assert_eq!(engine.fen(), start);
            engine.quietly("position startpos");
            assert_eq!(engine.fen(), start);
        }
        let mut other = Engine::of(variant);
        assert_eq!(other.fen(), engine.fen());
        other.send("uci");
        let (lines, _) = other.until("uciok", |line| line == "uciok");
        let combo = format!("option name UCI_Variant type combo default {variant} var chess");
        assert!(lines.iter().any(|line| line.starts_with(&combo)));
    }
    let names: String = VARIANTS.iter().flat_map(|name| [" var ", name]).collect();
    engine.send("uci");
    let (lines, _) = engine.until("uciok", |line| line == "uciok");
    let combo = "option name UCI_Variant type combo default cubes4d";
    assert!(lines.contains(&format!("{combo}{names}")), "{lines:?}");
}

#[test]
fn options_survive_a_change_of_the_game() {
    let mut engine = Engine::start(&[]);
    engine.quietly("setoption name UCI_ShowWDL value true");
    engine.ask("setoption name UCI_Variant value twomove");
    let search = engine.go("depth 1");
    assert!(search.lines.iter().any(|line| line.contains(" wdl ")));
}

#[test]
fn a_turn_of_two_moves_is_one_token_and_is_read_in_both_forms() {
    let mut engine = Engine::of("twomove");
    engine.quietly("position startpos moves e2e4 e7e5,g8f6 d1h5,h5f3");
    let joined = engine.fen();
    engine.quietly("position startpos moves e2e4 e7e5 g8f6 d1h5 h5f3");
    assert_eq!(engine.fen(), joined);
    engine.quietly("position startpos moves e2e4 e7e5,g8f6 d1h5");
    assert!(engine.fen().ends_with(" 1:h5d1"), "{}", engine.fen());
    for (moves, number) in [
        ("e2e4 e7e6,e6e5", 0),
        ("e2e4,d2d4", 1),
        ("e2e4 g8f6,f6g8", 2),
        ("e2e4 g8f6 f6g8", 3),
        ("e2e4 e7e5,g8f6,b8c6", 2),
        ("e2e4 e7e5,", 2),
        ("e2e4 ,e7e5", 2),
    ] {
        let said = engine.ask(&format!("position startpos moves {moves}"));
        if number == 0 {
            assert!(said.is_empty(), "{said:?}");
        } else {
            assert!(
                said.len() == 1
                    && said[0].starts_with("info string Error: ")
                    && said[0].ends_with(&format!("(move {number})")),
                "{moves}: {said:?}"
            );
        }
    }
    engine.quietly("position startpos moves e2e4");
    let search = engine.go("nodes 3000");
    assert_eq!(search.best.split(',').count(), 2, "{}", search.best);
    let line = pv(last(&search.lines));
    assert_eq!(line[0], search.best);
    engine.quietly(&format!("position startpos moves e2e4 {}", line.join(" ")));
}

#[test]
fn searchmoves_are_whole_turns_or_their_first_moves() {
    let mut engine = Engine::of("twomove");
    engine.quietly("position startpos moves e2e4");
    assert_eq!(
        engine.go("nodes 2000 searchmoves a7a6,b7b6").best,
        "a7a6,b7b6"
    );
    let best = engine.go("nodes 2000 searchmoves h7h5").best;
    assert!(best.starts_with("h7h5,"), "{best}");
    let best = engine.go("nodes 2000 searchmoves h7h5 a7a6,a6a5").best;
    assert!(best.starts_with("h7h5,") || best == "a7a6,a6a5", "{best}");
    let best = engine.go("nodes 2000 searchmoves e2e4 a7a6,a6a5").best;
    assert_eq!(best, "a7a6,a6a5");
}

#[test]
fn single_moves_are_given_on_demand() {
    let mut engine = Engine::of("twomove");
    engine.quietly("setoption name Turn Output value single");
    engine.quietly("position startpos moves e2e4");
    let first = engine.go("nodes 2000");
    assert!(!first.best.contains(','), "{}", first.best);
    assert_eq!(first.ponder, None);
    let line = pv(last(&first.lines));
    assert!(line[0].starts_with(&format!("{},", first.best)), "{line:?}");
    engine.quietly(&format!("position startpos moves e2e4 {}", first.best));
    let second = engine.go("nodes 2000");
    assert!(!second.best.contains(','), "{}", second.best);
    engine.quietly(&format!(
        "position startpos moves e2e4 {},{}",
        first.best, second.best
    ));
    engine.quietly(&format!(
        "position startpos moves e2e4 {} {}",
        first.best, second.best
    ));
    assert_eq!(engine.answer("query p1turn"), "response true");
}

#[test]
fn fools_mate_in_two_moves() {
    let mut engine = Engine::of("twomove");
    engine.quietly("position startpos moves e2e3 a7a6,g7g5");
    let search = engine.go("depth 1");
    let last = exact(&search.lines)
        .last()
        .map_or("", |line| line.as_str())
        .to_owned();
    assert!(last.contains("score mate 1 "), "{last}");
    engine.quietly(&format!("play {}", search.best));
    assert_eq!(engine.answer("query result"), "response p1win");
    assert_eq!(engine.go("depth 2").lines, ["info depth 0 score mate 0"]);
    // A king that can be taken at once is no position.
    let said = engine.answer("position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 2");
    assert!(said.starts_with("info string Error: invalid FEN"), "{said}");
}

#[test]
fn the_choice_of_black_in_cubes_is_a_turn() {
    let mut engine = Engine::of("cubes4d");
    assert!(engine.fen().ends_with(" pre"));
    assert_eq!(
        engine.ask("legal").last().map(String::as_str),
        Some("2 turns")
    );
    engine.quietly("position startpos moves left");
    let left = engine.fen();
    engine.quietly("position startpos-left");
    assert_eq!(engine.fen(), left);
    engine.quietly("position startpos moves right");
    let right = engine.fen();
    assert_ne!(left, right);
    engine.quietly("position startpos");
    let said = engine.answer("setoption name Prologue value false");
    assert_eq!(
        said,
        format!("info string variant cubes4d startpos {right}")
    );
    engine.quietly("position startpos");
    assert_eq!(engine.fen(), right);
    engine.quietly("position startpos-left");
    assert_eq!(engine.fen(), left);
    let mut chess = Engine::start(&[]);
    assert!(
        chess
            .answer("position startpos-left")
            .starts_with("info string Error: ")
    );
}

#[test]
fn cubes_move_over_the_wire() {
    let mut engine = Engine::of("cubes4d");
    engine.quietly("position startpos moves right e8@f9");
    assert_eq!(engine.fen().split(' ').nth(4), Some("f9"));
    let search = engine.go("nodes 3000");
    engine.quietly(&format!("play {}", search.best));
    engine.send("position startpos-left");
    engine.send("go perft 2");
    assert_eq!(engine.expect("Nodes searched"), "Nodes searched: 1072");
}

#[test]
fn free_material_is_a_switch_of_the_position() {
    let fen = "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1Q1N2B w - G - - 1";
    let mut engine = Engine::of("cubes4d");
    let said = engine.answer(&format!("position fen {fen}"));
    assert!(said.starts_with("info string Error: invalid FEN"), "{said}");
    engine.quietly("setoption name Free Material value true");
    engine.quietly(&format!("position fen {fen}"));
    // Back to the strict rules the position is impossible.
    let said = engine.ask("setoption name Free Material value false");
    assert!(said[0].ends_with("back to startpos"), "{said:?}");
    assert!(engine.fen().ends_with("pre"));
}

#[test]
fn the_prologue_of_superchess_is_played() {
    let mut engine = Engine::of("superchess");
    assert!(engine.fen().ends_with(" p0"));
    assert_eq!(
        engine.ask("legal").last().map(String::as_str),
        Some("12 turns")
    );
    engine.quietly("position startpos moves E@h1 V@b8 A@f1 S@d8,b8h8");
    let swapped = engine.fen();
    assert!(
        swapped.starts_with("rebskanv/pppppppp/8/8/8/8/PPPPPPPP/REBSKANV["),
        "{swapped}"
    );
    // The swap as a token of its own.
    engine.quietly("position startpos moves E@h1 V@b8 A@f1 S@d8 b8h8");
    assert_eq!(engine.fen(), swapped);
    engine.quietly("undo");
    assert!(engine.fen().starts_with("rvbskane/"), "{}", engine.fen());
    engine.quietly("position startpos moves E@h1 V@b8 A@f1 S@d8 b1c3");
    let said = engine.answer("position startpos moves E@h1 V@b8 A@f1 S@d8 b8g8");
    assert_eq!(said, "info string Error: illegal move b8g8 (move 5)");
    // The engine plays it itself.
    engine.quietly("position startpos");
    for _ in 0..5 {
        let best = engine.go("nodes 1000").best;
        engine.quietly(&format!("play {best}"));
    }
    assert!(engine.fen().contains('['), "{}", engine.fen());
    // No colours to exchange there.
    engine.quietly("position startpos moves E@h1");
    assert!(engine.answer("flip").starts_with("info string Error: "));
}

#[test]
fn arrays_and_pools_of_superchess_are_switches() {
    let mut engine = Engine::of("superchess");
    let said = engine.answer("setoption name Prologue value false");
    let first = said
        .strip_prefix("info string variant superchess startpos ")
        .expect(&said)
        .to_owned();
    assert_eq!(engine.fen(), first);
    engine.ask("setoption name Array value 431");
    assert_ne!(engine.fen(), first);
    engine.quietly("position startpos");
    assert!(engine.fen().contains("[N") && engine.fen().ends_with(" w - - 0 1"));
    let fen = "4k3/8/8/8/8/8/8/4KQ~2[NR] w - - 0 1";
    engine.quietly(&format!("position fen {fen}"));
    assert_eq!(engine.fen(), fen);
    engine.ask("setoption name Promotion Pool value physical");
    assert!(!engine.fen().contains('~'), "{}", engine.fen());
}
