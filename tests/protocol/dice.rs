//! Dice over the wire: where a roll may come from, and what a search says without one.

use super::driver::{Engine, exact, field, pv};
use fauve_engine::rules::DiceSeed;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn without_a_roll_the_chance_node_is_valued() {
    let mut engine = Engine::of("dicechess");
    let search = engine.go("nodes 2000");
    assert_eq!(search.best, "(none)");
    assert!(
        search
            .lines
            .contains(&"info string no dice given: expectation over all rolls".to_owned()),
        "{:?}",
        search.lines
    );
    let last = exact(&search.lines)
        .last()
        .map_or("", |line| line.as_str())
        .to_owned();
    assert!(
        field(&last, "score").is_some() && pv(&last).is_empty(),
        "{last}"
    );
    assert_eq!(engine.answer("query roll"), "response -");
    assert!(engine.answer("legal").starts_with("info string Error: "));
    // A mate in one can only be a captured king: one turn is searched.
    assert_eq!(engine.go("mate 1").best, "(none)");
}

#[test]
fn go_takes_the_roll_in_both_spellings() {
    let mut engine = Engine::of("dicechess");
    // The source's own example: exactly these turns.
    let turns = ["b1a3", "b1c3", "g1f3", "g1h3"];
    for dice in ["235", "532", "NBQ", "qbn"] {
        let best = engine.go(&format!("nodes 500 dice {dice}")).best;
        assert!(turns.contains(&best.as_str()), "{dice}: {best}");
    }
    let search = engine.go("dice 444 nodes 100");
    assert_eq!((search.best.as_str(), search.ponder), ("0000", None));
    for dice in ["", "7", "13", "1366", "PBX", "0"] {
        let search = engine.go(&format!("nodes 100 dice {dice}"));
        assert_eq!(search.best, "(none)");
        assert!(
            search.lines[0].starts_with("info string go dice"),
            "{:?}",
            search.lines
        );
    }
    // Searchmoves and dice together.
    let best = engine.go("dice 136 searchmoves d2d3 nodes 300").best;
    assert!(best.starts_with("d2d3,"), "{best}");
    // The position's own dice come first.
    engine.quietly(&format!("position fen {START} NBQ"));
    let search = engine.go("dice 136 nodes 100");
    assert!(turns.contains(&search.best.as_str()), "{}", search.best);
    assert_eq!(
        search.lines[0],
        "info string go dice: no roll is awaited here"
    );
    assert_eq!(engine.ask("legal"), ["b1a3 b1c3 g1f3 g1h3", "4 turns"]);
    assert_eq!(engine.answer("query roll"), "response NBQ");
}

#[test]
fn tokens_may_carry_their_roll() {
    let mut engine = Engine::of("dicechess");
    engine.quietly("position startpos moves PNB:b2b4,c1a3,b1c3 NBQ:b8c6");
    let fen = engine.fen();
    assert_eq!(
        fen,
        "r1bqkbnr/pppppppp/2n5/8/1P6/B1N5/P1PPPPPP/R2QKBNR w KQkq - 1 2 -"
    );
    for moves in [
        "123:b2b4,c1a3,b1c3 532:b8c6",
        "PNB:b2b4 c1a3 b1c3 NBQ:b8c6",
        "b2b4,c1a3,b1c3 NBQ:b8c6",
        "b2b4 c1a3,b1c3 NBQ:b8c6",
        "b2b4 c1a3 b1c3 b8c6",
        "PNB: b2b4,c1a3,b1c3 NBQ: NBQ:b8c6",
    ] {
        engine.quietly(&format!("position startpos moves {moves}"));
        assert_eq!(engine.fen(), fen, "{moves}");
    }
    for (moves, number) in [
        ("NBQ:b2b4,c1a3,b1c3", 1),
        ("b2b4,c1a3,e1e2,b1c3", 1),
        ("NBQ:b1c3 NBQ:b1c3", 2),
        ("PNB:b2b4,c1a3", 0),
        ("777:b1c3", 1),
        ("PN:b1c3", 1),
        ("NBQ:0000", 1),
        ("RRR:0000 RRR:0000 b1c3 e2e4", 4),
        ("b2b4", 1),
        ("NBQ: PNB:b1c3", 2),
    ] {
        let said = engine.ask(&format!("position startpos moves {moves}"));
        if number == 0 {
            assert!(said.is_empty(), "{moves}: {said:?}");
            assert!(engine.fen().ends_with(" N"), "{}", engine.fen());
        } else {
            assert!(
                said.len() == 1 && said[0].ends_with(&format!("(move {number})")),
                "{moves}: {said:?}"
            );
        }
    }
    // An unfinished turn of several tokens leaves nothing that could be taken back.
    let all_can_move = "position fen 7k/8/8/8/P7/8/8/K1NBRQ2 w - - 0 1 - moves";
    for (moves, turns) in [
        ("a4a5", 0),
        ("a4a5 a5a6", 0),
        ("a4a5 a5a6 a6a7 h8h7 f1f2 e1e2", 2),
    ] {
        let said = engine.ask(&format!("{all_can_move} {moves}"));
        let number = moves.split(' ').count();
        let place = format!("(move {number})");
        assert!(said.len() == 1 && said[0].ends_with(&place), "{said:?}");
        for _ in 0..turns {
            engine.quietly("undo");
        }
        let said = engine.answer("undo");
        assert!(said.starts_with("info string Error: "), "{moves}: {said}");
    }
    // A pass is legal without its roll, since some rolls allow nothing.
    engine.quietly("position startpos moves 0000 0000 b1c3");
    assert_eq!(engine.answer("query p1turn"), "response false");
}

#[test]
fn a_seed_rolls_for_every_turn() {
    let mut engine = Engine::of("dicechess");
    for seed in [0x1f_u64, 0xfeed_beef, u64::MAX] {
        let fen = format!("{START} - seed:{seed:x}");
        let mut tokens: Vec<String> = Vec::new();
        for turn in 0..6 {
            let moves = if tokens.is_empty() {
                String::new()
            } else {
                format!(" moves {}", tokens.join(" "))
            };
            engine.quietly(&format!("position fen {fen}{moves}"));
            assert!(engine.fen().ends_with(&format!(" seed:{seed:x}")));
            if engine.answer("query gameover") == "response true" {
                break;
            }
            let roll = DiceSeed(seed).roll(turn).to_string();
            let shown = engine.answer("query roll");
            assert!(
                shown.eq_ignore_ascii_case(&format!("response {roll}")),
                "{turn}: {shown} {roll}"
            );
            let best = engine.go("nodes 300").best;
            assert!(!best.contains(':'), "{best}");
            tokens.push(best);
        }
        // `go dice` goes before the seed.
        engine.quietly(&format!("position fen {fen}"));
        assert_eq!(engine.go("dice 444 nodes 100").best, "0000");
    }
    // A turn that the seeded roll does not allow.
    let roll = DiceSeed(0x1f).roll(0);
    assert!(!roll.faces().contains(&3));
    let said = engine.answer(&format!(
        "position fen {START} - seed:1f moves b2b4,c1a3,b1c3"
    ));
    assert!(
        said.starts_with("info string Error: illegal move"),
        "{said}"
    );
}

#[test]
fn a_seeded_game_can_be_relayed_to_its_end() {
    let mut engine = Engine::of("dicechess");
    let fen = format!("{START} - seed:2a");
    let mut tokens: Vec<String> = Vec::new();
    for _ in 0..300 {
        let moves = tokens.join(" ");
        engine.quietly(&format!(
            "position fen {fen}{}{moves}",
            if moves.is_empty() { "" } else { " moves " }
        ));
        if engine.answer("query gameover") == "response true" {
            assert_eq!(engine.go("nodes 100").best, "(none)");
            return;
        }
        let search = engine.go("nodes 150");
        let last = search.lines.iter().rfind(|line| line.contains(" pv "));
        let line = pv(last.expect("a line"));
        assert_eq!(line, [search.best.as_str()], "one turn, as answered");
        tokens.push(search.best);
    }
    panic!("no end in 300 turns: {tokens:?}");
}

#[test]
fn rolls_by_hand() {
    let mut engine = Engine::of("dicechess");
    assert_eq!(engine.answer("roll 352"), "roll NBQ");
    assert!(engine.answer("roll 111").starts_with("info string Error: "));
    engine.quietly("play b1c3");
    assert!(engine.answer("roll").starts_with("roll "));
    engine.quietly("undo");
    engine.quietly("undo");
    assert_eq!(engine.answer("query roll"), "response NBQ");
    engine.quietly("undo");
    assert_eq!(engine.fen(), format!("{START} -"));
}

#[test]
fn a_certain_win_is_a_mate_in_one() {
    let mut engine = Engine::of("dicechess");
    engine.quietly("position fen 4k3/8/8/8/8/8/8/4RK2 w - - 0 1 RRR");
    let search = engine.go("nodes 1000");
    let last = exact(&search.lines)
        .last()
        .map_or("", |line| line.as_str())
        .to_owned();
    assert!(last.contains("score mate 1 "), "{last}");
    engine.quietly(&format!("play {}", search.best));
    assert_eq!(engine.answer("query result"), "response p1win");
    assert_eq!(engine.go("nodes 10").lines, ["info depth 0 score mate 0"]);
}

/// The limit can end a search that awaits a roll before its first depth.
#[test]
fn a_search_without_a_depth_tells_its_nodes_and_chances() {
    let mut engine = Engine::of("dicechess");
    engine.quietly("setoption name UCI_ShowWDL value true");
    engine.quietly("position startpos moves PNB:e2e4,f1b5,b1c3");
    let search = engine.go("nodes 1");
    let [_, line] = search.lines.as_slice() else {
        panic!("{:?}", search.lines)
    };
    assert!(line.starts_with("info depth 0 "), "{line}");
    assert!(
        line.contains(" wdl ") && line.contains(" nodes 1 "),
        "{line}"
    );
    engine.quietly("position fen 4k3/8/8/8/8/8/8/8 w - - 0 1");
    let over = engine.go("nodes 1");
    assert_eq!(over.lines, ["info depth 0 score mate 0 wdl 0 0 1000"]);
}

#[test]
fn perft_sums_the_distinct_rolls() {
    let mut engine = Engine::of("dicechess");
    engine.send("go perft 1");
    assert_eq!(engine.expect("Nodes searched"), "Nodes searched: 11245");
    engine.quietly(&format!("position fen {START} PBK"));
    engine.send("go perft 1");
    assert_eq!(engine.expect("Nodes searched"), "Nodes searched: 30");
}

#[test]
fn castling_through_check_is_a_switch() {
    let mut engine = Engine::of("dicechess");
    engine.quietly("position fen 4k1r1/8/8/8/8/8/8/4K2R w K - 0 1 RRK");
    assert_eq!(
        engine.ask("legal e1g1").last().map(String::as_str),
        Some("0 turns")
    );
    engine.quietly("setoption name Castle Through Check value true");
    assert_ne!(
        engine.ask("legal e1g1").last().map(String::as_str),
        Some("0 turns")
    );
}

/// A lone king against queens: sure to be doubled, and to be given up; an even game is neither.
#[test]
fn questions_about_the_cube_have_words_of_their_own() {
    let mut engine = Engine::of("dicechess");
    let off = engine.go("double");
    assert_eq!(off.best, "(none)");
    assert!(
        off.lines[0].ends_with("Error: go double: the option Doubling is off"),
        "{:?}",
        off.lines
    );
    engine.quietly("setoption name Doubling value true");
    for (question, answer) in [
        ("double", "roll"),
        ("take", "take"),
        ("double cube 2 white depth 1", "roll"),
    ] {
        let said = engine.go(question);
        assert_eq!(said.best, answer, "{question}");
        assert!(
            said.lines[0].starts_with("info string double chance 0."),
            "{:?}",
            said.lines
        );
    }
    engine.quietly("position fen 7k/8/8/8/8/8/8/QQQK4 w - - 0 1");
    assert_eq!(engine.go("double").best, "double");
    assert_eq!(engine.go("take cube 4 white nodes 5000").best, "pass");
    for (question, why) in [
        ("double cube 2 black", "may not double"),
        ("double cube 64 white", "may not double"),
        ("double cube 3", "the cube is 1, 2, 4"),
        ("double cube", "the cube is 1, 2, 4"),
    ] {
        let said = engine.go(question);
        assert_eq!(said.best, "(none)", "{question}");
        assert!(said.lines[0].contains(why), "{:?}", said.lines);
    }
    engine.quietly("position fen 7k/8/8/8/8/8/8/QQQK4 w - - 0 1 NNN");
    let rolled = engine.go("double");
    assert!(
        rolled.lines[0].contains("rolled already"),
        "{:?}",
        rolled.lines
    );
    // The dice of a seed are not looked at.
    engine.quietly("position fen 7k/8/8/8/8/8/8/QQQK4 w - - 0 1 - seed:5");
    assert_eq!(engine.go("double").best, "double");
    engine.ask("setoption name UCI_Variant value chess");
    assert!(engine.go("take").lines[0].contains("no dice"));
}
