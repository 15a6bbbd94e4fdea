//! `fauve tune`, and players with parameters of their own.

use super::inside::played;
use super::{Scratch, ended, said};
use std::time::Duration;

const TUNE: [&str; 11] = [
    "tune",
    "--variant",
    "superchess",
    "--nodes",
    "60",
    "--iterations",
    "12",
    "--batch",
    "4",
    "--parameter",
    "late_base",
];

fn tune<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let games = ["futility_base=120:20", "--rate", "0.1", "--max-turns", "40"];
    [&TUNE[..], &games, more].concat()
}

/// A parameter that is the game's own makes no difference: both games of a pair are the same. One that is searched with belongs
/// to its player, so that they differ.
#[test]
fn a_parameter_belongs_to_its_player() {
    let games = |value: &str| {
        let parameter = format!("param.late_base={value}");
        let mut words = vec!["match", "--quiet", "--nodes", "300", "--games", "2"];
        words.extend([
            "--seed",
            "1",
            "--max-turns",
            "30",
            "--engine",
            "proto=internal",
        ]);
        words.extend(["name=a", "--engine", "proto=internal", "name=b", &parameter]);
        let record = played("parameter.jsonl", &words);
        [0, 1].map(|game| record.games[game].turns.clone())
    };
    let [first, second] = games("3");
    assert_eq!(first, second);
    let [first, second] = games("0");
    assert_ne!(first, second);
}

/// Stopped after any batch and resumed with other processors, a run finds what it would have found.
#[test]
fn a_run_goes_on_exactly() {
    let [whole, part] = ["tune-whole.json", "tune-part.json"].map(Scratch::new);
    let text = said(&tune(&[
        "--seed",
        "4",
        "--state",
        whole.text(),
        "--concurrency",
        "2",
    ]));
    assert!(text.contains("After 12 of 12 pairs"), "{text}");
    assert!(text.contains("proto=internal param.late_base="), "{text}");
    // Whoever reads one line and goes ends the run after the second batch.
    let words = tune(&["--seed", "4", "--state", part.text(), "--concurrency", "1"]);
    let mut child = super::fauve(&words)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut output, &mut line).unwrap();
    assert!(line.starts_with("pair 4/12: "), "{line}");
    drop(output);
    assert!(child.wait().unwrap().success());
    let rest = said(&tune(&["--state", part.text(), "--concurrency", "3"]));
    assert!(rest.starts_with("Going on after "), "{rest}");
    let [whole, part] = [whole, part].map(|file| std::fs::read_to_string(&file.0).unwrap());
    assert_eq!(whole, part);
}

/// Games at fixed nodes do not see the clock's parameters, so that they take part only when they are named.
#[test]
fn all_parameters_are_those_that_games_see() {
    let tuned = |words: &[&str]| {
        let start = [
            "tune",
            "--nodes",
            "1",
            "--iterations",
            "1",
            "--max-turns",
            "1",
        ];
        said(&[&start[..], &["--seed", "1", "--parameter"], words].concat())
    };
    let all = tuned(&["all"]);
    assert!(all.contains("late_base") && !all.contains("time_"), "{all}");
    let named = tuned(&["time_new", "all"]);
    assert!(
        named.contains("late_base") && named.contains("time_new") && !named.contains("time_sure"),
        "{named}"
    );
}

#[test]
fn what_cannot_be_tuned_is_said() {
    let file = Scratch::new("tune-bad.json");
    std::fs::write(&file.0, "{\"check\":\"0\"}").unwrap();
    let state = ["--state", file.text()];
    let start = ["tune", "--nodes", "10", "--iterations", "2", "--parameter"];
    for (words, reason) in [
        (
            &["late"][..],
            "none of this name; there are aspiration_depth",
        ),
        (&["late_base", "late_base=3"], "it is there twice"),
        (&["late_base=99"], "it starts from 0 to 30"),
        (
            &["late_base=x"],
            "write NAME, NAME=START or NAME=START:STEP",
        ),
        (&["late_base=3:0"], "a step is above 0"),
        (
            &["late_base", "--rate", "nan"],
            "--rate: write a number above 0",
        ),
        (
            &["late_base", "--variant", "dicechess"],
            "dicechess has no parameters",
        ),
        (&["late_base", "--openings", "arrays"], "arrays"),
        (&["late_base", "--each", "param.x=1"], "no option 'x'"),
        (&["late_base", "--state", "/"], "/"),
        (
            &["late_base", state[0], state[1]],
            "not the state of a tuner, or damaged",
        ),
    ] {
        let ended = ended(&[&start[..], words].concat(), Duration::from_mins(1));
        assert!(!ended.output.status.success(), "{words:?}");
        let errors = ended.errors();
        assert!(errors.contains(reason), "{words:?}: {errors}");
    }
    let kept = std::fs::read_to_string(&file.0).unwrap();
    assert_eq!(kept, "{\"check\":\"0\"}");
}
