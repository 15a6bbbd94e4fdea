//! The program in a real terminal of 80 columns and 24 lines.

use super::look::look;
use crate::scratch::Scratch;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub const LINES: u16 = 24;
pub const COLUMNS: u16 = 80;

/// The program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_fauve");

/// How long anything may take on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The program in a terminal, which `script` (util-linux) provides.
pub struct Terminal {
    child: Child,
    stdin: ChildStdin,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    /// The program with some words behind its name.
    pub fn run(words: &str, folder: &Scratch) -> Self {
        Self::of_width(COLUMNS, words, folder)
    }

    /// The same in a terminal of another width.
    pub fn of_width(columns: u16, words: &str, folder: &Scratch) -> Self {
        Self::shell(columns, &format!("exec {PROGRAM} {words}"), folder)
    }

    /// A line of the shell.
    pub fn shell(columns: u16, line: &str, folder: &Scratch) -> Self {
        let line = format!("stty rows {LINES} cols {columns}; {line}");
        let mut child = Command::new("script")
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .current_dir(&folder.0)
            .env("TERM", "xterm-256color")
            .env("XDG_STATE_HOME", &folder.0)
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script is there (util-linux)");
        let mut stdout = child.stdout.take().expect("a pipe");
        let screen = Arc::new(Mutex::new(parser(columns)));
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut bytes) {
                shown.lock().expect("a screen").process(&bytes[..count]);
            }
        });
        Self {
            stdin: child.stdin.take().expect("a pipe"),
            child,
            screen,
        }
    }

    /// What is shown now.
    pub fn contents(&self) -> String {
        self.screen.lock().expect("a screen").screen().contents()
    }

    /// Whether the terminal itself had to break a line.
    pub fn is_wrapped(&self) -> bool {
        let parser = self.screen.lock().expect("a screen");
        (0..LINES).any(|line| parser.screen().row_wrapped(line))
    }

    /// What is shown now, with its colours.
    pub fn look(&self) -> String {
        look(self.screen.lock().expect("a screen").screen())
    }

    /// A cell of the last line that begins so: what is in it, its ground and its letter's colour.
    pub fn cell(&self, line: &str, column: u16) -> (String, vt100::Color, vt100::Color) {
        let parser = self.screen.lock().expect("a screen");
        let lines: Vec<String> = parser.screen().rows(0, COLUMNS).collect();
        let found = lines.iter().rposition(|shown| shown.starts_with(line));
        let line = found.expect("a line") as u16;
        let cell = parser.screen().cell(line, column).expect("a cell");
        (cell.contents().to_owned(), cell.bgcolor(), cell.fgcolor())
    }

    /// Waits until the screen shows something.
    pub fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + TIMEOUT;
        loop {
            let contents = self.contents();
            if is_there(&contents) {
                return contents;
            }
            assert!(Instant::now() < end, "no {what}:\n{contents}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until somebody is asked.
    pub fn prompt(&self) -> String {
        let is_prompt = |contents: &str| {
            let last = contents.trim_end_matches('\n').lines().last();
            last.is_some_and(|line| line.trim_end().ends_with('>'))
        };
        self.wait("prompt", is_prompt)
    }

    /// Types a line, and waits until somebody is asked again.
    pub fn enter(&mut self, line: &str) -> String {
        self.press(&format!("{line}\r"));
        let typed = format!("> {line}");
        self.wait(&typed, |contents| {
            contents.contains(&typed) && !contents.trim_end().ends_with(&typed)
        });
        self.prompt()
    }

    /// Types keys.
    pub fn press(&mut self, keys: &str) {
        self.stdin.write_all(keys.as_bytes()).expect("a terminal");
        self.stdin.flush().expect("a terminal");
    }

    /// Waits for the end.
    pub fn exit(mut self) -> ExitStatus {
        let end = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(
                Instant::now() < end,
                "it does not end:\n{}",
                self.contents()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A terminal without anything on it.
fn parser(columns: u16) -> vt100::Parser {
    let size = |number| NonZero::new(number).expect("some");
    vt100::Parser::new(size(LINES), size(columns), 1000)
}
