//! A child process that speaks in lines: reading, writing and draining each have a thread, so that nothing that the
//! child does (or fails to do) can block the referee beyond its patience.

use super::Failure;
use super::spec::EngineSpec;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The longest line that is kept whole, in bytes; what follows counts as a new line.
const LONGEST_LINE: u64 = 1 << 20;
/// The command that means this program; the records of shards on different machines stay equal by it.
pub const SELF: &str = "self";
/// How much of the end of standard error is kept for the report of a crash, in bytes.
const STDERR_TAIL: usize = 400;
/// How long a process may take to end after it was asked to.
const FAREWELL: Duration = Duration::from_millis(500);

/// A line from the child and the moment that it arrived.
#[derive(Debug)]
pub struct Line {
    /// When it was read.
    pub at: Instant,
    /// Without its end.
    pub text: String,
}

/// A running child process. Dropping it kills it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<Line>,
    complaints: Arc<Mutex<Vec<u8>>>,
    drain: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts a player's program.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn start(spec: &EngineSpec) -> Result<Self, Failure> {
        let program = if spec.command == SELF {
            std::env::current_exe()
                .map_err(|error| Failure::Crashed(format!("cannot find this program: {error}")))?
        } else {
            spec.command.clone().into()
        };
        let mut command = Command::new(program);
        command
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        let mut child = command.spawn().map_err(|error| {
            Failure::Crashed(format!("cannot start '{}': {error}", spec.command))
        })?;
        let (input, to_write) = mpsc::channel::<String>();
        let (to_read, lines) = mpsc::channel();
        let complaints = Arc::new(Mutex::new(Vec::new()));
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for text in to_write {
                    if stdin
                        .write_all(text.as_bytes())
                        .and_then(|()| stdin.flush())
                        .is_err()
                    {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_lines(BufReader::new(stdout), &to_read));
        }
        let drain = child.stderr.take().map(|mut stderr| {
            let tail = Arc::clone(&complaints);
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(length @ 1..) = stderr.read(&mut buffer) {
                    let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                    tail.extend_from_slice(&buffer[..length]);
                    let excess = tail.len().saturating_sub(STDERR_TAIL);
                    tail.drain(..excess);
                }
            })
        });
        Ok(Self {
            child,
            input: Some(input),
            lines,
            complaints,
            drain,
        })
    }

    /// Sends a line. A dead child is noticed by the next read.
    pub fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, if it comes before the deadline.
    ///
    /// # Errors
    /// `Crashed` when the child has closed its output, `Stalled` when the deadline passes.
    pub fn line_before(&mut self, deadline: Instant) -> Result<Line, Failure> {
        match self
            .lines
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(Failure::Stalled),
            Err(RecvTimeoutError::Disconnected) => Err(self.obituary()),
        }
    }

    /// Reads lines until `pick` gives something.
    ///
    /// # Errors
    /// As for [`Process::line_before`].
    pub fn wait_for<T>(
        &mut self,
        patience: Duration,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        let deadline = Instant::now() + patience;
        loop {
            let line = self.line_before(deadline)?;
            if let Some(found) = pick(&line.text) {
                return Ok(found);
            }
        }
    }

    /// Forgets the lines that have arrived so far.
    pub fn drain(&mut self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// Asks the child to end with `farewell`, and insists after a moment.
    pub fn finish(&mut self, farewell: &str) {
        self.send(farewell);
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// How the child died.
    fn obituary(&mut self) -> Failure {
        let deadline = Instant::now() + FAREWELL;
        let mut status = self.child.try_wait();
        while matches!(status, Ok(None)) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
            status = self.child.try_wait();
        }
        // Its last words may still be on the way.
        while self
            .drain
            .as_ref()
            .is_some_and(|drain| !drain.is_finished())
            && Instant::now() < deadline
        {
            thread::sleep(Duration::from_millis(2));
        }
        let mut text = match status {
            Ok(Some(status)) => status.to_string(),
            _ => "closed its output".to_owned(),
        };
        let tail = self
            .complaints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let tail = String::from_utf8_lossy(&tail);
        if let Some(last) = tail.lines().rev().find(|line| !line.trim().is_empty()) {
            text.push_str(", ");
            text.extend(
                last.trim()
                    .chars()
                    .filter(|letter| !letter.is_control())
                    .take(200),
            );
        }
        Failure::Crashed(text)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(mut stdout: impl BufRead, lines: &Sender<Line>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut stdout)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                let line = Line {
                    at: Instant::now(),
                    text,
                };
                if lines.send(line).is_err() {
                    return;
                }
            }
        }
    }
}
