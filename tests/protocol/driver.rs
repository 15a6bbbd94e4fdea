//! Drives the real program as a GUI does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long anything may take on a busy machine before it counts as hanging.
pub const TIMEOUT: Duration = Duration::from_mins(1);

/// A running engine.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: Vec<String>,
}

/// What a search said.
#[derive(Debug)]
pub struct Search {
    /// All lines before `bestmove`.
    pub lines: Vec<String>,
    /// The token after `bestmove`.
    pub best: String,
    /// The token after `ponder`.
    pub ponder: Option<String>,
}

impl Engine {
    /// Starts the program.
    pub fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            transcript: Vec::new(),
        }
    }

    /// Starts the program with a game.
    pub fn of(variant: &str) -> Self {
        Self::start(&["--variant", variant])
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(200).collect();
        self.transcript.push(format!("> {}", shown.trim_end()));
        let stdin = self.stdin.as_mut().expect("the input is open");
        let sent = stdin.write_all(bytes).and_then(|()| stdin.flush());
        if let Err(error) = sent {
            panic!("{error}{}", self.story());
        }
    }

    /// The next line, which must come within a time.
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                self.transcript
                    .push(format!("< {}", line.chars().take(300).collect::<String>()));
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the engine is gone{}", self.story()),
        }
    }

    /// Reads lines until one satisfies a condition; gives those before it and the one.
    pub fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> (Vec<String>, String) {
        let end = Instant::now() + TIMEOUT;
        let mut before = Vec::new();
        loop {
            match self.line_within(end.saturating_duration_since(Instant::now())) {
                Some(line) if wanted(&line) => return (before, line),
                Some(line) => before.push(line),
                None => panic!("no {what}{}", self.story()),
            }
        }
    }

    /// Reads on to a line that begins so.
    pub fn expect(&mut self, start: &str) -> String {
        self.until(start, |line| line.starts_with(start)).1
    }

    /// `isready`, and what was said before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok", |line| line == "readyok").0
    }

    /// Sends a line and gives all that it makes the engine say at once.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// Sends a line and gives the one line that comes of it.
    pub fn answer(&mut self, line: &str) -> String {
        let mut lines = self.ask(line);
        assert_eq!(lines.len(), 1, "one line is said{}", self.story());
        lines.remove(0)
    }

    /// Sends a line of which nothing may come.
    pub fn quietly(&mut self, line: &str) {
        let lines = self.ask(line);
        assert!(lines.is_empty(), "nothing is said{}", self.story());
    }

    /// Sends a `go` and waits for the answer.
    pub fn go(&mut self, parameters: &str) -> Search {
        self.send(&format!("go {parameters}"));
        self.best()
    }

    /// Waits for the answer to a `go` sent before.
    pub fn best(&mut self) -> Search {
        let (lines, last) = self.until("bestmove", |line| line.starts_with("bestmove"));
        let words: Vec<&str> = last.split(' ').collect();
        let (best, ponder) = match words.as_slice() {
            ["bestmove", best] => (*best, None),
            ["bestmove", best, "ponder", ponder] => (*best, Some((*ponder).to_owned())),
            _ => panic!("what a bestmove: {last}{}", self.story()),
        };
        Search {
            lines,
            best: best.to_owned(),
            ponder,
        }
    }

    /// Stops whatever runs or waits, and waits until it has said its last word.
    pub fn idle(&mut self) {
        self.send("stop");
        // This waits for its turn. A search without an end does not keep it waiting, so that silence comes after it.
        self.send("help the-last-line");
        let told = |line: &str| line.ends_with("'the-last-line'");
        self.until("the last line", told);
        let mut silent = 0;
        while silent < 3 {
            std::thread::sleep(Duration::from_millis(10));
            silent = if self.sync().is_empty() {
                silent + 1
            } else {
                0
            };
        }
    }

    /// The position string.
    pub fn fen(&mut self) -> String {
        let answer = self.answer("query fen");
        answer
            .strip_prefix("response ")
            .unwrap_or_else(|| panic!("{answer}"))
            .to_owned()
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the program.
    pub fn exit(&mut self) -> ExitStatus {
        let end = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self
                .child
                .try_wait()
                .expect("the program can be waited for")
            {
                return status;
            }
            assert!(Instant::now() < end, "the program ends{}", self.story());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What went over the wire lately.
    pub fn story(&self) -> String {
        let start = self.transcript.len().saturating_sub(40);
        format!("\n{}", self.transcript[start..].join("\n"))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The value of a word in an `info` line: what comes after it.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == name)?;
    words.next()
}

/// The number of a word in an `info` line.
pub fn number(line: &str, name: &str) -> Option<u64> {
    field(line, name)?.parse().ok()
}

/// The tokens of an `info` line's principal variation.
pub fn pv(line: &str) -> Vec<String> {
    line.split_once(" pv ")
        .map(|(_, tokens)| tokens.split(' ').map(str::to_owned).collect())
        .unwrap_or_default()
}

/// The line that stands first at the end of a search, a bound or not.
pub fn last(lines: &[String]) -> &String {
    let is_first = |line: &&String| {
        line.starts_with("info depth ")
            && line.contains(" score ")
            && number(line, "multipv").is_none_or(|number| number == 1)
    };
    lines.iter().rev().find(is_first).expect("a line")
}

/// The lines of a search that carry principal variations with exact scores.
pub fn exact(lines: &[String]) -> Vec<&String> {
    lines
        .iter()
        .filter(|line| {
            line.starts_with("info depth ") && line.contains(" score ") && !line.contains("bound ")
        })
        .collect()
}
