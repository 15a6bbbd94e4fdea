//! What a person sees: the program in a real terminal of 80 columns and 24 lines, as snapshots.

mod analyse;
mod look;
mod terminal;

use crate::scratch::Scratch;
use fauve_engine::Variant;
use fauve_engine::strength_scales::StrengthScale;
use std::process::Command;
use terminal::{COLUMNS, PROGRAM, Terminal};

/// The beginning of a game on the screen: the greeting and the board, and what follows of some lines.
fn played(name: &str, words: &str, lines: &[&str]) -> Vec<(String, String)> {
    let folder = Scratch::folder(name);
    let mut terminal = Terminal::run(words, &folder);
    let mut screens = vec![(terminal.prompt(), terminal.look())];
    for line in lines {
        screens.push((terminal.enter(line), terminal.look()));
    }
    terminal.press("quit\r");
    assert!(terminal.exit().success());
    for (screen, _) in &screens {
        assert!(
            screen
                .lines()
                .all(|line| line.chars().count() <= usize::from(COLUMNS))
        );
    }
    screens
}

#[test]
fn chess_in_a_terminal() {
    let screens = played(
        "chess",
        "play --side both",
        &["e2e5", "e4", "e5", "a7a8", "undo", "history"],
    );
    insta::assert_snapshot!("chess_start", screens[0].1);
    insta::assert_snapshot!("chess_refused", screens[1].0);
    insta::assert_snapshot!("chess_marked", screens[2].1);
    assert!(
        screens[4].0.contains("there is no piece of White on a7")
            || screens[4].0.contains("is Black's")
    );
}

#[test]
fn superchess_in_a_terminal() {
    let screens = played(
        "superchess",
        "play --variant superchess --side both",
        &["E@a1", "E@h1", "legend"],
    );
    insta::assert_snapshot!("superchess_start", screens[0].1);
    insta::assert_snapshot!("superchess_prologue", screens[2].1);
    insta::assert_snapshot!("superchess_legend", screens[3].0);
}

#[test]
fn twomove_in_a_terminal() {
    let screens = played(
        "twomove",
        "play --variant twomove --side both",
        &["e2e4,d2d4", "e4", "d7d5", "c6"],
    );
    insta::assert_snapshot!("twomove_start", screens[0].1);
    assert!(
        screens[1].0.contains("the turn ends after one move here"),
        "{}",
        screens[1].0
    );
    assert!(
        screens[3].0.contains("Black, second move>"),
        "{}",
        screens[3].0
    );
    insta::assert_snapshot!("twomove_turn", screens[4].1);
}

#[test]
fn dicechess_in_a_terminal() {
    let screens = played(
        "dice",
        "play --variant dicechess --side both --seed 2a",
        &["d2d4", "a2a3"],
    );
    insta::assert_snapshot!("dice_start", screens[0].1);
    assert!(
        !screens[0].0.contains("not rolled yet"),
        "the roll comes before the board"
    );
    insta::assert_snapshot!("dice_refused", screens[2].1);
}

#[test]
fn cubes_in_a_terminal() {
    let screens = played(
        "cubes",
        "play --variant cubes4d --side both",
        &["right", "legend", "P(0,-1)-(0,0)"],
    );
    insta::assert_snapshot!("cubes_start", screens[0].1);
    insta::assert_snapshot!("cubes_legend", screens[2].0);
    insta::assert_snapshot!("cubes_turn", screens[3].1);
}

#[test]
fn black_is_below_and_the_last_turn_is_marked() {
    let folder = Scratch::folder("black");
    let mut terminal = Terminal::run("play --side both --variant chess", &folder);
    terminal.prompt();
    let screen = terminal.enter("e2e4");
    // Two people: the board turns to who is to move.
    assert!(screen.contains("1  R  N  B  K  Q  B  N  R"), "{screen}");
    let cell = |row, column| terminal.cell(row, column);
    // Files stand the other way round: e is the fourth.
    let (pawn, marked, white) = cell("   4", 5 + 3 * 3 + 1);
    assert_eq!(pawn, "P");
    let (_, plain, _) = cell("   4", 5 + 5 * 3 + 1);
    let (_, _, black) = cell("   8", 6);
    assert!(marked != plain && white != black);
    // Both colours are always set: a terminal's own do not matter.
    assert!(marked != vt100::Color::Default && white != vt100::Color::Default);
    terminal.press("quit\r");
    assert!(terminal.exit().success());
}

#[test]
fn words_are_completed_and_remembered() {
    let folder = Scratch::folder("editor");
    let mut terminal = Terminal::run("play --side both", &folder);
    terminal.prompt();
    terminal.press("resi\t");
    terminal.wait("completion", |contents| contents.contains("> resign"));
    terminal.press("\x15g1f\t");
    terminal.wait("completion", |contents| contents.contains("> g1f3"));
    terminal.press("\r");
    terminal.wait("answer", |contents| contents.contains("Black to move>"));
    terminal.prompt();
    // The line before comes back, and is mended.
    terminal.press("\x1b[A");
    terminal.wait("history", |contents| {
        contents.trim_end().ends_with("Black to move> g1f3")
    });
    terminal.press("\x15quit\r");
    assert!(terminal.exit().success());
}

#[test]
fn an_interrupted_game_is_saved_and_can_be_resumed() {
    let folder = Scratch::folder("saved");
    let mut terminal = Terminal::run("play --variant superchess --side both", &folder);
    terminal.prompt();
    terminal.enter("E@h1");
    terminal.press("\x03");
    assert_eq!(terminal.exit().code(), Some(130));
    let saved = folder.0.join("fauve-superchess.pgn");
    let text = std::fs::read_to_string(&saved).expect("the game is there");
    assert!(
        text.contains("[Variant \"superchess\"]") && text.contains("1. E@h1"),
        "{text}"
    );
    let mut terminal = Terminal::run("play --load fauve-superchess.pgn --side both", &folder);
    let screen = terminal.prompt();
    assert!(screen.contains("prologue: 1 of 4 turns made"), "{screen}");
    terminal.press("quit\r");
    assert!(terminal.exit().success());
}

#[test]
fn the_uci_prompt_greets_and_edits_lines() {
    let folder = Scratch::folder("wire");
    let mut terminal = Terminal::run("", &folder);
    let screen = terminal.prompt();
    assert!(
        screen.starts_with("Fauve ")
            && screen.contains("help")
            && screen.contains("fauve play chess"),
        "{screen}"
    );
    assert_eq!(screen.trim_end().lines().count(), 2, "{screen}");
    terminal.press("isx\x7fready\r");
    terminal.wait("readyok", |contents| contents.contains("readyok"));
    terminal.press("go depth 4\r");
    terminal.wait("answer", |contents| contents.contains("bestmove"));
    terminal.press("ucin\t");
    terminal.wait("completion", |contents| contents.contains("> ucinewgame"));
    terminal.press("\x15quit\r");
    assert_eq!(terminal.exit().code(), Some(0));
}

/// A signal in the middle of a line: the line editor's way of reading keys does not stay behind.
#[test]
fn a_signal_restores_the_terminal() {
    for words in ["play --side both", ""] {
        let folder = Scratch::folder("signal");
        let line = format!("sh -c 'echo $$ > pid; exec {PROGRAM} {words}'; stty -a; echo the end");
        let mut terminal = Terminal::shell(COLUMNS, &line, &folder);
        terminal.prompt();
        terminal.press("e2e");
        terminal.wait("keys", |contents| contents.contains("> e2e"));
        let process = std::fs::read_to_string(folder.at("pid")).expect("a number");
        let told = Command::new("kill")
            .args(["-TERM", process.trim()])
            .status();
        assert!(told.is_ok_and(|status| status.success()));
        let screen = terminal.wait("end", |contents| contents.contains("the end"));
        let modes: Vec<&str> = screen.split_whitespace().collect();
        for mode in ["icanon", "echo", "isig"] {
            assert!(modes.contains(&mode), "{mode}: {screen}");
        }
    }
}

#[test]
fn the_end_of_input_saves_the_game() {
    let folder = Scratch::folder("control-d");
    let mut terminal = Terminal::run("play --side both", &folder);
    terminal.prompt();
    terminal.enter("e4");
    terminal.press("\x04");
    let screen = terminal.wait("word", |contents| contents.contains("resume with"));
    assert!(terminal.exit().success());
    let saved = std::fs::read_to_string(folder.at("fauve-chess.pgn")).expect("the game");
    assert!(saved.contains("1. e4"), "{screen}");
}

#[test]
fn rules_are_shown_a_screen_at_a_time() {
    let folder = Scratch::folder("rules");
    let mut terminal = Terminal::run("play --variant superchess", &folder);
    terminal.prompt();
    terminal.press("rules\r");
    let first = terminal.wait("rest", |contents| contents.contains("more lines, q: stop>"));
    assert!(first.lines().any(|line| line.starts_with("# ")), "{first}");
    let prompt = first.lines().last().expect("a prompt").trim_end();
    terminal.press("\r");
    terminal.wait("second screen", |contents| {
        contents.trim_end().ends_with("q: stop>") && !contents.contains(prompt)
    });
    terminal.press("q\r");
    terminal.wait("turn", |contents| {
        contents.trim_end().ends_with("White to move>")
    });
    terminal.press("quit\r");
    assert!(terminal.exit().success());
}

#[test]
fn rules_are_wrapped_in_a_narrow_terminal() {
    // A person sees the whole text, a screen at a time.
    let folder = Scratch::folder("narrow");
    let mut terminal = Terminal::of_width(60, "play superchess", &folder);
    terminal.prompt();
    terminal.press("rules\r");
    let screen = terminal.wait("rest", |contents| contents.contains("q: stop>"));
    // The lines of the source, which are longer, are broken anew, and no word is lost.
    let joined = |lines: &mut dyn Iterator<Item = &str>| {
        let words = lines.flat_map(str::split_whitespace);
        words.collect::<Vec<_>>().join(" ")
    };
    let rules =
        <fauve_engine::rules::superchess::Superchess as fauve_engine::rules::Notation>::RULES;
    let rules = joined(&mut rules.lines().filter(|line| !line.starts_with("```")));
    let lines: Vec<&str> = screen.lines().collect();
    let (_, shown) = lines.split_last().expect("a prompt");
    // The first line may be the one that was typed.
    let shown = joined(&mut shown[1..].iter().copied());
    assert!(shown.len() > 200 && rules.contains(&shown), "{screen}");
    assert!(!screen.contains('\u{2026}'), "{screen}");
    terminal.press("q\r");
    terminal.wait("turn", |contents| {
        contents.trim_end().ends_with("White to move>")
    });
    terminal.press("quit\r");
    assert!(terminal.exit().success());
}

#[test]
fn undo_after_a_loss_on_time_restores_turn_and_clock() {
    let folder = Scratch::folder("late");
    let mut terminal = Terminal::run("play --side both --tc 1", &folder);
    terminal.prompt();
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let screen = terminal.enter("e4");
    assert!(
        screen.contains("Black wins: White has run out of time  0-1"),
        "{screen}"
    );
    let screen = terminal.enter("undo");
    assert!(
        screen.trim_end().ends_with("White to move (0:01 - 0:01)>"),
        "{screen}"
    );
    terminal.press("quit\r");
    assert!(terminal.exit().success());
}

/// Who waits gets a message, and an interruption while the engine thinks saves the game, too.
#[test]
fn a_long_search_shows_its_depth() {
    let folder = Scratch::folder("thinks");
    let strongest = StrengthScale::of(Variant::Chess).levels();
    let mut terminal = Terminal::run(&format!("play --level {strongest}"), &folder);
    terminal.prompt();
    terminal.press("e4\r");
    terminal.wait("search", |contents| {
        contents.contains("Black is thinking, depth ")
    });
    terminal.press("\x03");
    assert_eq!(terminal.exit().code(), Some(130));
    assert!(folder.0.join("fauve-chess.pgn").exists());
}

#[test]
fn help_is_wrapped_between_words() {
    for words in ["--help", "-h", "play --help", "match --help", "analyse -h"] {
        let folder = Scratch::folder("help");
        let line = format!("{PROGRAM} {words}; echo THE END");
        let terminal = Terminal::shell(COLUMNS, &line, &folder);
        terminal.wait("end", |contents| contents.contains("THE END"));
        assert!(!terminal.is_wrapped(), "{words}: {}", terminal.contents());
    }
}
