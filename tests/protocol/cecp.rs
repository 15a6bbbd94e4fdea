//! CECP as XBoard speaks it: features, games, edits, analysis, and what no GUI would send.

use super::driver::Engine;
use std::time::{Duration, Instant};

const ARRAY: &str = "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1";

fn xboard() -> Engine {
    let mut engine = Engine::start(&[]);
    engine.send("xboard");
    engine.send("protover 2");
    engine.expect("feature done=1");
    engine
}

/// What is said up to the answer to a ping.
fn settle(engine: &mut Engine) -> Vec<String> {
    engine.send("ping 77");
    engine.until("pong", |line| line == "pong 77").0
}

/// Plays moves without an answer.
fn force(engine: &mut Engine, moves: &str) -> Vec<String> {
    engine.send("force");
    for word in moves.split_whitespace() {
        engine.send(&format!("usermove {word}"));
    }
    settle(engine)
}

fn says(lines: &[String], start: &str) -> bool {
    lines.iter().any(|line| line.starts_with(start))
}

#[test]
fn features_name_what_the_engine_can_do() {
    let mut engine = Engine::start(&[]);
    engine.send("xboard");
    engine.send("protover 2");
    let (lines, _) = engine.until("done", |line| line == "feature done=1");
    let all = lines.join("\n");
    for feature in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "analyze=1",
        "memory=1",
        "smp=1",
        "exclude=1",
        "colors=0",
        "sigint=0",
        "sigterm=0",
        "variants=\"normal,fischerandom,super\"",
        "myname=\"Fauve",
        "option=\"Move Overhead -spin 10 0 5000\"",
    ] {
        assert!(all.contains(feature), "{feature} is not in {all}");
    }
    for line in [
        "accepted ping",
        "rejected debug",
        "memory 8",
        "cores 2",
        "option Move Overhead=20",
    ] {
        engine.send(line);
    }
    assert!(!says(&settle(&mut engine), "Error"));
}

#[test]
fn a_game_goes_back_and_forth_with_thinking_lines() {
    let mut engine = xboard();
    for line in [
        "new",
        "level 40 5 0",
        "post",
        "easy",
        "sd 4",
        "usermove e2e4",
    ] {
        engine.send(line);
    }
    let (lines, _) = engine.until("move", |line| line.starts_with("move "));
    let thinking = lines
        .iter()
        .find(|line| {
            line.split(' ')
                .take(4)
                .all(|word| word.parse::<i64>().is_ok())
        })
        .expect("a thinking line");
    assert!(thinking.split(' ').count() > 4, "{thinking} has moves");
    engine.send("nopost");
    engine.send("usermove e4e3");
    engine.expect("Illegal move");
    engine.send("time 1000");
    engine.send("otim 1000");
    engine.send("usermove d2d4");
    let (lines, _) = engine.until("move", |line| line.starts_with("move "));
    assert!(
        !lines
            .iter()
            .any(|line| line.starts_with(|c: char| c.is_ascii_digit()))
    );
    // Four half-moves back is the start.
    engine.send("remove");
    engine.send("remove");
    assert!(!says(&settle(&mut engine), "Error"));
    engine.send("undo");
    assert!(says(&settle(&mut engine), "Error"));
}

#[test]
fn the_engine_says_the_end_of_a_game() {
    let mut engine = xboard();
    engine.send("new");
    force(&mut engine, "f2f3 e7e5 g2g4");
    engine.send("sd 3");
    engine.send("go");
    engine.expect("move d8h4");
    engine.expect("0-1 {Black mates}");
    engine.send("usermove a2a3");
    engine.expect("Illegal move (game over)");
    // The opponent mates.
    engine.send("new");
    force(&mut engine, "f2f3 e7e5 g2g4");
    engine.send("playother");
    engine.send("usermove d8h4");
    engine.expect("0-1 {Black mates}");
}

#[test]
fn castling_is_read_in_letters_too() {
    let mut engine = xboard();
    engine.send("new");
    let moves = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 O-O 0-0";
    assert!(!says(&force(&mut engine, moves), "Illegal"));
    engine.send("d1e1");
    assert!(
        !says(&settle(&mut engine), "Error"),
        "a bare move counts as well"
    );
}

/// In Chess960 castling has letters in both directions, also where the king's way is that of a king's move.
#[test]
fn castling_of_chess960_is_written_with_letters() {
    let mut engine = xboard();
    for line in ["new", "variant fischerandom", "force", "sd 1", "post"] {
        engine.send(line);
    }
    // The king goes to g1 by castling, where its rook stands, and could go to f1 as well.
    engine.send("setboard 1r4k1/8/8/8/8/5n1n/PPPPPPPP/RNBQK1R1 w GA - 0 1");
    engine.send("usermove e1g1");
    assert!(
        says(&settle(&mut engine), "Illegal"),
        "the knights forbid it"
    );
    engine.send("setboard 4k1r1/8/8/8/8/8/PPPPPPPP/RNBQK1R1 w Gg - 0 1");
    engine.send("usermove O-O");
    engine.send("usermove O-O");
    assert!(!says(&settle(&mut engine), "Illegal"));
    engine.send("usermove O-O");
    assert!(says(&settle(&mut engine), "Illegal"), "only once");
    // Every other turn is left out.
    engine.send("setboard 4k1r1/8/8/8/8/8/PPPPPPPP/RNBQK1R1 w Gg - 0 1");
    engine.send("exclude all");
    engine.send("include O-O");
    engine.send("analyze");
    let line = engine.expect("1 ");
    assert!(line.ends_with(" O-O"), "{line}");
    engine.send("exit");
    // Castling is the only turn, and the king stays where it is.
    engine.send("setboard 5r1k/8/8/8/8/7p/7P/6KR w H - 0 1");
    engine.send("go");
    assert_eq!(engine.expect("move "), "move O-O");
    engine.send("new");
    engine.send("force");
    engine.send("usermove O-O");
    assert!(says(&settle(&mut engine), "Illegal"), "chess again");
}

#[test]
fn superchess_comes_by_setboard_with_its_holdings() {
    let mut engine = xboard();
    for line in ["new", "variant super", "sd 2", "force"] {
        engine.send(line);
    }
    engine.send(&format!("setboard {ARRAY}"));
    assert!(!says(&settle(&mut engine), "tellusererror"));
    engine.send("go");
    let line = engine.expect("move ");
    assert_eq!(line.len(), "move e2e4".len(), "{line}");
    // A pawn may become what the holdings have, and nothing else.
    engine.send("force");
    engine.send("setboard 7k/P7/8/8/8/8/8/K7[N] w - - 0 1");
    engine.send("usermove a7a8q");
    engine.expect("Illegal move");
    engine.send("usermove a7a8n");
    assert!(!says(&settle(&mut engine), "Illegal"));
    engine.send("setboard nonsense w - - 0 1");
    engine.expect("tellusererror");
    engine.send("variant crazyhouse");
    engine.expect("Error");
}

#[test]
fn a_ping_waits_for_the_move_and_a_question_mark_does_not() {
    let mut engine = xboard();
    engine.send("new");
    engine.send("force");
    engine.send("st 2");
    engine.send("go");
    engine.send("ping 5");
    let (before, _) = engine.until("pong", |line| line == "pong 5");
    assert!(says(&before, "move "), "the move goes before the pong");
    engine.send("new");
    engine.send("force");
    engine.send("st 600");
    engine.send("go");
    let since = Instant::now();
    std::thread::sleep(Duration::from_millis(100));
    engine.send("?");
    engine.expect("move ");
    assert!(since.elapsed() < Duration::from_mins(1));
    // What ends the thinking otherwise ends it without a move.
    engine.send("go");
    engine.send("force");
    let lines = settle(&mut engine);
    assert!(!says(&lines, "move "), "{lines:?}");
}

/// Whether a line is one of thinking: depth, score, time and nodes.
fn is_thinking(line: &str) -> bool {
    let numbers = |word: &&str| word.parse::<i64>().is_ok();
    line.split(' ').take(4).filter(numbers).count() == 4
}

#[test]
fn the_engine_thinks_on_the_opponents_time_when_it_is_hard() {
    let mut engine = xboard();
    for line in ["new", "hard", "post", "sd 5", "usermove e2e4"] {
        engine.send(line);
    }
    let answer = engine.expect("move ");
    let (lines, last) = engine.until("pondering beyond the depth", |line| {
        is_thinking(line) && line.starts_with("6 ")
    });
    assert!(!says(&lines, "move "), "{lines:?}");
    assert!(
        !last.contains(&answer["move ".len()..]),
        "{last} is about the opponent's reply"
    );
    engine.send("ping 8");
    engine.until("pong", |line| line == "pong 8");
    engine.send("usermove d2d4");
    engine.expect("move ");
    engine.send("easy");
    settle(&mut engine);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(settle(&mut engine), Vec::<String>::new());
    engine.send("usermove g1f3");
    engine.expect("move ");
}

#[test]
fn analysis_follows_the_board() {
    let mut engine = xboard();
    for line in ["new", "force", "analyze"] {
        engine.send(line);
    }
    engine.until("thinking", is_thinking);
    engine.send(".");
    engine.expect("stat01: ");
    engine.send("usermove e2e4");
    engine.until("thinking", is_thinking);
    engine.send("exclude all");
    engine.send("include e7e5");
    settle(&mut engine);
    engine.until("thinking about e7e5", |line| {
        is_thinking(line) && line.contains(" e7e5")
    });
    engine.send("exclude e7e5");
    settle(&mut engine);
    engine.send(".");
    let lines = settle(&mut engine);
    assert!(
        !says(&lines, "stat01") && !lines.iter().any(|line| is_thinking(line)),
        "all turns are excluded: {lines:?}"
    );
    engine.send("undo");
    engine.until("thinking", is_thinking);
    engine.send("exit");
    let lines = settle(&mut engine);
    assert!(!says(&lines, "move "), "{lines:?}");
    engine.send("sd 1");
    engine.send("go");
    engine.expect("move ");
}

#[test]
fn nothing_that_is_sent_is_fatal() {
    let mut engine = xboard();
    for line in [
        "level",
        "level a b c",
        "level 0 1e400 -3",
        "st",
        "st -1",
        "st nan",
        "sd 99999999999999",
        "time x",
        "otim 1e308",
        "time -50",
        "usermove",
        "usermove é",
        "setboard",
        "variant",
        "option",
        "option =",
        "option No Such=1",
        "memory x",
        "cores -1",
        "ping",
        "undo",
        "remove",
        "hint",
        "bk",
        ".",
        "?",
        "exit",
        "result",
        "draw",
        "go",
        "?",
        "result 1-0 {x}",
        "exclude",
        "include x",
        "analyze",
        "analyze",
        "new",
        "exit",
        "\u{1}\u{2}",
        "edit",
        "quit now",
    ] {
        if line != "quit now" {
            engine.send(line);
        }
    }
    engine.send("new");
    engine.send("sd 1");
    engine.send("usermove e2e4");
    engine.expect("move ");
    engine.send("hint");
    settle(&mut engine);
}

#[test]
fn a_position_that_is_refused_leaves_the_exclusions_and_options_may_have_blanks() {
    let mut engine = xboard();
    for line in [
        "new",
        "force",
        "exclude all",
        "include a2a3",
        "setboard 8/8",
    ] {
        engine.send(line);
    }
    assert!(says(&settle(&mut engine), "tellusererror Illegal position"));
    engine.send("analyze");
    let is_thinking = |line: &str| line.starts_with(|first: char| first.is_ascii_digit());
    let (_, line) = engine.until("a line", is_thinking);
    assert!(line.split(' ').nth(4) == Some("a2a3"), "{line}");
    engine.send("exit");
    settle(&mut engine);
    engine.send("option UCI_LimitStrength =1");
    engine.send("option Move Overhead = 30");
    let said = settle(&mut engine);
    assert!(said.is_empty(), "{said:?}");
}

const THREEFOLD: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

/// A draw that a player must claim ends neither the game of a file nor what the engine has to do.
#[test]
fn a_game_goes_on_past_a_threefold_repetition() {
    let mut engine = xboard();
    engine.send("new");
    engine.send("sd 2");
    let said = force(&mut engine, &format!("{THREEFOLD} e2e4 e7e5"));
    assert!(said.is_empty(), "{said:?}");
    force(&mut engine, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    engine.send("go");
    engine.expect("move ");
    // It can be analysed, too.
    engine.send("new");
    force(&mut engine, THREEFOLD);
    engine.send("analyze");
    engine.until("thinking", is_thinking);
    engine.send("exit");
    // In a game the engine declares it once and waits; whoever plays on has an answer.
    engine.send("new");
    engine.send("sd 1");
    force(&mut engine, &THREEFOLD[..THREEFOLD.len() - 5]);
    engine.send("playother");
    engine.send("usermove f6g8");
    engine.expect("1/2-1/2 {Draw by repetition}");
    assert!(!says(&settle(&mut engine), "move "));
    engine.send("go");
    engine.expect("move ");
}

#[test]
fn an_end_is_said_in_force_mode_and_where_a_turn_is_asked_for() {
    let mut engine = xboard();
    engine.send("new");
    let said = force(&mut engine, "f2f3 e7e5 g2g4 d8h4");
    assert!(says(&said, "0-1 {Black mates}"), "{said:?}");
    engine.send("go");
    engine.expect("0-1 {Black mates}");
    engine.send("force");
    engine.send("sd 1");
    engine.send("setboard 7k/8/5K2/8/8/8/8/6R1 w - - 99 80");
    engine.send("usermove g1g2");
    engine.send("go");
    engine.expect("move ");
    engine.expect("1/2-1/2 {Draw by fifty moves rule}");
}

#[test]
fn a_new_game_does_not_end_the_analysis() {
    let mut engine = xboard();
    for line in ["new", "post", "sd 1", "analyze", "usermove e2e4", "new"] {
        engine.send(line);
    }
    engine.send("usermove d2d4");
    engine.until("thinking", is_thinking);
    assert!(!says(&settle(&mut engine), "move "));
    engine.send("exit");
    settle(&mut engine);
}

#[test]
fn an_illegal_move_starts_no_search() {
    let mut engine = xboard();
    for line in ["new", "sd 1", "setboard 7k/8/4K3/8/8/8/8/6Q1 b - - 0 1"] {
        engine.send(line);
    }
    engine.send("usermove e2e4");
    engine.expect("Illegal move");
    let said = settle(&mut engine);
    assert!(!says(&said, "move "), "{said:?}");
}

#[test]
fn the_engine_plays_no_excluded_turn() {
    let mut engine = xboard();
    for line in ["new", "force", "sd 1", "exclude all", "include a2a4", "go"] {
        engine.send(line);
    }
    assert_eq!(engine.expect("move "), "move a2a4");
    // The next position has all its turns again; of none that is left, one is played.
    for line in ["force", "exclude all", "go"] {
        engine.send(line);
    }
    engine.expect("move ");
}
