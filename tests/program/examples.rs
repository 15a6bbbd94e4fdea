//! The examples that help texts show, run by a shell as a reader would type them.

use crate::scratch::Scratch;
use clap::CommandFactory;
use fauve_protocol::cli::Cli;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long an example may run before it is interrupted: what is endless or takes minutes has begun by then.
const ENOUGH: Duration = Duration::from_millis(700);
/// How long an interrupted example may take to end.
const FAREWELL: Duration = Duration::from_mins(1);

/// The examples of a help text, without the descriptions that stand behind two blanks.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines
        .take_while(|line| line.starts_with("  "))
        .map(|line| {
            let line = line.trim_start();
            line.split_once("  ").map_or(line, |(command, _)| command)
        })
        .map(str::to_owned)
        .collect()
}

/// A folder with the files and programs that examples name.
fn workshop() -> Scratch {
    let folder = Scratch::folder("examples");
    let write = |name: &str, text: &str| std::fs::write(folder.at(name), text).expect("a file");
    let fauve = env!("CARGO_BIN_EXE_fauve");
    for name in [
        "bin",
        "records",
        "home/.local/share/bash-completion/completions",
        "home/.zfunc",
    ] {
        std::fs::create_dir_all(folder.at(name)).expect("a folder");
    }
    for name in ["bin/fauve", "bin/sjaakii", "old", "new"] {
        std::os::unix::fs::symlink(fauve, folder.at(name)).expect("a link");
    }
    // Programs of the system that a machine may do without.
    for name in ["bin/less", "bin/man"] {
        write(name, "#!/bin/sh\ncat > /dev/null\n");
        let status = Command::new("chmod")
            .args(["+x", &folder.at(name)])
            .status();
        assert!(status.expect("chmod").success());
    }
    let game = "[Event \"e\"]\n[White \"a\"]\n[Black \"random\"]\n[Result \"1-0\"]\n\n1. e4 f6 2. d4 g5 3. Qh5# 1-0\n";
    for name in ["game.pgn", "games.pgn", "fauve-chess.pgn"] {
        write(name, game);
    }
    write("book.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    write(
        "problems.epd",
        &"6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#;\n".repeat(4),
    );
    let play = |words: &str| {
        let line =
            format!("fauve match --nodes 1 --depth 1 --max-turns 8 --seed 1 {words} > /dev/null");
        let (status, said) = shell(&folder, &line, FAREWELL);
        assert!(status.success(), "{line}: {said}");
    };
    let players = |a: &str, b: &str| {
        format!("--engine proto=internal name={a} --engine proto=internal name={b}")
    };
    for (a, b) in [("a", "b"), ("b", "c")] {
        play(&format!(
            "{} --rounds 1 --record {a}-{b}.jsonl",
            players(a, b)
        ));
    }
    for share in 1..=4 {
        play(&format!(
            "{} --rounds 4 --shard {share}/4 --record {share}.jsonl",
            players("a", "b")
        ));
    }
    let (status, said) = shell(
        &folder,
        "fauve merge 1.jsonl 2.jsonl 3.jsonl 4.jsonl --record whole > /dev/null",
        FAREWELL,
    );
    assert!(status.success(), "{said}");
    folder
}

/// Runs a line of the shell in the folder; interrupts it when it has run for some time. Gives its status and standard error.
fn shell(folder: &Scratch, line: &str, time: Duration) -> (ExitStatus, String) {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut child = Command::new("bash")
        .args(["-c", line])
        .current_dir(&folder.0)
        .env("HOME", folder.at("home"))
        .env("PATH", format!("{}:{path}", folder.at("bin")))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("bash is there");
    let mut stderr = child.stderr.take().expect("a pipe");
    let said = std::thread::spawn(move || {
        let mut said = String::new();
        let _ = stderr.read_to_string(&mut said);
        said
    });
    let status = ended(&mut child, time).unwrap_or_else(|| {
        let group = format!("-{}", child.id());
        let sent = Command::new("kill").args(["-INT", "--", &group]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        ended(&mut child, FAREWELL).unwrap_or_else(|| {
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            panic!("{line} does not end");
        })
    });
    (status, said.join().expect("it was read"))
}

fn ended(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return Some(status);
        }
        if Instant::now() >= end {
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Makes an example begin where its files are: outputs of others are not there yet, inputs are.
fn prepare(folder: &Scratch, example: &str) {
    let remove = |name: &str| drop(std::fs::remove_file(folder.at(name)));
    for name in [
        "annotated.pgn",
        "ratings.svg",
        "all.jsonl",
        "all.pgn",
        "dice.pgn",
        "dice.tables",
    ] {
        remove(name);
    }
    let copy = |name: &str| drop(std::fs::copy(folder.at("whole"), folder.at(name)));
    for name in ["sprt.jsonl", "dice.jsonl"] {
        remove(name);
        if !example.contains("fauve match") {
            copy(name);
        }
    }
    if example == "fauve merge all.jsonl" {
        copy("all.jsonl");
    }
    if example.contains("--tables dice.tables") {
        // The six classes of three pieces, all of them 0.
        let values = 640 + 4 * 2 * 640 * 64 + 2 * 32 * 64 * 48;
        let mut bytes = b"FAUVEDT1".to_vec();
        bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(
            &vec![0; 2 * values],
            1,
        ));
        std::fs::write(folder.at("dice.tables"), bytes).expect("a file");
    }
}

#[test]
fn every_example_of_every_help_text_runs() {
    let folder = workshop();
    let mut command = Cli::command();
    command.build();
    let subcommands = command
        .get_subcommands()
        .filter(|part| part.get_name() != "help");
    let mut count = 0;
    for part in std::iter::once(&command).chain(subcommands) {
        let help = part.get_after_help().map(ToString::to_string);
        let examples = examples(&help.unwrap_or_default());
        assert!(!examples.is_empty(), "{} shows none", part.get_name());
        for example in examples {
            prepare(&folder, &example);
            // Other boards may be open on this machine.
            let is_board = example.starts_with("fauve board");
            let port = if is_board { " --port 0" } else { "" };
            let (status, said) = shell(&folder, &format!("{example}{port}"), ENOUGH);
            let is_good = matches!(status.code(), Some(0 | 130));
            assert!(is_good, "{example}: {status}: {said}");
            assert!(
                !said.contains("error: ") && !said.contains("fauve: "),
                "{example}: {said}"
            );
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

/// A reader who types an example that lists something sees something.
#[test]
fn the_examples_of_listings_list_something() {
    let mut command = Cli::command();
    command.build();
    let legal = command.find_subcommand("legal").expect("a command");
    let help = legal.get_after_help().expect("examples").to_string();
    let terminal = include_str!("../../protocol/terminal.md");
    let in_text = terminal
        .lines()
        .filter_map(|line| line.split_once("`fauve legal")?.1.split_once('`'))
        .map(|(words, _)| format!("fauve legal{words}"));
    let all: Vec<String> = examples(&help).into_iter().chain(in_text).collect();
    assert!(all.len() > 3, "{all:?}");
    for example in all {
        let words = example.replacen("fauve", env!("CARGO_BIN_EXE_fauve"), 1);
        let output = Command::new("bash").args(["-c", &words]).output();
        let output = output.expect("bash is there");
        assert!(!output.stdout.is_empty(), "{example}");
    }
}
