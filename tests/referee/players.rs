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
        (
            // It ends when it hears that its time is over.
            "true;; stop) exit 3",
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
fn a_flood_of_lines_loses_on_time() {
    loses_on_time("flood", &script("exec yes info string flood"));
}

#[test]
fn a_line_without_end_loses_on_time() {
    loses_on_time("zeros", &script("exec cat /dev/zero"));
}

#[test]
fn a_flood_of_complaints_loses_on_time() {
    loses_on_time("complaints", &script("yes complaint >&2"));
}

#[test]
fn a_player_that_never_reads_loses_on_time() {
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
fn long_a_flood_instead_of_a_greeting_ends_the_match() {
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

/// Whoever starts the match may ignore the ends of its children, and so does what it starts.
#[cfg(unix)]
#[test]
fn how_a_player_ended_is_known_also_where_ends_are_ignored() {
    let record = Scratch::new("ignored.jsonl");
    let words = script("echo oh dear >&2; exit 3");
    let arguments = [
        &[
            "match",
            "--quiet",
            "--games",
            "2",
            "--record",
            record.text(),
        ][..],
        &["--engine", &words[0], &words[1], "name=bad", "nodes=10"],
        &["--engine", "proto=random", "name=other"],
    ];
    let output = Command::new("sh")
        .args(["-c", "trap '' CHLD; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_fauve"))
        .args(arguments.concat())
        .stdin(Stdio::null())
        .output();
    assert!(output.expect("a shell").status.success());
    let games = Record::read(&record.0).unwrap().games;
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game.termination, Termination::Crash);
        assert!(game.reason.contains("exit status: 3"), "{}", game.reason);
    }
}

/// A program that says everything twice is not blamed for it: what it has said beyond its turn is passed over when it is asked
/// again.
#[cfg(unix)]
#[test]
fn a_bestmove_that_is_said_twice_forfeits_nothing() {
    let record = Scratch::new("twice.jsonl");
    let fauve = env!("CARGO_BIN_EXE_fauve");
    let script = format!(
        "args=-c '{fauve} | while read -r line; do echo \"$line\"; case $line in bestmove*) echo \"$line\";; esac; done'"
    );
    let words = ["cmd=sh", &script, "name=twice", "startup=60"];
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--nodes", "200"];
    arguments.extend([
        "--seed",
        "4",
        "--max-turns",
        "30",
        "--record",
        record.text(),
        "--engine",
    ]);
    arguments.extend(words);
    arguments.extend(["--engine", "proto=internal"]);
    let Ended { output, .. } = ended(&arguments, Duration::from_mins(2));
    assert!(output.status.success(), "{output:?}");
    let games = Record::read(&record.0).unwrap().games;
    assert_eq!(games.len(), 2);
    for game in games {
        assert!(!game.termination.is_forfeit(), "{game:?}");
        assert!(game.turns.len() > 10, "{game:?}");
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
fn the_child_of_a_wrapper_ends_with_the_match() {
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
fn nothing_survives_a_match_that_is_ended_by_a_signal() {
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

/// What a match says that cannot begin because of a player.
fn refused(words: &[&str]) -> String {
    let first = ["match", "--quiet", "--games", "2", "--nodes", "10"];
    let other = ["--engine", "proto=random", "--engine"];
    let result = ended(
        &[&first[..], &other, words].concat(),
        Duration::from_mins(1),
    );
    assert!(!result.output.status.success(), "{words:?}");
    result.errors()
}

#[test]
fn values_that_a_program_does_not_take_end_the_match_with_a_sentence() {
    for (option, part) in [
        ("network=/nonexistent.nn", "/nonexistent.nn: No such file"),
        ("option.Hash=99999999", "its option Hash takes 1 to "),
        ("option.Threads=0", "its option Threads takes 1 to "),
        (
            "option.Ponder=maybe",
            "its option Ponder takes true or false",
        ),
    ] {
        let errors = refused(&["cmd=self", option]);
        assert!(errors.contains(part), "{option}: {errors}");
    }
    // A program that names an option of any text, and refuses the text.
    let program = "args=-c 'while read -r line; do case $line in uci) echo option name Book type string; echo uciok;; \
                   isready) echo readyok;; setoption*) echo info string ERROR: no such book;; quit) exit;; esac; done'";
    let errors = refused(&["cmd=sh", program, "option.Book=x"]);
    assert!(errors.contains("ERROR: no such book"), "{errors}");
    let errors = refused(&["cmd=sh", "args=-c 'sleep 100'", "startup=1"]);
    assert!(errors.contains("does not answer"), "{errors}");
}

/// A program says each of its turns twice; the second time is no answer to the next question.
#[test]
fn a_turn_that_is_said_twice_is_heard_once() {
    let record = Scratch::new("twice.jsonl");
    // It plays Nf3 and Ng1 again and again, whatever happens, until that is illegal.
    let words = script(
        "n=$((n+1)); if [ $((n % 2)) = 1 ]; then m=g1f3; else m=f3g1; fi; echo bestmove $m; echo bestmove $m",
    );
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--nodes", "1"];
    arguments.extend(["--max-turns", "8", "--openings", "startpos", "--seed", "1"]);
    arguments.extend(["--record", record.text(), "--engine", &words[0], &words[1]]);
    arguments.extend(["name=twice", "--engine", "proto=random"]);
    said(&arguments);
    let games = Record::read(&record.0).unwrap().games;
    let game = games.iter().find(|game| game.white == "twice").unwrap();
    assert_ne!(game.termination, Termination::IllegalTurn, "{game:?}");
}

/// A program that speaks CECP from a shell script.
fn cecp(features: &str, go: &str) -> String {
    format!(
        "args=-c 'while read -r line; do case $line in protover*) {features};; ping*) echo pong ${{line#ping }};; \
         quit) exit;; easy) echo \"Error (unknown command): easy\";; go) {go};; esac; done'"
    )
}

#[test]
fn programs_of_cecp_are_read_as_xboard_reads_them() {
    let features = "echo feature ping=1 usermove=1 done=1";
    let cases = [
        (
            "mine",
            "echo My move is: e2e5",
            Termination::IllegalTurn,
            "e2e5",
        ),
        (
            "numbered",
            "echo 7. ... e2e5",
            Termination::IllegalTurn,
            "e2e5",
        ),
        (
            "computer",
            "echo computer resigns",
            Termination::Resignation,
            "resigns",
        ),
        (
            "tellics",
            "echo tellics resign",
            Termination::Resignation,
            "resigns",
        ),
        (
            "late",
            "sleep 0.3; echo Error",
            Termination::Time,
            "loses on time",
        ),
        (
            "gone",
            "true;; \\?) exit 3",
            Termination::Time,
            "loses on time",
        ),
    ];
    thread::scope(|scope| {
        for (name, go, termination, reason) in cases {
            scope.spawn(move || {
                let record = Scratch::new(&format!("cecp-{name}.jsonl"));
                let program = cecp(features, go);
                let mut words = vec!["match", "--quiet", "--games", "2", "--movetime", "100"];
                words.extend([
                    "--record",
                    record.text(),
                    "--engine",
                    "cmd=sh",
                    "proto=cecp",
                ]);
                words.extend([program.as_str(), "name=bad", "--engine", "proto=random"]);
                said(&words);
                for game in Record::read(&record.0).unwrap().games {
                    assert_eq!(game.termination, termination, "{name}: {game:?}");
                    assert!(game.reason.contains(reason), "{name}: {}", game.reason);
                }
            });
        }
    });
}

/// A result with the word in its comment is a resignation where it is the other side that wins, and else a claim.
#[test]
fn a_program_of_cecp_resigns_by_a_result_too() {
    let record = Scratch::new("cecp-result.jsonl");
    let program = cecp(
        "echo feature ping=1 usermove=1 done=1",
        "echo \"0-1 {White resigns}\"",
    );
    let mut words = vec!["match", "--quiet", "--games", "2", "--movetime", "100"];
    words.extend([
        "--record",
        record.text(),
        "--engine",
        "cmd=sh",
        "proto=cecp",
    ]);
    words.extend([program.as_str(), "name=bad", "--engine", "proto=random"]);
    said(&words);
    for game in Record::read(&record.0).unwrap().games {
        let due = if game.white == "bad" {
            Termination::Resignation
        } else {
            Termination::Refusal
        };
        assert_eq!(game.termination, due, "{game:?}");
    }
}

/// The depth that is recorded is that of the value, not that of the iteration that was broken off.
#[test]
fn the_depth_of_an_unfinished_iteration_is_not_recorded() {
    let record = Scratch::new("depth.jsonl");
    let words = script(
        "echo info depth 9 seldepth 12 score cp 10 nodes 500 pv e2e4; echo info depth 10 currmove d2d4 currmovenumber 1; \
         echo bestmove e2e4",
    );
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--nodes", "1"];
    arguments.extend(["--openings", "startpos", "--record", record.text()]);
    arguments.extend(["--engine", &words[0], &words[1]]);
    arguments.extend([
        "name=deep",
        "--engine",
        "proto=random",
        "name=other",
        "--max-turns",
        "1",
    ]);
    said(&arguments);
    let games = Record::read(&record.0).unwrap().games;
    let game = games.iter().find(|game| game.white == "deep").unwrap();
    let turn = &game.turns[0];
    assert_eq!((turn.cp, turn.depth), (Some(10), Some(9)), "{turn:?}");
}

/// A program says something to its user when one of its features is rejected, and wants to know no clocks.
#[test]
fn features_of_cecp_that_xboard_knows_are_accepted() {
    let log = Scratch::new("features.log");
    let known = "name=1 debug=1 pause=1 nps=1 playother=1 draw=0 ics=1 exclude=1 setscore=1 highlight=1 time=0";
    let features =
        format!("echo tellusererror no book; echo feature ping=1 {known} future=1 done=1");
    let program = cecp(&features, "echo resign");
    let mut words = vec!["match", "--quiet", "--games", "2", "--tc", "60+1"];
    words.extend([
        "--log",
        log.text(),
        "--engine",
        "cmd=sh",
        "proto=cecp",
        &program,
    ]);
    words.extend(["name=a", "--engine", "proto=random"]);
    let text = said(&words);
    assert!(!text.contains("Forfeits"), "{text}");
    let log = log.read();
    let answers = |word: &str| log.lines().filter(|line| line.contains(word)).count();
    assert_eq!(
        (answers("> rejected "), answers("> rejected future")),
        (1, 1),
        "{log}"
    );
    assert_eq!(answers("> accepted "), 13, "{log}");
    assert_eq!(answers("> time "), 0, "{log}");
}

#[test]
fn a_program_of_cecp_that_plays_one_game_only_is_started_anew() {
    for (reuse, starts) in [("reuse=0", 2), ("reuse=1", 1)] {
        let started = Scratch::new("reuse.started");
        let features = format!(
            "echo x >> {}; echo feature ping=1 {reuse} done=1",
            started.text()
        );
        let program = cecp(&features, "echo resign");
        let mut words = vec!["match", "--quiet", "--games", "2", "--movetime", "100"];
        words.extend(["--engine", "cmd=sh", "proto=cecp", &program, "name=bad"]);
        words.extend(["--engine", "proto=random"]);
        said(&words);
        assert_eq!(started.lines(), starts, "{reuse}");
    }
}

/// GNU Chess sleeps on what it was sent before it was ready, on a busy machine for seconds: its features come when it is asked once more, and
/// positions come by `setboard` then.
#[test]
fn a_program_of_cecp_that_was_not_ready_is_asked_again() {
    let log = Scratch::new("asked.log");
    let features = "n=x$n; if [ $n = xxx ]; then echo feature ping=1 setboard=1 done=1; fi";
    let program = cecp(features, "echo resign");
    let mut words = vec!["match", "--quiet", "--games", "2", "--movetime", "100"];
    words.extend(["--openings", "random:4", "--log", log.text()]);
    words.extend(["--engine", "cmd=sh", "proto=cecp", &program, "name=slow"]);
    words.extend(["--engine", "proto=random"]);
    said(&words);
    let text = std::fs::read_to_string(&log.0).unwrap();
    assert!(
        text.contains("> setboard ") && !text.contains("> edit"),
        "{text}"
    );
}

/// Ctrl-C or SIGTERM: players are asked to end before they are killed.
#[cfg(target_os = "linux")]
#[test]
fn players_of_a_match_that_is_ended_by_a_signal_hear_stop_and_quit() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let heard = Scratch::new(&format!("heard{signal}"));
        let program = format!(
            "args=-c 'while read -r line; do echo $line >> {}; case $line in uci) echo uciok;; isready) echo readyok;; \
             quit) exit;; esac; done'",
            heard.text()
        );
        let mut referee = fauve(&[
            "match",
            "--quiet",
            "--games",
            "2",
            "--tc",
            "600+0",
            "--engine",
            "cmd=sh",
            &program,
            "--engine",
            "proto=random",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
        let lines = || std::fs::read_to_string(&heard.0).unwrap_or_default();
        let begin = Instant::now();
        while !lines().contains("go ") && begin.elapsed() < Duration::from_secs(30) {
            thread::sleep(Duration::from_millis(2));
        }
        Command::new("kill")
            .args([signal, &referee.id().to_string()])
            .status()
            .unwrap();
        referee.wait().unwrap();
        let said = lines();
        let last: Vec<&str> = said.lines().rev().take(3).collect();
        assert!(said.contains("\nstop\nquit\n"), "{signal}: {last:?}");
    }
}

/// The processes that run a script of this name.
#[cfg(target_os = "linux")]
fn running(name: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    commands
        .filter(|command| String::from_utf8_lossy(command).contains(name))
        .count()
}

/// A tournament of eight programs at two games a time has no more processes than its games and the next ones need.
#[cfg(target_os = "linux")]
#[test]
fn only_the_players_of_running_and_next_games_run() {
    let folder = Scratch::folder("eight");
    let record = folder.at("r.jsonl");
    let path = folder.at("player.sh");
    // Answers by a turn that is legal for White and for Black only at the first turn, so that games are short.
    let text = "#!/bin/sh\nwhile read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                quit) exit;; go*) sleep 0.02; echo bestmove 0000;; esac; done\n";
    std::fs::write(&path, text).unwrap();
    let mut words = vec![
        "match",
        "--quiet",
        "--rounds",
        "1",
        "--concurrency",
        "2",
        "--nodes",
        "1",
    ];
    words.extend(["--record", &record]);
    let names: Vec<String> = (0..8).map(|number| format!("name={number}")).collect();
    let args = format!("args={path}");
    for name in &names {
        words.extend(["--engine", "cmd=sh", &args, name]);
    }
    for each in ["restart=off", "restart=on"] {
        let _ = std::fs::remove_file(&record);
        let words = [&words[..], &["--each", each]].concat();
        let mut child = fauve(&words).spawn().unwrap();
        let mut most = 0;
        while child.try_wait().unwrap().is_none() {
            most = most.max(running(&path));
            thread::sleep(Duration::from_millis(3));
        }
        assert!(child.wait().unwrap().success());
        assert_eq!(Record::read(Path::new(&record)).unwrap().games.len(), 56);
        assert!((2..=8).contains(&most), "{each}: {most}");
    }
}

/// What a program may overstep its time by can be set for it alone.
#[test]
fn a_margin_is_that_of_its_player() {
    let record = Scratch::new("margin.jsonl");
    let words = script("sleep 0.3; echo bestmove 0000");
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--movetime", "100"];
    arguments.extend(["--margin", "20", "--record", record.text()]);
    arguments.extend([
        "--engine",
        &words[0],
        &words[1],
        "name=slow",
        "timemargin=5000",
    ]);
    arguments.extend(["--engine", &words[0], &words[1], "name=late"]);
    said(&arguments);
    for game in Record::read(&record.0).unwrap().games {
        // Its illegal turn is in time.
        let ends = if game.white == "slow" {
            Termination::IllegalTurn
        } else {
            Termination::Time
        };
        assert_eq!(game.termination, ends, "{game:?}");
    }
}

/// A program that gives one move at a time spends its whole time on each, for it does not know that another question comes.
#[test]
fn each_step_of_a_program_that_gives_one_at_a_time_has_the_whole_time() {
    let record = Scratch::new("steps.jsonl");
    let program = "args=-c 'while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; \
                   position*) case $line in *a7a6) turn=b7b6;; *) turn=a7a6;; esac;; \
                   go*) sleep 0.8; echo bestmove $turn;; esac; done'";
    let mut words = vec!["match", "--quiet", "--variant", "twomove", "--no-swap"];
    words.extend([
        "--games",
        "2",
        "--concurrency",
        "2",
        "--openings",
        "startpos",
    ]);
    words.extend(["--movetime", "600", "--margin", "600", "--max-turns", "2"]);
    words.extend(["--record", record.text(), "--engine", "proto=random"]);
    words.extend(["--engine", "cmd=sh", program, "name=steps"]);
    said(&words);
    for game in Record::read(&record.0).unwrap().games {
        let tokens: Vec<&str> = game.turns.iter().map(|turn| turn.token.as_str()).collect();
        assert_eq!(tokens.get(1), Some(&"a7a6,b7b6"), "{game:?}");
        assert!(game.turns[1].ms.unwrap() >= 1600, "{game:?}");
    }
}

/// The log has what a program writes to standard error, under the name of its process.
#[test]
fn the_log_has_standard_error() {
    let log = Scratch::new("errors.log");
    let words = script("echo out of memory >&2; sleep 0.1; echo bestmove 0000");
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--nodes", "1"];
    arguments.extend(["--log", log.text(), "--engine", &words[0], &words[1]]);
    arguments.extend(["name=loud", "--engine", "proto=random"]);
    said(&arguments);
    let text = log.read();
    let lines = text
        .lines()
        .filter(|line| line.ends_with("loud#1 ! out of memory"));
    assert_eq!(lines.count(), 2, "{text}");
}

/// The first players of a gauntlet meet all others, and not each other.
#[test]
fn the_seeds_of_a_gauntlet_do_not_meet_each_other() {
    let record = Scratch::new("seeds.jsonl");
    let mut arguments = vec!["match", "--quiet", "--rounds", "1", "--max-turns", "2"];
    arguments.extend([
        "--tournament",
        "gauntlet",
        "--seeds",
        "2",
        "--record",
        record.text(),
    ]);
    for name in ["name=a", "name=b", "name=c", "name=d"] {
        arguments.extend(["--engine", "proto=random", name]);
    }
    said(&arguments);
    let games = Record::read(&record.0).unwrap().games;
    let mut pairings: Vec<String> = games
        .iter()
        .map(|game| format!("{}{}", game.white, game.black))
        .collect();
    pairings.sort_unstable();
    assert_eq!(pairings, ["ac", "ad", "bc", "bd", "ca", "cb", "da", "db"]);
}

/// Writes a program that ends when it is asked for its first turn, and has removed itself: it does not start again.
#[cfg(unix)]
fn write_vanishing(program: &str) {
    use std::os::unix::fs::PermissionsExt;
    let text = "#!/bin/sh\nwhile read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                quit) exit;; go*) rm -f \"$0\"; exit 3;; esac; done\n";
    std::fs::write(program, text).unwrap();
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A program that does not start any more is withdrawn with its games, and the others play on; when it starts again, the
/// same command plays the rest.
#[cfg(unix)]
#[test]
fn a_program_that_does_not_start_any_more_is_withdrawn() {
    let folder = Scratch::folder("withdrawn");
    let (record, program) = (folder.at("r.jsonl"), folder.at("engine"));
    let write = || write_vanishing(&program);
    write();
    let command = format!("cmd={program}");
    let words = [
        "match",
        "--quiet",
        "--rounds",
        "2",
        "--seed",
        "1",
        "--max-turns",
        "20",
        "--record",
        &record,
        "--engine",
        "proto=random",
        "name=a",
        "--engine",
        &command,
        "name=gone",
        "nodes=1",
        "--engine",
        "proto=random",
        "name=b",
    ];
    let result = ended(&words, Duration::from_mins(1));
    assert!(!result.output.status.success());
    let errors = result.errors();
    assert!(errors.contains("engine gone was withdrawn"), "{errors}");
    let games = || Record::read(Path::new(&record)).unwrap().games;
    let played = games();
    let between_others = played
        .iter()
        .filter(|game| game.white != "gone" && game.black != "gone");
    assert_eq!(between_others.count(), 4);
    assert!(played.len() < 12);
    let text = String::from_utf8_lossy(&result.output.stdout).into_owned();
    assert!(text.contains("Rank"), "{text}");
    let left_out = format!(
        "{} games are not played; the same command",
        12 - played.len()
    );
    assert!(errors.contains(&left_out), "{errors}");
    // While it is away the record is resumed, too.
    assert!(
        !ended(&words, Duration::from_mins(1))
            .output
            .status
            .success()
    );
    // Each start of it is good for a game.
    while games().len() < 12 {
        write();
        ended(&words, Duration::from_mins(1));
    }
}

/// A knockout in which a program is withdrawn has a winner, but was not played to its end.
#[cfg(unix)]
#[test]
fn a_knockout_without_one_of_its_programs_is_no_success() {
    let folder = Scratch::folder("gone-knockout");
    let (record, program) = (folder.at("cup"), folder.at("engine"));
    write_vanishing(&program);
    let command = format!("cmd={program}");
    let mut words = vec![
        "match",
        "--quiet",
        "--tournament",
        "knockout",
        "--rounds",
        "2",
    ];
    words.extend(["--record", &record, "--engine", "proto=random", "name=a"]);
    words.extend(["--engine", &command, "name=gone", "nodes=1"]);
    let result = ended(&words, Duration::from_mins(1));
    let errors = result.errors();
    assert!(errors.contains("engine gone was withdrawn"), "{errors}");
    assert!(!result.output.status.success());
    let text = String::from_utf8_lossy(&result.output.stdout).into_owned();
    assert!(text.contains("Winner: a"), "{text}");
}

/// The games of a meeting that a program has missed are played when it starts again; the player that has gone on instead of it stays in
/// its next meeting.
#[test]
fn a_knockout_is_resumed_when_a_withdrawn_program_starts_again() {
    let folder = Scratch::folder("back-knockout");
    let cup = folder.at("cup");
    let (gone, well) = (folder.at("gone"), folder.at("well"));
    let program = format!(
        "args=-c 'if test -e {well}; then exec {}; fi; test -e {gone} && exit 9; while read -r line; do case $line in \
         uci) echo uciok;; isready) echo readyok;; quit) exit;; go*) : > {gone}; exit 3;; esac; done'",
        env!("CARGO_BIN_EXE_fauve")
    );
    let mut words = vec!["match", "--quiet", "--tournament", "knockout"];
    words.extend(["--rounds", "1", "--seed", "1", "--openings", "random:4"]);
    words.extend(["--record", &cup, "--engine", "cmd=sh", &program]);
    words.extend(["name=back", "nodes=2000"]);
    for name in ["name=b", "name=c", "name=d"] {
        words.extend(["--engine", "proto=random", name]);
    }
    let result = ended(&words, Duration::from_mins(1));
    let errors = result.errors();
    assert!(errors.contains("engine back was withdrawn"), "{errors}");
    let before = String::from_utf8_lossy(&result.output.stdout).into_owned();
    let line = "Round 1: back - d 0.0 - 1.0, d goes on\n";
    assert!(before.contains(line), "{before}");
    std::fs::write(&well, "").unwrap();
    let after = said(&words);
    let line = "Round 1: back - d 1.0 - 1.0, d goes on, since its next meeting has begun already\n";
    assert!(after.contains(line), "{after}");
    let second_round = |text: &str| text[text.find("Round 2").unwrap()..].to_owned();
    assert_eq!(second_round(&after), second_round(&before));
}

/// Another program at the path of a player is refused, and the same one elsewhere is not.
#[cfg(unix)]
#[test]
fn a_player_is_known_by_its_program_and_not_by_its_path() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Scratch::folder("identity");
    let record = folder.at("r.jsonl");
    let write = |name: &str, id: &str| {
        let path = folder.at(name);
        let text = format!(
            "#!/bin/sh\nwhile read -r line; do case $line in uci) echo id name {id}; echo uciok;; \
             isready) echo readyok;; quit) exit;; go*) echo bestmove 0000;; esac; done\n"
        );
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        format!("cmd={path}")
    };
    let play = |command: &str, games: &str| {
        let words = [
            "match",
            "--quiet",
            "--seed",
            "1",
            "--games",
            games,
            "--record",
            &record,
            "--engine",
            command,
            "name=old",
            "nodes=1",
            "--engine",
            "proto=random",
        ];
        ended(&words, Duration::from_mins(1))
    };
    let one = write("one", "Script 1");
    assert!(play(&one, "2").output.status.success());
    let header = Record::read(Path::new(&record)).unwrap().header;
    let program = header.engines[0].program.clone().unwrap();
    assert_eq!(program.id.as_deref(), Some("Script 1"));
    assert_eq!(program.sha256.len(), 64);
    let elsewhere = write("elsewhere", "Script 1");
    assert!(play(&elsewhere, "4").output.status.success());
    assert_eq!(Record::read(Path::new(&record)).unwrap().games.len(), 4);
    let other = write("one", "Script 2");
    assert_eq!(one, other);
    let refused = play(&other, "4");
    assert!(!refused.output.status.success());
    assert!(
        refused
            .errors()
            .contains("program of engine old: Script 1, "),
        "{}",
        refused.errors()
    );
}

/// A match that is suspended (Ctrl-Z) for longer than its players' clocks show is resumed without a loss on time.
#[cfg(target_os = "linux")]
#[test]
fn clocks_stand_while_the_match_is_suspended() {
    let record = Scratch::new("suspended.jsonl");
    let words = script("sleep 0.4; echo bestmove 0000");
    let mut arguments = vec!["match", "--quiet", "--games", "2", "--tc", "1+0"];
    arguments.extend(["--record", record.text(), "--engine", &words[0], &words[1]]);
    arguments.extend(["name=slow", "--engine", "proto=random"]);
    let mut child = fauve(&arguments).stderr(Stdio::null()).spawn().unwrap();
    let signal = |name: &str| {
        let process = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([name, &process])
                .status()
                .unwrap()
                .success()
        );
    };
    while record.lines() < 1 {
        thread::sleep(Duration::from_millis(2));
    }
    thread::sleep(Duration::from_millis(150));
    signal("-TSTP");
    thread::sleep(Duration::from_millis(1500));
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    assert!(stat.contains(") T "), "{stat}");
    assert_eq!(record.lines(), 1, "nothing is played meanwhile");
    signal("-CONT");
    assert!(child.wait().unwrap().success());
    for game in Record::read(&record.0).unwrap().games {
        // Its answer is illegal, and in time.
        assert_eq!(game.termination, Termination::IllegalTurn, "{game:?}");
    }
}

/// What the log says that a program was sent gives the same answers when it is sent again.
#[test]
fn the_log_of_a_match_can_be_replayed() {
    let (log, record) = (Scratch::new("traffic.log"), Scratch::new("traffic.jsonl"));
    said(&[
        "match",
        "--quiet",
        "--games",
        "2",
        "--seed",
        "1",
        "--max-turns",
        "12",
        "--log",
        log.text(),
        "--record",
        record.text(),
        "--engine",
        "cmd=self",
        "name=one",
        "nodes=200",
        "--engine",
        "cmd=self",
        "name=two two",
        "nodes=300",
    ]);
    let text = std::fs::read_to_string(&log.0).unwrap();
    let mut answers = 0;
    let mut processes: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once(' ')?.1.split_once(" > "))
        .map(|(process, _)| process)
        .collect();
    processes.sort_unstable();
    processes.dedup();
    for process in processes {
        let lines = |way: &str| -> Vec<String> {
            let mark = format!("{process} {way} ");
            let of = text.lines().filter_map(|line| {
                let (time, rest) = line.split_once(' ')?;
                assert!(time.parse::<f64>().unwrap() >= 0.0);
                rest.strip_prefix(mark.as_str()).map(str::to_owned)
            });
            of.collect()
        };
        let best = |lines: &[String]| -> Vec<String> {
            let best = lines.iter().filter(|line| line.starts_with("bestmove"));
            best.cloned().collect()
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Farewells apart: they end searches that are still waiting.
        let sent = lines(">");
        let sent = sent.iter().filter(|line| *line != "quit");
        let script: String = sent.flat_map(|line| [line.as_str(), "\n"]).collect();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), script.as_bytes()).unwrap();
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let again: Vec<String> = output.lines().map(str::to_owned).collect();
        assert_eq!(best(&again), best(&lines("<")), "{process}");
        answers += best(&again).len();
    }
    let games = Record::read(&record.0).unwrap().games;
    assert_eq!(
        answers,
        games.iter().map(|game| game.turns.len()).sum::<usize>()
    );
}

/// With sessions the clock gains its time again after each, and the players hear how many turns are left.
#[test]
fn clocks_of_sessions_gain_their_time_again() {
    let (log, record) = (Scratch::new("sessions.log"), Scratch::new("sessions.jsonl"));
    said(&[
        "match",
        "--quiet",
        "--games",
        "2",
        "--seed",
        "1",
        "--max-turns",
        "8",
        "--log",
        log.text(),
        "--tc",
        "3/50+0",
        "--record",
        record.text(),
        "--engine",
        "cmd=self",
        "name=a",
        "--engine",
        "proto=random",
        "--each",
        "depth=1",
        "tc=3/50+0",
    ]);
    let text = std::fs::read_to_string(&log.0).unwrap();
    let games = Record::read(&record.0).unwrap().games;
    for (turns, count) in [("3", 4), ("2", 2), ("1", 2)] {
        let found = text.matches(&format!(" movestogo {turns} ")).count();
        assert_eq!(found, count, "{turns}: {text}");
    }
    let left: Vec<u64> = games[0].turns.iter().filter_map(|turn| turn.left).collect();
    assert!(left[1] <= 50_000 && left[2] > 90_000, "{left:?}");
}

/// Each game at a time has processors of its own, whichever game its players were started for.
#[cfg(target_os = "linux")]
#[test]
fn games_stay_on_processors_of_their_own() {
    let list = |status: &str| -> Vec<String> {
        let lists = status
            .lines()
            .filter_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        lists.map(|list| list.trim().to_owned()).collect()
    };
    let seen_with = |options: &[&str]| {
        let seen = Scratch::new("processors");
        // Writes down where it may think; its turn is illegal, so that games are short.
        let words = script(&format!(
            "grep Cpus_allowed_list /proc/$$/status >> {}; sleep 0.03; echo bestmove 0000",
            seen.text()
        ));
        let mut arguments = vec!["match", "--quiet", "--games", "12", "--nodes", "1"];
        arguments.extend(["--engine", &words[0], &words[1], "name=a"]);
        arguments.extend(["--engine", &words[0], &words[1], "name=b"]);
        arguments.extend(options);
        said(&arguments);
        let mut lists = list(&seen.read());
        assert!(lists.len() >= 12);
        lists.sort_unstable();
        lists.dedup();
        lists
    };
    let own = list(&std::fs::read_to_string("/proc/self/status").unwrap()).remove(0);
    let last = own.rsplit([',', '-']).next().unwrap();
    assert_eq!(seen_with(&[]), [own.as_str()]);
    assert_eq!(seen_with(&["--affinity", last]), [last]);
    if own != last {
        let two = seen_with(&["--concurrency", "2", "--affinity"]);
        assert_eq!(two.len(), 2, "{two:?}");
        assert!(
            two.iter().all(|one| one.parse::<usize>().is_ok()),
            "{two:?}"
        );
    }
    for (options, concurrency, part) in [
        (&["--affinity"][..], "4096", "processors, and there are"),
        (&["--affinity", "3-"], "1", "cannot read '3-'"),
        (&["--affinity", "65000"], "1", "processor 65000 is not one"),
    ] {
        let errors = refused_with(options, concurrency);
        assert!(errors.contains(part), "{errors}");
    }
}

/// What a match says that cannot have the processors that it wants.
#[cfg(target_os = "linux")]
fn refused_with(options: &[&str], concurrency: &str) -> String {
    let first = [
        "match",
        "--games",
        "2",
        "--nodes",
        "1",
        "--concurrency",
        concurrency,
    ];
    let players = ["--engine", "proto=internal", "--engine", "proto=random"];
    let words = [&first[..], &players, options].concat();
    let result = ended(&words, Duration::from_mins(1));
    assert!(!result.output.status.success(), "{options:?}");
    result.errors()
}

/// A warning where more threads think than there are processors.
#[test]
fn too_many_games_at_a_time_are_warned_of() {
    let warned = |concurrency: &str, limit: &str| {
        let mut words = vec![
            "match",
            "--quiet",
            "--games",
            "2",
            "--max-turns",
            "1",
            "--seed",
            "1",
        ];
        words.extend([
            "--concurrency",
            concurrency,
            "--engine",
            "proto=internal",
            "name=a",
            limit,
        ]);
        words.extend([
            "--engine",
            "proto=random",
            "name=b",
            "--openings",
            "startpos",
        ]);
        let result = ended(&words, Duration::from_mins(1));
        assert!(result.output.status.success(), "{}", result.errors());
        result.errors().contains("threads think at a time")
    };
    assert!(warned("4000", "movetime=1"));
    assert!(!warned("4000", "nodes=1"));
    assert!(!warned("1", "movetime=1"));
}

/// A flag that falls against a side that cannot mate draws in chess and Superchess, and loses in two-move chess, where a lone
/// King can win.
#[test]
fn time_that_runs_out_against_a_side_that_cannot_win_draws() {
    let words = script("true");
    let play = |variant: &str, book: &str| {
        let (record, pgn) = (Scratch::new("flag.jsonl"), Scratch::new("flag.pgn"));
        let book = Scratch::file("flag.epd", book);
        let mut arguments = vec!["match", "--quiet", "--games", "2", "--variant", variant];
        arguments.extend([
            "--openings",
            book.text(),
            "--record",
            record.text(),
            "--pgn",
            pgn.text(),
        ]);
        arguments.extend([
            "--movetime",
            "50",
            "--max-turns",
            "1",
            "--engine",
            &words[0],
            &words[1],
        ]);
        arguments.extend(["name=slow", "--engine", "proto=random"]);
        said(&arguments);
        said(&["verify", record.text(), pgn.text()]);
        let mut games = Record::read(&record.0).unwrap().games;
        let lost = games.remove(0);
        assert_eq!(lost.termination, Termination::Time, "{lost:?}");
        (lost.result.text(), lost.reason)
    };
    let bare = "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1";
    let (result, reason) = play("chess", bare);
    assert_eq!(result, "1/2-1/2");
    assert!(reason.ends_with(", and Black cannot win"), "{reason}");
    assert_eq!(
        play("superchess", "4k3/8/8/8/8/8/3A4/4K3 w - - 0 1").0,
        "1/2-1/2"
    );
    assert_eq!(play("chess", "4k3/4p3/8/8/8/8/3Q4/4K3 w - - 0 1").0, "0-1");
    assert_eq!(play("twomove", "4k3/8/8/8/8/8/7P/4K3 w - - 0 1").0, "0-1");
}
