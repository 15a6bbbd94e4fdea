//! Readers that go away and disks that are full: no subcommand panics, and none ends with 0 though its output is lost.

use crate::scratch::Scratch;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fauve"));
    command.args(arguments);
    command
}

/// Runs the program with standard output and standard error of the caller's choice.
fn run(arguments: &[&str], input: &str, stdout: Stdio, stderr: Stdio) -> Output {
    let mut child = program(arguments)
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .expect("the program starts");
    // The program may have gone before it reads.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// A pipe whose reader has gone.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

fn full_disk() -> Stdio {
    let full: File = OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let metadata = full.metadata().expect("it is there");
    assert!(
        metadata.file_type().is_char_device(),
        "something has put a file in the place of /dev/full"
    );
    full.into()
}

const GAME: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n";

/// Every subcommand that prints, with what it is typed at.
fn commands(game: &str) -> Vec<(Vec<&str>, &'static str)> {
    vec![
        (vec!["--help"], ""),
        (vec!["perft", "--help"], ""),
        (vec!["--version"], ""),
        (vec!["legal"], ""),
        (vec!["perft", "2"], ""),
        (vec!["bench", "twomove"], ""),
        (vec!["completions", "bash"], ""),
        (vec!["rules"], ""),
        (vec!["rules", "superchess"], ""),
        (
            vec!["solve", "-n", "1", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"],
            "",
        ),
        (vec!["analyse", "--depth", "2"], ""),
        (vec!["analyse", "--json", "--depth", "2"], ""),
        (vec!["analyse", "--nodes", "100", game], ""),
        (vec!["analyse", "--json", "--nodes", "100", game], ""),
        (vec!["play", "--level", "1"], "e2e4\nhint\nquit\n"),
        (vec!["play", "--variant", "dicechess"], "quit\n"),
        // The protocols.
        (vec![], "uci\nisready\ngo depth 2\nquit\n"),
        (vec![], "xboard\nprotover 2\nquit\n"),
    ]
}

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    let game = Scratch::file("closed.pgn", GAME);
    for (arguments, input) in commands(game.text()) {
        let output = run(&arguments, input, closed_pipe(), Stdio::piped());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        assert_eq!(said, "", "{arguments:?}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let game = Scratch::file("full.pgn", GAME);
    for (arguments, input) in commands(game.text()) {
        let output = run(&arguments, input, full_disk(), Stdio::piped());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert_eq!(
            said, "fauve: standard output: No space left on device\n",
            "{arguments:?}"
        );
    }
}

#[test]
fn a_reader_that_has_enough_gets_its_lines_and_ends_the_command() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .args(["analyse", "--time", "600"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut letter = [0];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut letter).expect("a line comes");
    drop(stdout);
    // Ten minutes were asked for; the end comes with the next line that nobody reads.
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn standard_error_may_be_full_too() {
    let output = run(&["perft", "2"], "", Stdio::piped(), full_disk());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"Nodes searched: 400\n");
    let output = run(&["perft", "2"], "", full_disk(), full_disk());
    assert_eq!(output.status.code(), Some(1));
    let output = run(&["perft"], "", Stdio::piped(), full_disk());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn quit_is_heard_while_nobody_reads() {
    let (reader, mut full) = std::io::pipe().expect("a pipe");
    let stdout = full.try_clone().expect("a pipe");
    let filled = std::thread::spawn(move || while full.write_all(&[b'x'; 4096]).is_ok() {});
    std::thread::sleep(Duration::from_millis(300));
    assert!(!filled.is_finished(), "the pipe is full");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .stdin(Stdio::piped())
        .stdout(stdout)
        .spawn()
        .expect("the program starts");
    let stdin = child.stdin.as_mut().expect("a pipe");
    stdin.write_all(b"go depth 9\n").expect("it listens");
    // By now the search has something to say.
    std::thread::sleep(Duration::from_millis(500));
    stdin.write_all(b"quit\n").expect("it listens");
    let end = Instant::now() + Duration::from_mins(1);
    let status = loop {
        match child.try_wait().expect("it can be waited for") {
            Some(status) => break Some(status),
            None if Instant::now() > end => break None,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let _ = child.kill();
    drop(reader);
    filled.join().expect("the writer ends with its pipe");
    assert_eq!(status.and_then(|status| status.code()), Some(0));
}

/// Runs the program where the system refuses every further thread: no address space holds such a stack.
#[cfg(target_pointer_width = "64")]
fn run_without_threads(arguments: &[&str]) -> Output {
    program(arguments)
        .env("RUST_MIN_STACK", (1_u64 << 47).to_string())
        .output()
        .expect("the program ends")
}

#[cfg(target_pointer_width = "64")]
#[test]
fn perft_and_solve_need_no_threads() {
    for (arguments, expected) in [
        (&["perft", "3"][..], "Nodes searched: 8902"),
        (
            &["perft", "--variant", "dicechess", "1"],
            "Nodes searched: 11245",
        ),
        (
            &["solve", "--turns", "2", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"],
            "1. Ra6",
        ),
    ] {
        let output = run_without_threads(arguments);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {errors}");
        assert!(said.contains(expected), "{arguments:?}: {said}{errors}");
    }
}

#[cfg(target_pointer_width = "64")]
#[test]
fn a_match_without_threads_plays_or_says_why_not() {
    let players = [
        "cmd=random name=a proto=random",
        "cmd=random name=b proto=random",
    ];
    let mut arguments = vec![
        "match",
        "--rounds",
        "1",
        "--concurrency",
        "4",
        "--openings",
        "startpos",
    ];
    for player in players {
        arguments.push("--engine");
        arguments.extend(player.split(' '));
    }
    let output = run_without_threads(&arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");

    let arguments = "match --rounds 1 --nodes 10 --engine cmd=self name=a --engine cmd=self name=b";
    let output = run_without_threads(&arguments.split(' ').collect::<Vec<_>>());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("engine a:") && !errors.contains("panicked"),
        "{errors}"
    );
}
