//! Signals that come early.

use crate::referee::{fauve, wait_at_most};
use crate::scratch::Scratch;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SIGTERM: u32 = 15;

/// Sends a process a signal, by its option of `kill`.
fn send(signal: &str, process: u32) {
    let sent = Command::new("kill")
        .args([signal, &process.to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
}

/// Waits for twenty seconds at most until something is so.
fn wait_until(is_so: impl Fn() -> bool, or_else: &str) {
    let end = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < end, "{or_else}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process catches a signal, as the system tells it.
fn catches(process: u32, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The names of a process's threads.
fn threads(process: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
    tasks
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok())
        .map(|name| name.trim().to_owned())
        .collect()
}

#[test]
fn a_signal_ends_with_0_from_the_first_line_of_the_program_on() {
    // While the system loads the program nothing of ours can catch a signal. What can be asked for: it is caught before
    // anything else is done, and from then on the status is 0, however early it comes.
    for pause in 0..24 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let end = Instant::now() + Duration::from_micros(500 * pause);
        while Instant::now() < end && !threads(child.id()).iter().any(|name| name == "search") {
            std::hint::spin_loop();
        }
        let is_up = threads(child.id()).iter().any(|name| name == "search");
        let is_caught = catches(child.id(), SIGTERM);
        assert!(
            is_caught || !is_up,
            "the search thread is there before signals are caught"
        );
        send("-TERM", child.id());
        let status = child.wait().expect("it ends");
        let by_signal = status.signal() == Some(SIGTERM as i32);
        assert!(
            status.code() == Some(0) || (by_signal && !is_caught),
            "{status}, caught: {is_caught}"
        );
    }
}

/// Starts the program and sends it a signal once it has said something of its own.
fn interrupt(arguments: &[&str], said: &str, signal: &str) -> std::process::Output {
    use std::io::{BufRead, BufReader, Read};
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    while !text.contains(said) {
        let read = stdout.read_line(&mut text).expect("it speaks");
        assert!(read > 0, "{arguments:?} ended: {text}");
    }
    send(signal, child.id());
    stdout.read_to_string(&mut text).expect("it speaks");
    let mut output = child.wait_with_output().expect("it ends");
    output.stdout = text.into_bytes();
    output
}

#[test]
fn an_interrupted_command_fails() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let output = interrupt(&["analyse", "--time", "600"], "%", signal);
        assert_eq!(output.status.code(), Some(130), "{signal}");
    }
}

#[test]
fn an_interrupted_match_reports_and_names_the_resuming_command() {
    let record = Scratch::new("interrupted.jsonl");
    let path = record.text();
    let arguments = [
        "match",
        "--engine",
        "cmd=self",
        "name=a",
        "--engine",
        "cmd=self",
        "name=b",
        "--nodes",
        "200",
        "--rounds",
        "5000",
        "--seed",
        "1",
        "--openings",
        "random:8",
        "--max-turns",
        "30",
        "--record",
        path,
    ];
    let output = interrupt(&arguments, "Finished game 2 ", "-INT");
    let (said, errors) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    assert_eq!(output.status.code(), Some(130), "{said}{errors}");
    assert!(
        said.contains("Results of a vs b") && said.contains("Games: "),
        "{said}"
    );
    assert!(
        errors.contains("the same command resumes the match"),
        "{errors}"
    );
    // What was finished is there, and nothing that was not.
    let text = record.read();
    assert!(text.ends_with('\n') && text.lines().count() >= 3, "{text}");
    assert!(!text.contains("\"crash\""), "{text}");
}

/// An engine that is still being started when the match is interrupted ends with it, and is not blamed for that.
#[test]
fn a_match_that_is_interrupted_while_its_engines_start_blames_none() {
    let (asked, record) = (Scratch::new("asked"), Scratch::new("unborn.jsonl"));
    // It never says that it is ready, and ends by itself when it is asked to.
    let engine = format!(
        "args=-c ': > {}; while read -r line; do case $line in quit) exit;; esac; done'",
        asked.text()
    );
    let mut arguments = vec!["match", "--nodes", "1", "--record", record.text()];
    arguments.extend(["--engine", "cmd=sh", &engine, "name=a"]);
    arguments.extend(["--engine", "cmd=self", "name=b"]);
    let child = fauve(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait_until(|| asked.0.exists(), "the engine is not started");
    send("-INT", child.id());
    let result = wait_at_most(child, Duration::from_secs(20));
    let errors = result.errors();
    assert_eq!(result.output.status.code(), Some(130), "{errors}");
    assert!(
        errors.contains("interrupted before a game was finished"),
        "{errors}"
    );
    assert!(!errors.contains("has ended"), "{errors}");
    // What was not begun can be begun by the same command.
    assert!(!record.0.exists());
}

/// However often it is asked to end, a match reports, and leaves nothing but its record behind; and it does not wait for a player
/// of its own process that thinks for long.
#[test]
fn a_match_that_is_interrupted_twice_reports_all_the_same() {
    for (first, second) in [("-INT", "-TERM"), ("-QUIT", "-INT")] {
        let record = Scratch::new("twice.jsonl");
        let live = std::path::PathBuf::from(format!("{}.live", record.text()));
        let mut arguments = vec!["match", "--record", record.text()];
        arguments.extend(["--engine", "proto=random", "name=r"]);
        arguments.extend(["--engine", "proto=greedy", "name=g"]);
        arguments.extend(["--engine", "proto=internal", "name=i", "movetime=100000"]);
        arguments.extend(["option.Hash=1", "--games", "2", "--max-turns", "4"]);
        arguments.extend(["--openings", "startpos", "--concurrency", "1", "--quiet"]);
        let child = fauve(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // Two games of players that do not think are finished, and the player inside is asked.
        wait_until(
            || record.lines() >= 3 && live.exists(),
            "no game is finished",
        );
        std::thread::sleep(Duration::from_millis(100));
        send(first, child.id());
        let _ = Command::new("kill")
            .args([second, &child.id().to_string()])
            .status();
        let result = wait_at_most(child, Duration::from_secs(8));
        let text = String::from_utf8_lossy(&result.output.stdout).into_owned();
        let errors = result.errors();
        assert_eq!(result.output.status.code(), Some(130), "{text}{errors}");
        assert!(text.contains("Rank"), "{text}{errors}");
        assert!(
            errors.contains("the same command resumes the match"),
            "{errors}"
        );
        assert!(!live.exists(), "{first} {second}");
    }
}
