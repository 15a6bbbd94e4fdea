//! The rows of the protocol one by one, as transcripts in `compliance.txt`: each runs in a program of its own.

use super::driver::Engine;
use std::time::Duration;

/// How long the program must be silent to count as having nothing more to say.
const SILENCE: Duration = Duration::from_millis(120);

const TRANSCRIPTS: &str = include_str!("compliance.txt");

/// Whether a line fits a pattern in which `*` stands for any text.
fn fits(line: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return line == pattern;
    };
    let Some(mut line) = line.strip_prefix(start) else {
        return false;
    };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return line.ends_with(piece);
        }
        let Some(at) = line.find(piece) else {
            return false;
        };
        line = &line[at + piece.len()..];
    }
    true
}

/// Plays one transcript; what went wrong is a panic that shows the traffic.
fn play(steps: &[&str]) {
    let arguments: Vec<&str> = steps
        .iter()
        .filter_map(|step| step.strip_prefix("$ "))
        .flat_map(str::split_whitespace)
        .collect();
    let mut engine = Engine::start(&arguments);
    for step in steps {
        let (kind, text) = step.split_once(' ').unwrap_or((step, ""));
        match kind {
            "$" => {}
            ">" => engine.send(text),
            "<" => {
                engine.until(text, |line| fits(line, text));
            }
            "!" => {
                while let Some(line) = engine.line_within(SILENCE) {
                    assert!(!fits(&line, text), "{line}{}", engine.story());
                }
            }
            "eof" => engine.close_input(),
            "exit" => assert!(engine.exit().success(), "status 0{}", engine.story()),
            _ => panic!("no such step: {step}"),
        }
    }
}

#[test]
fn every_row_of_the_protocol() {
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in TRANSCRIPTS.lines().map(str::trim_end) {
        match (line.strip_prefix("## "), rows.last_mut()) {
            (Some(title), _) => rows.push((title, Vec::new())),
            (None, Some((_, steps))) if !line.is_empty() => steps.push(line),
            _ => {}
        }
    }
    assert!(rows.len() > 60, "{} rows", rows.len());
    let mut failed = 0;
    for (title, steps) in &rows {
        let passed = std::panic::catch_unwind(|| play(steps)).is_ok();
        println!("{} {title}", if passed { "PASS" } else { "FAIL" });
        failed += usize::from(!passed);
    }
    assert_eq!(failed, 0, "of {} rows", rows.len());
}

#[test]
fn patterns() {
    assert!(fits("bestmove e2e4 ponder e7e5", "bestmove * ponder *"));
    assert!(fits("readyok", "readyok"));
    assert!(fits("info depth 0 score mate 0", "info depth 0 *mate 0"));
    assert!(!fits("readyok2", "readyok"));
    assert!(!fits("bestmove e2e4", "*ponder*"));
}
