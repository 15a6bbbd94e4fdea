//! Debug logs that are no files.

use super::driver::Engine;
use std::process::Command;

/// A FIFO that nobody reads, gone when the test is over.
struct Fifo(std::path::PathBuf);

impl Fifo {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("fauve-fifo-{}", std::process::id()));
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.is_ok_and(|status| status.success()));
        Self(path)
    }
}

impl Drop for Fifo {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn fault_09_a_fifo_as_debug_log_is_refused_and_the_listener_goes_on() {
    let fifo = Fifo::new();
    let mut engine = Engine::start(&[]);
    let name = fifo.0.display();
    assert_eq!(
        engine.answer(&format!("setoption name Debug Log File value {name}")),
        "info string Error: Debug Log File: not a regular file"
    );
    engine.quietly("position startpos moves e2e4");
    engine.go("depth 2");
}

#[test]
fn fault_09_a_debug_log_on_a_full_disk_is_given_up_with_one_error() {
    for (first, mark) in [("uci", "info string"), ("xboard", "#")] {
        let mut engine = Engine::start(&[]);
        engine.send(first);
        let option = match first {
            "uci" => {
                engine.sync();
                "setoption name Debug Log File value /dev/full"
            }
            _ => "option Debug Log File=/dev/full",
        };
        engine.send(option);
        let ping = |engine: &mut Engine, number: u32| match first {
            "uci" => engine.sync(),
            _ => {
                let pong = format!("pong {number}");
                engine.send(&format!("ping {number}"));
                engine.until("pong", |line| line == pong).0
            }
        };
        assert_eq!(
            ping(&mut engine, 1),
            [format!(
                "{mark} Error: Debug Log File: No space left on device (os error 28); the log ends here"
            )],
            "{first}"
        );
        assert!(ping(&mut engine, 2).is_empty(), "{first}");
    }
}
