//! What a person at the keyboard of `fauve play` meets: strength, refusals, and games that are not lost.

use super::run_in;
use crate::scratch::Scratch;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

/// A game with these words and lines in a folder of its own: standard output and standard error.
fn played(words: &[&str], lines: &str) -> (String, String) {
    let folder = Scratch::folder("play");
    let output = run_in(&folder, &[&["play"], words].concat(), lines);
    assert!(output.status.success(), "{words:?}");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_clock_alone_does_not_change_the_level() {
    let (said, _) = played(&["--tc", "5:00+2"], "");
    assert!(said.contains("against Fauve level 4"), "{said}");
    let (said, _) = played(&["--tc", "5:00+2", "--level", "2"], "");
    assert!(said.contains("against Fauve level 2"), "{said}");
    let (said, _) = played(&["--tc", "5:00+2", "--elo", "1500"], "");
    assert!(said.contains("against Fauve Elo 1500"), "{said}");
}

#[test]
fn an_elo_figure_is_one_of_the_game_that_is_played() {
    let lines = "elo 2500\nsetoption name UCI_Elo value 1900\nelo\nelo 1000\n";
    let (said, _) = played(&["twomove"], lines);
    let refused = said.matches("twomove is played at Elo 220 to 1870").count();
    assert_eq!(refused, 3, "{said}");
    assert!(!said.contains("engine Elo 2500") && !said.contains("engine Elo 1900"));
    assert!(said.contains("engine Elo 1000"), "{said}");
}

#[test]
fn a_word_that_is_no_turn_is_not_called_illegal() {
    let lines = "udno\nxyzzy\nplay\nsurrender\ntake\nroll\ne2e5\n";
    let (said, _) = played(&["--side", "both"], lines);
    for answer in [
        "'udno' is not understood; did you mean `undo`?",
        "'xyzzy' is not understood; `help` lists the commands",
        "play TURN, such as `",
        "'surrender' is not understood; did you mean `resign`?",
        "there are neither dice nor a doubling cube in this game",
        "'e2e5' is not legal: ",
    ] {
        assert!(said.contains(answer), "{answer}: {said}");
    }
    let illegal = said.matches("is not legal").count();
    assert_eq!(illegal, 1, "{said}");
}

#[test]
fn what_has_one_reading_is_taken() {
    let back = "e4\ntakeback\nfen\nE4\ntake back\nfen\n1. e4\nfen\n";
    let (said, _) = played(&["--side", "both"], back);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(said.matches(start).count(), 2, "{said}");
    assert!(
        said.contains("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"),
        "{said}"
    );
    let castle = |fen: &str, line: &str| {
        let words = [&["--side", "both"], &fen.split(' ').collect::<Vec<_>>()[..]].concat();
        played(&words, &format!("{line}\nfen\n")).0
    };
    let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert!(castle(both, "castle").contains("which one? O-O or O-O-O"));
    assert!(castle(both, "castle long").contains("r3k2r/8/8/8/8/8/8/2KR3R b"));
    let one = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(castle(one, "castle").contains("4k3/8/8/8/8/8/8/5RK1 b"));
    let none = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
    assert!(castle(none, "castle").contains("castling is not legal now"));
}

#[test]
fn a_mistyped_game_is_named_with_those_there_are() {
    let folder = Scratch::folder("mistyped");
    for (words, meant) in [
        (&["play", "ches"][..], "chess"),
        (&["play", "supperchess"], "superchess"),
        (&["analyse", "dicechss"], "dicechess"),
        (&["legal", "towmove"], "twomove"),
        (&["play", "cubes4"], "cubes4d"),
    ] {
        let output = run_in(&folder, words, "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(said.contains(&format!("did you mean {meant}?")), "{said}");
        assert!(!said.contains("invalid FEN"), "{said}");
    }
    let output = run_in(&folder, &["play", "xyzzy"], "");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("'xyzzy' is neither a game nor a position"),
        "{said}"
    );
    assert!(
        said.contains("chess, superchess, twomove, dicechess, cubes4d"),
        "{said}"
    );
}

#[test]
fn leaving_saves_the_game_as_an_interruption_does() {
    let folder = Scratch::folder("quit");
    let output = run_in(&folder, &["play", "--side", "both"], "e4\nquit\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("fauve play --load fauve-chess.pgn"), "{said}");
    assert!(
        std::fs::read_to_string(folder.at("fauve-chess.pgn"))
            .expect("a game")
            .contains("1. e4")
    );
    // Nothing was played, or it is saved already: no file more.
    for lines in ["quit\n", "e4\nundo\nquit\n", "e4\nsave own.pgn\nquit\n"] {
        run_in(&folder, &["play", "--side", "both"], lines);
    }
    run_in(&folder, &["play", "--load", "own.pgn"], "quit\n");
    assert_eq!(folder.names(), ["fauve-chess.pgn", "own.pgn"]);
    // Another game does not lose the one before.
    let output = run_in(
        &folder,
        &["play", "--side", "both"],
        "d4\nnew\nc4\nload own.pgn\nquit\n",
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let read = |name: &str| std::fs::read_to_string(folder.at(name)).expect("a game");
    assert!(read("fauve-chess-2.pgn").contains("1. d4"), "{said}");
    assert!(read("fauve-chess-3.pgn").contains("1. c4"), "{said}");
    assert_eq!(folder.names().len(), 4, "{said}");
}

#[test]
fn games_that_are_kept_turn_by_turn_have_files_of_their_own() {
    let folder = Scratch::folder("kept");
    let words = ["play", "--side", "both", "--save", "a.pgn"];
    run_in(&folder, &words, "e4\nnew\nd4\nquit\n");
    let read = |name: &str| std::fs::read_to_string(folder.at(name)).expect("a game");
    assert!(read("a.pgn").contains("1. e4") && read("a-2.pgn").contains("1. d4"));
    assert_eq!(folder.names(), ["a-2.pgn", "a.pgn"]);
}

#[test]
fn files_that_are_there_are_not_replaced_unasked() {
    let folder = Scratch::folder("there");
    let text = "a letter\n";
    let write = |name: &str| std::fs::write(folder.at(name), text).expect("a file");
    let is_kept = |name: &str| std::fs::read_to_string(folder.at(name)).expect("a file") == text;
    write("letter");
    let said = |words: &[&str], lines: &str| {
        let output = run_in(&folder, words, lines);
        let both = [output.stdout, output.stderr].concat();
        (
            String::from_utf8_lossy(&both).into_owned(),
            output.status.success(),
        )
    };
    let save = ["play", "--side", "both", "--save", "letter"];
    let (refused, done) = said(&save, "e4\n");
    assert!(
        !done && refused.contains("--force replaces it"),
        "{refused}"
    );
    let (refused, _) = said(
        &["play", "--side", "both"],
        "e4\nsave letter\nsave own.pgn\n",
    );
    assert!(
        refused.contains("letter is there already; `save --force letter` replaces it"),
        "{refused}"
    );
    std::fs::write(folder.at("game.pgn"), "1. e4 e5 *\n").expect("a file");
    let words = ["analyse", "--nodes", "20", "game.pgn", "--pgn", "letter"];
    let (refused, done) = said(&words, "");
    assert!(
        !done && refused.contains("--force replaces it"),
        "{refused}"
    );
    assert!(
        !refused.contains("1. e4"),
        "before anything is searched: {refused}"
    );
    let dice = "[Variant \"dicechess\"]\n\ne2e4,d2d4,a2a3 {PPP} *\n";
    std::fs::write(folder.at("dice.pgn"), dice).expect("a file");
    let words = ["analyse", "--nodes", "20", "dice.pgn", "--svg", "letter"];
    assert!(!said(&words, "").1);
    std::fs::write(
        folder.at("rated.pgn"),
        "[White \"a\"]\n[Black \"b\"]\n\n1. e4 1-0\n",
    )
    .expect("a file");
    let words = ["rate", "rated.pgn", "--picture", "letter"];
    assert!(!said(&words, "").1);
    assert!(is_kept("letter"));

    // What is forced, is the game's own file or is empty is written.
    write("forced");
    assert!(
        said(
            &["play", "--side", "both", "--save", "forced", "--force"],
            "e4\n"
        )
        .1
    );
    write("asked");
    said(
        &["play", "--side", "both"],
        "e4\nsave --force asked\nsave own.pgn\n",
    );
    assert!(!is_kept("forced") && !is_kept("asked"));
    std::fs::write(folder.at("empty"), "").expect("a file");
    assert!(said(&["play", "--side", "both", "--save", "empty"], "e4\n").1);
    let again = ["play", "--load", "own.pgn", "--save", "own.pgn"];
    assert!(said(&again, "e5\n").1);
    assert!(
        std::fs::read_to_string(folder.at("own.pgn"))
            .expect("a game")
            .contains("1. e4 e5")
    );
    let (twice, _) = said(
        &["play", "--side", "both"],
        "e4\nsave twice.pgn\ne5\nsave twice.pgn\n",
    );
    assert!(!twice.contains("is there already"), "{twice}");
    let words = [
        "analyse", "--nodes", "20", "game.pgn", "--pgn", "asked", "--force",
    ];
    assert!(said(&words, "").1);
}

#[test]
fn errors_of_the_system_have_no_numbers() {
    let folder = Scratch::folder("errors");
    for words in [
        &["analyse", "--pgn", "no/folder/x.pgn", "--nodes", "10", "-"][..],
        &["verify", "missing.pgn"],
        &["play", "--load", "missing.pgn"],
        &["merge", "missing.jsonl"],
        &["rate", "missing.jsonl"],
    ] {
        let output = run_in(&folder, words, "1. e4 *\n");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("No such file"), "{said}");
        assert!(!said.contains("os error"), "{said}");
    }
    let script = "setoption name EvalFile value /missing\nsetoption name Debug Log File value /no/such\nquit\n";
    let output = run_in(&folder, &[], script);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("No such file") && !said.contains("os error"),
        "{said}"
    );
}

#[test]
fn a_game_that_cannot_be_saved_is_no_success() {
    let folder = Scratch::folder("unsaved");
    let words = ["play", "--level", "1", "--save", "no/folder.pgn"];
    let output = run_in(&folder, &words, "e4\nquit\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"", "before anything is played");
    // The folder goes away while the game is played.
    std::fs::create_dir(folder.at("gone")).expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .args(["play", "--side", "both", "--save", "gone/game.pgn"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    lines.read_line(&mut line).expect("a greeting");
    std::fs::remove_dir(folder.at("gone")).expect("it is empty");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"e4\nquit\n").expect("it reads");
    lines.read_to_string(&mut line).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_side_may_be_named() {
    let folder = Scratch::folder("side");
    let script = "side white\ne4\nside green\nside both\nd5\nquit\n";
    let output = run_in(&folder, &["play", "--level", "1", "--seed", "1"], script);
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!said.contains("White plays"), "{said}");
    assert!(
        said.contains("side, or side white, side black, side both"),
        "{said}"
    );
}
