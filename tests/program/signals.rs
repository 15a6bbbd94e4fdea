//! Signals that come early.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SIGTERM: u32 = 15;

/// Whether a process catches a signal, as the system tells it.
fn catches(process: u32, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The names of a process's threads.
fn threads(process: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
    tasks
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok())
        .map(|name| name.trim().to_owned())
        .collect()
}

#[test]
fn fault_09_a_signal_ends_with_0_from_the_first_line_of_the_program_on() {
    // While the system loads the program nothing of ours can catch a signal. What can be asked for: it is caught before
    // anything else is done, and from then on the status is 0, however early it comes.
    for pause in 0..24 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let end = Instant::now() + Duration::from_micros(500 * pause);
        while Instant::now() < end && !threads(child.id()).iter().any(|name| name == "search") {
            std::hint::spin_loop();
        }
        let is_up = threads(child.id()).iter().any(|name| name == "search");
        let is_caught = catches(child.id(), SIGTERM);
        assert!(
            is_caught || !is_up,
            "the search thread is there before signals are caught"
        );
        let sent = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status()
            .expect("kill is there");
        assert!(sent.success());
        let status = child.wait().expect("it ends");
        let by_signal = status.signal() == Some(SIGTERM as i32);
        assert!(
            status.code() == Some(0) || (by_signal && !is_caught),
            "{status}, caught: {is_caught}"
        );
    }
}
