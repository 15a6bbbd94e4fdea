//! The program as a process: what becomes of its output, and of signals.

mod board;
mod end_of_input;
mod examples;
mod manual;
mod output;
mod play;
#[cfg(target_os = "linux")]
mod recipes;
mod scripts;
mod signals;
mod texts;

use crate::scratch::Scratch;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The program in a folder, with these arguments and standard input.
fn run_in(folder: &Scratch, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .args(arguments)
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // One that refuses its arguments does not read.
    let _ = (child.stdin.take().expect("a pipe")).write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}
