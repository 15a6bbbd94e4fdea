//! What tests leave out where a program is not installed.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

/// Notes what a test leaves out: what a test that passes prints is not seen. `.ci/run` and `.ci/nightly` say what is in the file.
pub fn skip(what: &str) {
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/skipped.txt");
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .expect("a file");
    // In one piece, as tests run side by side.
    file.write_all(format!("{what}\n").as_bytes())
        .expect("it is written");
}

/// Whether GNU parallel is installed; else notes what is left out.
pub fn has_gnu_parallel(what: &str) -> bool {
    let version = Command::new("parallel").arg("--version").output();
    let is_there = version.is_ok_and(|output| output.stdout.starts_with(b"GNU parallel"));
    if !is_there {
        skip(&format!("GNU parallel is not there: {what}"));
    }
    is_there
}
