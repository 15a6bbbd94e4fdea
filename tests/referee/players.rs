//! Players that misbehave.

use super::{Ended, Scratch, ended, fauve, said};
use fauve_referee::record::{Record, Termination};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A program that answers UCI from a shell script; `go` says what it does when it is asked for a turn.
fn script(go: &str) -> Vec<String> {
    vec![
        "cmd=sh".to_owned(),
        format!(
            "args=-c 'while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
             quit) exit;; go*) {go};; esac; done'"
        ),
    ]
}

/// A program that misbehaves loses with the reason, is started again, and the match goes on.
#[test]
fn misbehaviour_forfeits_with_its_reason() {
    let cases = [
        (
            "echo bestmove e2e5",
            &["--nodes", "10"][..],
            Termination::IllegalTurn,
            "makes an illegal turn: e2e5",
        ),
        (
            "echo bestmove",
            &["--nodes", "10"],
            Termination::IllegalTurn,
            "makes an illegal turn",
        ),
        (
            "echo oh dear >&2; exit 3",
            &["--nodes", "10"],
            Termination::Crash,
            "oh dear",
        ),
        (
            "true",
            &["--nodes", "10", "--stall", "1"],
            Termination::Stall,
            "stalls",
        ),
        (
            "true",
            &["--tc", "0.2+0"],
            Termination::Time,
            "loses on time",
        ),
        (
            "sleep 0.5; echo bestmove e7e5",
            &["--tc", "0.2+0"],
            Termination::Time,
            "loses on time",
        ),
    ];
    thread::scope(|scope| {
        for (number, (go, limit, termination, reason)) in cases.into_iter().enumerate() {
            scope.spawn(move || {
                let record = Scratch::new(&format!("forfeit{number}.jsonl"));
                let words = script(go);
                let mut arguments = vec![
                    "match",
                    "--quiet",
                    "--games",
                    "2",
                    "--record",
                    record.text(),
                ];
                arguments.extend([
                    "--engine",
                    &words[0],
                    &words[1],
                    "name=bad",
                    "--engine",
                    "proto=random",
                ]);
                arguments.extend(limit);
                said(&arguments);
                let games = Record::read(&record.0).unwrap().games;
                assert_eq!(games.len(), 2, "{go}");
                for game in games {
                    assert_eq!(game.termination, termination, "{go}: {game:?}");
                    assert!(game.reason.contains(reason), "{go}: {}", game.reason);
                    let bad_is_white = game.white == "bad";
                    assert_eq!(game.result.text(), if bad_is_white { "0-1" } else { "1-0" });
                }
            });
        }
    });
}

/// What a referee of one game may need, in kilobytes. Sanitizers need more and say so.
fn memory_limit() -> u64 {
    std::env::var("FAUVE_TEST_MEMORY_KB")
        .ok()
        .and_then(|limit| limit.parse().ok())
        .unwrap_or(150_000)
}

/// Plays two games of a script against the random player at 0.1 s a turn. The script has to lose on time, soon, and
/// without filling the memory.
fn loses_on_time(name: &str, words: &[String]) {
    let record = Scratch::new(&format!("{name}.jsonl"));
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--movetime", "100"];
    arguments.extend(["--record", record.text(), "--engine"]);
    arguments.extend(words.iter().map(String::as_str));
    arguments.extend(["name=bad", "--engine", "proto=random"]);
    let Ended {
        output,
        took,
        memory,
    } = ended(&arguments, Duration::from_mins(1));
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let games = Record::read(&record.0).unwrap().games;
    assert_eq!(games.len(), 2, "{name}");
    for game in games {
        assert_eq!(game.termination, Termination::Time, "{name}: {game:?}");
        assert!(game.turns.iter().all(|turn| turn.ms.unwrap() == 0));
        assert_eq!(
            game.result.text(),
            if game.white == "bad" { "0-1" } else { "1-0" }
        );
    }
    // Per game 0.1 s, the margin, 2 s to obey `stop` and 0.5 s to end; the rest is for a busy machine.
    assert!(took < Duration::from_secs(20), "{name}: {took:?}");
    assert!(memory < memory_limit(), "{name}: {memory} kB");
}

#[test]
fn fault_01_a_flood_of_lines_loses_on_time() {
    loses_on_time("flood", &script("exec yes info string flood"));
}

#[test]
fn fault_01_a_line_without_end_loses_on_time() {
    loses_on_time("zeros", &script("exec cat /dev/zero"));
}

#[test]
fn fault_01_a_flood_of_complaints_loses_on_time() {
    loses_on_time("complaints", &script("yes complaint >&2"));
}

#[test]
fn fault_01_a_player_that_never_reads_loses_on_time() {
    let words = [
        "cmd=sh".to_owned(),
        "args=-c 'echo uciok; echo readyok; echo readyok; exec sleep 1000'".to_owned(),
    ];
    loses_on_time("deaf", &words);
}

/// Late is late, but a program that obeys `stop` stays: its process is the same in the second game.
#[test]
fn a_late_answer_loses_on_time_and_the_program_stays() {
    let record = Scratch::new("late.jsonl");
    let started = Scratch::new("late.started");
    let program = format!(
        "args=-c 'echo x >> {}; while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
         quit) exit;; stop) echo bestmove e7e5;; esac; done'",
        started.text()
    );
    said(&[
        "match",
        "--quiet",
        "--games",
        "2",
        "--movetime",
        "100",
        "--record",
        record.text(),
        "--engine",
        "cmd=sh",
        &program,
        "name=bad",
        "--engine",
        "proto=random",
    ]);
    for game in Record::read(&record.0).unwrap().games {
        assert_eq!(game.termination, Termination::Time, "{game:?}");
        assert!(game.reason.contains("ms over"), "{}", game.reason);
    }
    assert_eq!(started.lines(), 1);
}

/// A match with a player that never gets through its greeting does not begin, and says why.
#[test]
#[ignore = "ten seconds: cargo test -- --ignored long_"]
fn long_fault_01_a_flood_instead_of_a_greeting_ends_the_match() {
    thread::scope(|scope| {
        for (protocol, flood) in [
            ("proto=uci", "yes info"),
            ("proto=uci", "yes option name x type check"),
            ("proto=cecp", "yes feature done=0"),
        ] {
            scope.spawn(move || {
                let program = format!("args=-c 'exec {flood}'");
                let result = ended(
                    &[
                        "match",
                        "--games",
                        "2",
                        "--depth",
                        "1",
                        "--engine",
                        "cmd=sh",
                        protocol,
                        &program,
                        "--engine",
                        "proto=random",
                    ],
                    Duration::from_secs(90),
                );
                assert!(!result.output.status.success());
                let errors = result.errors();
                assert!(errors.contains("engine sh: "), "{errors}");
                assert!(
                    result.memory < memory_limit(),
                    "{flood}: {} kB",
                    result.memory
                );
            });
        }
    });
}

/// Whether a process is there, and not only its number.
#[cfg(target_os = "linux")]
fn is_alive(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(')')
        .next()
        .and_then(|rest| rest.trim().chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

#[cfg(target_os = "linux")]
fn assert_dies(process: &str) {
    let begin = Instant::now();
    while is_alive(process) {
        if begin.elapsed() > Duration::from_secs(10) {
            let _ = Command::new("kill").arg(process).status();
            panic!("process {process} is still there");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// A wrapper whose child stays in the background; the child's number goes to a file.
#[cfg(target_os = "linux")]
fn wrapper(child: &Path, go: &str) -> Vec<String> {
    vec![
        "cmd=sh".to_owned(),
        format!(
            "args=-c 'sleep 1000 & echo $! > {}; while read -r line; do case $line in uci) echo uciok;; \
             isready) echo readyok;; quit) exit;; go*) {go};; esac; done'",
            child.display()
        ),
    ]
}

#[cfg(target_os = "linux")]
#[test]
fn fault_04_the_child_of_a_wrapper_ends_with_the_match() {
    for (number, go) in ["echo bestmove e2e5", "exit 1", "true"].iter().enumerate() {
        let child = Scratch::new(&format!("child{number}.pid"));
        let words = wrapper(&child.0, go);
        said(&[
            "match",
            "--quiet",
            "--games",
            "2",
            "--movetime",
            "50",
            "--engine",
            &words[0],
            &words[1],
            "--engine",
            "proto=random",
        ]);
        let process = std::fs::read_to_string(&child.0).unwrap();
        assert_dies(process.trim());
    }
}

/// Ctrl-C or SIGTERM: nothing survives, and no player is blamed in the record.
#[cfg(target_os = "linux")]
#[test]
fn fault_04_nothing_survives_a_match_that_is_ended_by_a_signal() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let child = Scratch::new(&format!("signal{signal}.pid"));
        let record = Scratch::new(&format!("signal{signal}.jsonl"));
        let words = wrapper(&child.0, "true");
        let mut referee = fauve(&[
            "match",
            "--quiet",
            "--games",
            "2",
            "--tc",
            "600+0",
            "--record",
            record.text(),
            "--engine",
            &words[0],
            &words[1],
            "--engine",
            "proto=random",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
        while child.lines() < 1 {
            thread::sleep(Duration::from_millis(2));
        }
        thread::sleep(Duration::from_millis(100));
        let process = std::fs::read_to_string(&child.0).unwrap();
        assert!(is_alive(process.trim()));
        Command::new("kill")
            .args([signal, &referee.id().to_string()])
            .status()
            .unwrap();
        referee.wait().unwrap();
        assert_dies(process.trim());
        assert_eq!(Record::read(&record.0).unwrap().games, []);
    }
}
