//! Outputs that end early or are full.

use super::{RANDOM, Scratch, ended, fauve, random_games, said, wait_at_most};
use fauve_referee::record::Record;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

const LIMIT: Duration = Duration::from_mins(1);

fn settings(record: &Scratch) -> Vec<&str> {
    [
        &["match", "--games", "60", "--seed", "1"][..],
        &["--record", record.text()],
        &RANDOM,
    ]
    .concat()
}

/// What `fauve … | head -1` does: the command ends silently, and the match goes on from its record.
#[test]
fn a_closed_pipe_ends_a_match_quietly() {
    let record = Scratch::new("pipe.jsonl");
    let mut child = fauve(&settings(&record))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.starts_with("Started game 1"), "{line}");
    let result = wait_at_most(child, LIMIT);
    assert!(result.output.status.success(), "{}", result.errors());
    assert_eq!(result.errors(), "");
    let games = Record::read(&record.0).unwrap().games.len();
    assert!(games < 60, "{games}");
    let text = said(&settings(&record));
    assert!(text.contains("Games: 60"), "{text}");
    said(&["verify", record.text()]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_the_output_is_an_error() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let record = Scratch::new("devfull.jsonl");
    let fails = |arguments: &[&str]| {
        let child = fauve(arguments)
            .stdout(full())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let result = wait_at_most(child, LIMIT);
        assert_eq!(result.output.status.code(), Some(1), "{arguments:?}");
        let errors = result.errors();
        assert!(errors.contains("standard output: "), "{errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    };
    fails(&settings(&record));
    fails(&[&settings(&record)[..], &["--quiet"]].concat());
    assert_eq!(Record::read(&record.0).unwrap().games.len(), 60);
    fails(&["merge", record.text()]);
    fails(&["verify", record.text()]);
}

#[test]
fn a_closed_pipe_ends_merge_and_verify_quietly() {
    let record = Scratch::new("reports.jsonl");
    said(&[&settings(&record)[..], &["--quiet"]].concat());
    for command in ["merge", "verify"] {
        let mut child = fauve(&[command, record.text()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let result = wait_at_most(child, LIMIT);
        assert!(result.output.status.success(), "{}", result.errors());
        assert_eq!(result.errors(), "");
        assert!(
            ended(&[command, record.text()], LIMIT)
                .output
                .status
                .success()
        );
    }
}

/// The report for programs is JSON, and nothing else is on standard output; words of fastchess mean the same.
#[test]
fn a_report_for_programs_is_json() {
    let words = [
        "--report",
        "json",
        "--timemargin",
        "50",
        "--draw",
        "movenumber=1",
        "movecount=1",
        "score=5",
        "--resign",
        "movecount=3",
        "score=500",
        "twosided=true",
        "--max-turns",
        "10",
    ];
    let text = said(&random_games("4", "1", &words));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["games"], 4);
    assert_eq!(value["players"][0]["name"], "a");
    assert_eq!(value["pairings"][0]["games"], 4);
}
