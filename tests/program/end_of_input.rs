//! What becomes of a search when there is no more input: `printf 'go depth 5\n' | fauve`.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Feeds the program and gives what it said, with the time it took.
pub(super) fn feed(input: &str) -> (String, Duration) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it listens");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0), "{input}");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    (said, start.elapsed())
}

#[test]
fn what_is_bounded_is_finished_at_the_end_of_input() {
    for (input, end) in [
        ("go depth 5\n", "bestmove "),
        // Without the end of the line, too.
        ("go nodes 3000", "bestmove "),
        ("go movetime 300\n", "bestmove "),
        ("go wtime 2000 btime 2000\n", "bestmove "),
        (
            "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\ngo mate 1\n",
            "bestmove a1a8",
        ),
        ("go perft 3\n", "Nodes searched: 8902"),
        ("bench twomove\n", ""),
        ("xboard\nnew\nhard\npost\nsd 4\ngo\n", "move "),
    ] {
        let (said, _) = feed(input);
        // XBoard's may think on for a moment, with lines.
        let is_answered = said.lines().any(|line| line.starts_with(end));
        assert!(is_answered, "{input}: {said}");
        assert!(!said.contains("stopped"), "{input}: {said}");
    }
    assert!(feed("go depth 5\n").0.contains("info depth 5 "));
    assert!(feed("go movetime 300\n").1 >= Duration::from_millis(290));
    let bench = feed("bench twomove\n").0;
    assert!(bench.trim_end().ends_with(" nps"), "{bench}");
}

#[test]
fn what_is_not_bounded_answers_at_once_at_the_end_of_input() {
    for input in [
        "go infinite\n",
        "go ponder depth 3\n",
        "go ponder wtime 600000 btime 600000\n",
        "go\n",
    ] {
        let (said, time) = feed(input);
        let answers = said.lines().filter(|line| line.starts_with("bestmove "));
        assert_eq!(answers.count(), 1, "{input}: {said}");
        assert!(time < Duration::from_secs(20), "{input}: {time:?}");
    }
    // There is no answer to an analysis.
    assert!(!feed("xboard\nanalyze\n").0.contains("move "));
}

#[test]
fn a_dead_reader_ends_the_program_at_the_next_line() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"go depth 200\n").expect("it listens");
    drop(stdin);
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut [0; 10]).expect("it searches");
    drop(stdout);
    let end = Instant::now() + Duration::from_mins(1);
    let status = loop {
        match child.try_wait().expect("it can be waited for") {
            Some(status) => break status,
            None => assert!(Instant::now() < end, "it has nobody to talk to"),
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.code(), Some(0));
}
