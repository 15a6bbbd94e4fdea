//! Outputs that end early or are full.

use super::{RANDOM, Scratch, ended, fauve, random_games, said, timeless, wait_at_most};
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

/// What `fauve … | head -1` does: the match ends as one that is not finished, and goes on from its record.
#[test]
fn a_closed_pipe_ends_a_match_that_is_not_done() {
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
    assert_eq!(result.output.status.code(), Some(1), "{}", result.errors());
    let errors = result.errors();
    assert!(
        errors.starts_with("fauve: the output was closed: interrupted ")
            && errors.lines().count() == 1,
        "{errors}"
    );
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
        "--ratinginterval",
        "2",
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

/// The words of fastchess for openings and seed play the same games as our own.
#[test]
fn openings_in_words_of_fastchess_are_the_same() {
    let ranks = ["4P3", "3P4", "2P5", "5P2", "1P6", "6P1"];
    let lines = ranks.map(|rank| format!("4k3/8/8/8/8/8/{rank}/4K3 w - - 0 1\n"));
    let book = Scratch::file("book.epd", lines.concat());
    let file = format!("file={}", book.text());
    let play = |words: &[&str]| {
        let record = Scratch::new("words.jsonl");
        let first = ["match", "--quiet", "--games", "8", "--max-turns", "20"];
        let record_to = ["--record", record.text()];
        said(&[&first[..], &RANDOM, &record_to, words].concat());
        timeless(&Record::read(&record.0).unwrap())
    };
    let own = [
        "--seed",
        "5",
        "--openings",
        book.text(),
        "--shuffle",
        "--start",
        "3",
    ];
    let theirs = [
        "--srand",
        "5",
        "--openings",
        &file,
        "order=random",
        "format=epd",
        "start=3",
    ];
    assert_eq!(play(&own), play(&theirs));
    let in_order = play(&["--srand", "5", "--openings", &file, "order=sequential"]);
    assert!(in_order[0].start.contains("/4P3/"), "{}", in_order[0].start);
    for (word, part) in [
        ("order=backwards", "order is random or sequential"),
        ("format=xml", "format is epd or pgn"),
        (
            "policy=round",
            "--openings has file, format, order, plies and start",
        ),
        ("start=x", "cannot read start=x"),
    ] {
        let result = ended(&random_games("4", "1", &["--openings", &file, word]), LIMIT);
        assert!(!result.output.status.success());
        assert!(result.errors().contains(part), "{}", result.errors());
    }
}
