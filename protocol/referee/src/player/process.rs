//! A child process that speaks in lines. Reading, writing and draining each have a thread, and what waits between the
//! threads is bounded: nothing that the child does (or fails to do) can block the referee beyond its timeout, or fill
//! its memory.

use crate::player::failure::Failure;
use crate::player::group::{self, Group};
use crate::player::identity::command_path;
use crate::player::log::{Entry, Way};
use crate::player::moment::Moment;
use crate::player::spec::{EngineSpec, Protocol, SELF};
use fauve_engine::rules::printable;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The longest line that is kept, in bytes; the rest of it is passed over.
const LONGEST_LINE: usize = 1 << 16;
/// The lines that may wait to be looked at. A child that says more waits itself, as at any full pipe.
const LINES_AHEAD: usize = 256;
/// The lines that may wait to be read by the child. One that leaves more unread is not listening.
const COMMANDS_AHEAD: usize = 1024;
/// How much of the end of standard error is kept for the report of a crash, in bytes.
const STDERR_TAIL: usize = 400;
/// How long a process may take to end after it was asked to.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
/// How often it is looked whether it has.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// A line from the child and the moment that it arrived.
#[derive(Debug)]
pub struct Line {
    /// When it was read.
    pub at: Moment,
    /// Without its end.
    pub text: String,
}

/// A running child process. Dropping it kills it and all that it has started.
#[derive(Debug)]
pub struct Process {
    group: Group,
    /// `None` when nothing more will be sent.
    input: Option<SyncSender<String>>,
    lines: Receiver<Line>,
    /// A line that arrived after the deadline of the question before.
    late: Option<Line>,
    /// Whether nobody waits for lines of the child at present.
    is_unattended: Arc<AtomicBool>,
    /// Whether the child leaves unread what it is sent.
    input_is_full: bool,
    complaints: Arc<Mutex<Vec<u8>>>,
    log: Entry,
    drain: Option<JoinHandle<()>>,
}

/// What ends a player's thinking from another thread than the one that waits for its answer.
#[derive(Clone, Debug)]
pub struct Interrupt {
    input: SyncSender<String>,
    /// The command to answer at once.
    command: &'static str,
    leader: u32,
}

impl Interrupt {
    /// Asks the program to answer at once.
    pub fn stop(&self) {
        // One that does not read its input is killed.
        let _ = self.input.try_send(format!("{}\n", self.command));
    }

    /// Kills the program with all that it has started, if it still runs.
    pub fn kill(&self) {
        group::kill(self.leader);
    }
}

impl Process {
    /// What ends the program's thinking by this command; nothing once it was asked to end.
    pub fn interrupt(&self, command: &'static str) -> Option<Interrupt> {
        Some(Interrupt {
            input: self.input.clone()?,
            command,
            leader: self.group.number(),
        })
    }

    /// The number of its process group.
    pub fn group(&self) -> u32 {
        self.group.number()
    }

    /// Starts a player's program.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub fn start(spec: &EngineSpec) -> Result<Self, Failure> {
        let program = if spec.command == SELF {
            std::env::current_exe()
                .map_err(|error| Failure::Crashed(format!("cannot find this program: {error}")))?
        } else {
            command_path(spec)
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
        let mut group = Group::start(&mut command).map_err(|error| {
            Failure::Crashed(format!(
                "cannot start '{}': {error}",
                printable(&spec.command)
            ))
        })?;
        let (input, to_write) = mpsc::sync_channel(COMMANDS_AHEAD);
        let stop = if spec.protocol == Protocol::Cecp {
            "?"
        } else {
            "stop"
        };
        group.listens_to(&input, &format!("{stop}\nquit\n"));
        let (to_read, lines) = mpsc::sync_channel(LINES_AHEAD);
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let log = Entry::new(&spec.name);
        let mut outlet = Outlet::new(to_read);
        let is_unattended = Arc::clone(&outlet.is_unattended);
        if let Some(stdin) = group.leader().stdin.take() {
            start_thread(move || write_lines(stdin, to_write))?;
        }
        if let Some(stdout) = group.leader().stdout.take() {
            let log = log.clone();
            start_thread(move || read_lines(BufReader::new(stdout), &mut outlet, &log))?;
        }
        let drain = group.leader().stderr.take().map(|stderr| {
            let (tail, log) = (Arc::clone(&complaints), log.clone());
            start_thread(move || keep_tail(stderr, &tail, &log))
        });
        Ok(Self {
            group,
            input: Some(input),
            lines,
            late: None,
            is_unattended,
            input_is_full: false,
            complaints,
            log,
            drain: drain.transpose()?,
        })
    }

    /// Sends a line. A child that is dead or does not listen is noticed by the next read.
    pub fn send(&mut self, line: &str) {
        if let Some(input) = &self.input {
            self.log.line(Way::To, Moment::now(), line);
            let sent = input.try_send(format!("{line}\n"));
            self.input_is_full |= matches!(sent, Err(TrySendError::Full(_)));
        }
    }

    /// Nobody waits for lines from now on: a child that thinks on its opponent's time reports on its search, and must not be stopped by a
    /// full pipe. Reports that find no room give way to newer ones.
    pub fn leave_unattended(&self) {
        self.is_unattended.store(true, Ordering::Release);
    }

    /// Lines are waited for again.
    pub fn attend(&self) {
        self.is_unattended.store(false, Ordering::Release);
    }

    /// The next line that arrives after a moment and before the deadline; earlier ones are left over from another
    /// question.
    ///
    /// # Errors
    /// Those of [`Process::line_before`].
    pub fn line_between(&mut self, since: Moment, deadline: Moment) -> Result<Line, Failure> {
        loop {
            let line = self.line_before(deadline)?;
            if line.at >= since {
                return Ok(line);
            }
        }
    }

    /// The next line, if it arrives before the deadline.
    ///
    /// # Errors
    /// `Crashed` when the child has closed its output, `Stalled` when the deadline passes.
    pub fn line_before(&mut self, deadline: Moment) -> Result<Line, Failure> {
        if self.input_is_full {
            return Err(Failure::Stalled);
        }
        let received = match self.late.take() {
            Some(line) => Ok(line),
            None => self.receive(deadline),
        };
        match received {
            // There is always a line in a flood: only its time tells that the deadline has passed.
            Ok(line) if line.at > deadline => {
                self.late = Some(line);
                Err(Failure::Stalled)
            }
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(Failure::Stalled),
            Err(RecvTimeoutError::Disconnected) => Err(self.cause_of_end()),
        }
    }

    /// Waits for a line as long as time passes: that of a suspended match stands.
    fn receive(&self, deadline: Moment) -> Result<Line, RecvTimeoutError> {
        loop {
            let left = deadline.since(Moment::now());
            match self.lines.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) if Moment::now() < deadline => {}
                received => return received,
            }
        }
    }

    /// Reads lines until `pick` gives something.
    ///
    /// # Errors
    /// As for [`Process::line_before`].
    pub fn wait_for<T>(
        &mut self,
        timeout: Duration,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        let deadline = Moment::now().after(timeout);
        loop {
            let line = self.line_before(deadline)?;
            if let Some(found) = pick(&line.text) {
                return Ok(found);
            }
        }
    }

    /// Asks the child to end, and gives it a moment to do so.
    pub fn finish(&mut self) {
        self.send("quit");
        self.input = None;
        // The end of its input is an end, too.
        self.group.listens_no_more();
        let deadline = Instant::now() + EXIT_TIMEOUT;
        while self.group.ended().is_none() && Instant::now() < deadline {
            // It may have to say more before it reads the farewell.
            self.lines.try_iter().take(LINES_AHEAD).for_each(drop);
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// How the child ended, with the last that it had to say.
    fn cause_of_end(&mut self) -> Failure {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        let mut status = self.group.ended();
        while status.is_none() && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
            status = self.group.ended();
        }
        let is_reading = |drain: &JoinHandle<()>| !drain.is_finished();
        while self.drain.as_ref().is_some_and(is_reading) && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        let mut text = status.map_or_else(
            || "closed its output".to_owned(),
            |status: ExitStatus| status.to_string(),
        );
        let tail = self
            .complaints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let tail = String::from_utf8_lossy(&tail);
        if let Some(last) = tail.lines().rev().find(|line| !line.trim().is_empty()) {
            text.push_str(", ");
            text.push_str(&printable(last.trim()));
        }
        Failure::Crashed(text)
    }
}

fn write_lines(mut stdin: impl Write, lines: Receiver<String>) {
    for text in lines {
        let written = stdin.write_all(text.as_bytes());
        if written.and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Where the lines of a child go.
struct Outlet {
    lines: SyncSender<Line>,
    /// Whether nobody waits for lines at present.
    is_unattended: Arc<AtomicBool>,
    /// The newest report that has found no room while nobody waited.
    newest: Option<Line>,
}

impl Outlet {
    fn new(lines: SyncSender<Line>) -> Self {
        Self {
            lines,
            is_unattended: Arc::default(),
            newest: None,
        }
    }

    /// Passes a line on, and waits for room if somebody waits for lines; `false` if nobody wants any more.
    fn pass(&mut self, line: Line) -> bool {
        if !is_report(&line.text) || !self.is_unattended.load(Ordering::Acquire) {
            let lines = self.newest.take().into_iter().chain([line]);
            return lines.into_iter().all(|line| self.lines.send(line).is_ok());
        }
        match self.lines.try_send(line) {
            Ok(()) => {
                self.newest = None;
                true
            }
            Err(TrySendError::Full(line)) => {
                if is_value(&line.text) {
                    self.newest = Some(line);
                }
                true
            }
            Err(TrySendError::Disconnected(_)) => false,
        }
    }
}

/// Whether a line reports on a search: `info …`, or a thinking line of CECP.
fn is_report(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("info") || line.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether a report has the value of the best turn.
fn is_value(line: &str) -> bool {
    line.contains(" score ") && (!line.contains(" multipv ") || line.contains(" multipv 1 "))
}

/// Reads lines until the end of the output, or until nobody wants them.
fn read_lines(mut output: impl BufRead, lines: &mut Outlet, log: &Entry) {
    loop {
        let mut bytes = Vec::new();
        let mut limited = output.by_ref().take(LONGEST_LINE as u64);
        match limited.read_until(b'\n', &mut bytes) {
            Err(_) | Ok(0) => return,
            Ok(_) => {}
        }
        // What a program had begun to say when it ended is no line.
        let is_cut = bytes.last() != Some(&b'\n') && bytes.len() < LONGEST_LINE;
        let line = Line {
            at: Moment::now(),
            text: String::from_utf8_lossy(&bytes).trim_end().to_owned(),
        };
        log.line(Way::From, line.at, &line.text);
        if is_cut || !lines.pass(line) {
            return;
        }
        if bytes.len() == LONGEST_LINE
            && bytes.last() != Some(&b'\n')
            && output.skip_until(b'\n').is_err()
        {
            return;
        }
    }
}

/// Starts a thread of ours beside a child.
fn start_thread(job: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Failure> {
    let started = thread::Builder::new().spawn(job);
    started
        .map_err(|error| Failure::Crashed(format!("there is no thread to read it with: {error}")))
}

/// Reads to the end and keeps the last bytes.
fn keep_tail(mut stderr: impl Read, tail: &Mutex<Vec<u8>>, log: &Entry) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        for line in String::from_utf8_lossy(&buffer[..length]).lines() {
            log.line(Way::Error, Moment::now(), line);
        }
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buffer[..length]);
        let excess = tail.len().saturating_sub(STDERR_TAIL);
        tail.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_an_endless_line_is_passed_over() {
        let mut text = vec![b'x'; 3 * LONGEST_LINE];
        text.extend_from_slice(b"\nbestmove e2e4\r\n");
        let (to_read, lines) = mpsc::sync_channel(LINES_AHEAD);
        let mut outlet = Outlet::new(to_read);
        read_lines(text.as_slice(), &mut outlet, &Entry::new("test"));
        drop(outlet);
        let lines: Vec<String> = lines.iter().map(|line| line.text).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), LONGEST_LINE);
        assert_eq!(lines[1], "bestmove e2e4");
    }

    #[test]
    fn reports_that_nobody_waits_for_give_way_and_the_newest_value_and_the_answer_stay() {
        let mut text = String::new();
        for depth in 1..=1000 {
            text.push_str(&format!(
                "info depth {depth} score cp {depth} nodes {depth}\n"
            ));
            text.push_str(&format!(
                "info depth {depth} multipv 2 score cp -9\ninfo depth {depth} currmove e2e4\n"
            ));
        }
        text.push_str("bestmove e2e4\n");
        let (to_read, lines) = mpsc::sync_channel(LINES_AHEAD);
        let mut outlet = Outlet::new(to_read);
        outlet.is_unattended.store(true, Ordering::Release);
        let reader = thread::spawn(move || {
            read_lines(text.as_bytes(), &mut outlet, &Entry::new("test"));
        });
        // The reports fill the queue; the answer waits for room in it, with the newest value before it.
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut taken = Vec::new();
        while taken.last().is_none_or(|line| line != "bestmove e2e4") {
            let left = deadline.saturating_duration_since(Instant::now());
            taken.push(lines.recv_timeout(left).unwrap().text);
        }
        reader.join().unwrap();
        assert!(taken.len() <= 3002);
        assert_eq!(taken[0], "info depth 1 score cp 1 nodes 1");
        let last_value = taken.iter().rev().find(|line| is_value(line));
        assert_eq!(
            last_value.unwrap(),
            "info depth 1000 score cp 1000 nodes 1000"
        );
    }
}
