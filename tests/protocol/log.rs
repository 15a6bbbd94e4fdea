//! Debug logs that are no files.

use super::driver::Engine;
use crate::scratch::Scratch;
use std::process::Command;

#[test]
fn a_fifo_as_debug_log_is_refused_and_the_listener_goes_on() {
    // A pipe that nobody reads.
    let fifo = Scratch::new("fifo");
    let made = Command::new("mkfifo").arg(&fifo.0).status();
    assert!(made.is_ok_and(|status| status.success()));
    let mut engine = Engine::start(&[]);
    let name = fifo.0.display();
    assert_eq!(
        engine.answer(&format!("setoption name Debug Log File value {name}")),
        "info string Error: Debug Log File: not a regular file"
    );
    engine.quietly("position startpos moves e2e4");
    engine.go("depth 2");
}

const FULL: &str = "Error: Debug Log File: No space left on device; the log ends here";

#[test]
fn a_debug_log_on_a_full_disk_is_given_up_with_one_error() {
    let mut engine = Engine::start(&[]);
    engine.send("setoption name Debug Log File value /dev/full");
    assert_eq!(engine.sync(), [format!("info string {FULL}")]);
    engine.quietly("position startpos moves e2e4");
    // The same in the comments of CECP.
    let mut engine = Engine::start(&[]);
    engine.send("xboard");
    engine.send("option Debug Log File=/dev/full");
    let mut ping = |number: u32| {
        engine.send(&format!("ping {number}"));
        let pong = format!("pong {number}");
        engine.until("pong", |line| line == pong).0
    };
    assert_eq!(ping(1), [format!("# {FULL}")]);
    assert!(ping(2).is_empty());
}
