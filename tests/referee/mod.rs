//! The referee: what it plays follows from the settings alone, is recorded whole, and can be checked and counted; and
//! nothing that players, files or pipes do can hang it, fill its memory, or destroy what is not its own.

mod files;
mod games;
mod inside;
mod output;
mod players;
mod pondering;
mod runs;
mod statistics;
mod strength;
#[cfg(feature = "tune")]
mod tuning;
mod variants;

pub use crate::scratch::Scratch;
use fauve_referee::record::{GameRecord, Record};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Players without a program.
pub const RANDOM: [&str; 6] = [
    "--engine",
    "proto=random",
    "name=a",
    "--engine",
    "proto=random",
    "name=b",
];

/// The words of a match between them.
pub fn random_games<'a>(games: &'a str, seed: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let first = ["match", "--quiet", "--games", games, "--seed", seed];
    [&first[..], &RANDOM, more].concat()
}

pub fn timeless(record: &Record) -> Vec<GameRecord> {
    record
        .games
        .iter()
        .cloned()
        .map(GameRecord::timeless)
        .collect()
}

pub fn fauve(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fauve"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program, which has to succeed, and gives what it says.
pub fn said(arguments: &[&str]) -> String {
    let output = fauve(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "fauve {}\n{}{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The report at the end of what a match says.
pub fn report(text: &str) -> &str {
    &text[text.find("Results of").unwrap()..]
}

/// What came of a program that had to end by itself.
pub struct Ended {
    pub output: Output,
    pub took: Duration,
    /// The most memory that it used, in kilobytes (where the system says).
    pub memory: u64,
}

impl Ended {
    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }
}

/// Waits for a program, and ends the test if it takes too long.
pub fn wait_at_most(mut child: Child, limit: Duration) -> Ended {
    let begin = Instant::now();
    let mut memory = 0;
    while child.try_wait().unwrap().is_none() {
        memory = memory.max(peak_memory(child.id()));
        if begin.elapsed() > limit {
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            panic!(
                "still running after {limit:?}, with {memory} kB\n{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
        }
        thread::sleep(Duration::from_millis(5));
    }
    let took = begin.elapsed();
    let output = child.wait_with_output().unwrap();
    Ended {
        output,
        took,
        memory,
    }
}

/// Runs the program, which has to end by itself.
pub fn ended(arguments: &[&str], limit: Duration) -> Ended {
    let child = fauve(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_at_most(child, limit)
}

fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
