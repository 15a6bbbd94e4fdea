//! The protocol loop: reads lines from standard input and executes them. It never blocks on a search, so that `isready`, `stop`
//! and `quit` work at any time; other commands wait until a bounded search before them has finished.

use crate::signals;
use crate::terminal::{Entry, LineEditor};
use crate::wire::cecp::Cecp;
use crate::wire::engine_session::EngineSession;
use crate::wire::events::{Event, Events, Lines};
use crate::wire::input::{Flow, Line};
use crate::wire::output::Output;
use crate::wire::search_thread::LONGEST_MATE;
use crate::wire::uci::{self, Haste, Uci};
use crate::wire::waiting::Waiting;
use fauve_engine::Variant;
use std::io::{self, BufReader};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Stack size of the loop's thread, in bytes: replaying games and listing turns need more than the default.
const STACK: usize = 16 << 20;

/// Runs the protocols on standard input and output until `quit` or the end of input.
///
/// # Errors
/// When the engine cannot be set up.
pub fn run(variant: Variant) -> io::Result<()> {
    if let Some(editor) = LineEditor::open("wire") {
        return talk(variant, editor);
    }
    let mut listener = ProtocolLoop::new(variant, Output::default())?;
    let lines = listener.lines();
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || lines.read(BufReader::new(io::stdin())))?;
    listener.listen(&mut |_| ());
    Ok(())
}

/// Runs the protocol loop on a terminal, with a greeting and a line editor.
fn talk(variant: Variant, mut editor: LineEditor) -> io::Result<()> {
    // Printed directly: output through the sink could appear after the first prompt.
    let greeting = format!(
        "Fauve {}, {variant}: type help or quit; to play: fauve play {variant}",
        env!("CARGO_PKG_VERSION")
    );
    Output::default().say(&greeting);
    let mut listener = ProtocolLoop::new(variant, Output::to(editor.sink()?))?;
    let lines = listener.lines();
    let (heard, flows) = channel();
    let attendant = thread::Builder::new()
        .name("listener".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            listener.listen(&mut |flow| {
                // The receiver is gone only at the end of the program.
                let _ = heard.send(flow);
            });
        })?;
    loop {
        match editor.read("> ", Box::new(uci::complete)) {
            Entry::Line(line) => {
                lines.send(Line::Text(line));
                if flows.recv() != Ok(Flow::Continue) {
                    break;
                }
            }
            Entry::End => {
                lines.end();
                break;
            }
            Entry::Interrupted => {
                drop(editor);
                signals::end();
                return Ok(());
            }
        }
    }
    // The last output must reach the screen before the editor is dropped.
    let _ = attendant.join();
    Ok(())
}

/// The protocol loop: executes lines in the active protocol.
pub struct ProtocolLoop {
    session: EngineSession,
    uci: Uci,
    cecp: Option<Cecp>,
    waiting: Waiting,
    events: Events,
}

impl ProtocolLoop {
    /// Creates a loop at the start position of a game.
    ///
    /// # Errors
    /// When the search thread or the transposition table cannot be created.
    pub fn new(variant: Variant, output: Output) -> io::Result<Self> {
        let events = Events::default();
        let bell = events.bell();
        Ok(Self {
            session: EngineSession::new(variant, output, move || bell.ring())?,
            uci: Uci::default(),
            cecp: None,
            waiting: Waiting::default(),
            events,
        })
    }

    /// Returns a sender of input lines for this loop.
    pub fn lines(&self) -> Lines {
        self.events.lines()
    }

    /// Executes lines until `quit` or the end of input; after the end of input, bounded searches finish, and any other search is
    /// stopped. `heard` is called after each line.
    pub fn listen(&mut self, heard: &mut dyn FnMut(Flow)) {
        loop {
            match self.events.next() {
                Event::Line(Line::Text(line)) => {
                    let flow = self.receive(&line);
                    heard(flow);
                    if flow == Flow::Quit {
                        return;
                    }
                }
                Event::Line(Line::TooLong) => {
                    let output = &self.session.output;
                    output.error("line skipped: longer than 64 MB");
                    heard(Flow::Continue);
                }
                Event::SearchEnded => self.session.resize_table(),
                Event::End => break,
            }
            self.proceed();
            while self.waiting.is_full() {
                self.wait();
                self.proceed();
            }
        }
        self.end();
    }

    /// Executes a line, or queues it behind a bounded search.
    pub fn receive(&mut self, line: &str) -> Flow {
        let line = line.trim_start_matches('\u{feff}').trim();
        self.session.output.note_input(line);
        let haste = match self.cecp {
            // CECP decides for itself which commands stop a search.
            Some(_) => Haste::AtOnce,
            None => uci::haste(line),
        };
        match haste {
            Haste::AtOnce => return self.execute(line),
            Haste::Stop => {
                self.waiting.stop();
                self.session.search_thread.stop();
            }
            Haste::Quit => {
                self.answer_all();
                return Flow::Quit;
            }
            Haste::InOrder => {
                self.proceed();
                if self.is_held() {
                    self.waiting.push(line);
                } else {
                    return self.execute(line);
                }
            }
        }
        Flow::Continue
    }

    /// Resets the loop to its initial state, reusing memory and search thread: for running many scripts one after the other.
    pub fn begin_again(&mut self) {
        self.waiting.clear();
        self.session.begin_again();
        self.uci = Uci::default();
        self.cecp = None;
    }

    fn execute(&mut self, line: &str) -> Flow {
        if self.cecp.is_none() && line == "xboard" {
            self.cecp = Some(Cecp::default());
        }
        if let Some(cecp) = &mut self.cecp {
            return cecp.handle(&mut self.session, line);
        }
        self.uci.handle(&mut self.session, line);
        Flow::Continue
    }

    /// Whether the next command in order must wait.
    fn is_held(&mut self) -> bool {
        self.cecp.is_none() && (!self.waiting.is_empty() || self.session.search_thread.has_end())
    }

    /// Executes waiting lines, up to one that starts a bounded search.
    fn proceed(&mut self) {
        while !self.waiting.is_empty()
            && (self.cecp.is_some() || !self.session.search_thread.has_end())
        {
            self.execute_oldest();
        }
    }

    fn execute_oldest(&mut self) {
        if let Some((line, is_stopped)) = self.waiting.pop() {
            self.execute(&line);
            if is_stopped {
                self.session.search_thread.stop();
            }
        }
    }

    /// Stops the search and the searches of waiting lines; each prints its answer, unless output is blocked.
    fn answer_all(&mut self) {
        self.waiting.stop();
        while self.session.search_thread.finish_soon() && !self.waiting.is_empty() {
            self.execute_oldest();
        }
    }

    /// Waits until the search has ended.
    fn wait(&mut self) {
        self.session.search_thread.wait(Duration::MAX);
    }

    /// Handles the end of input.
    fn end(&mut self) {
        self.proceed();
        while !self.waiting.is_empty() {
            self.session.search_thread.conclude(LONGEST_MATE);
            self.proceed();
        }
        match &mut self.cecp {
            Some(cecp) => cecp.end(&mut self.session),
            None => self.session.search_thread.conclude(LONGEST_MATE),
        }
    }
}
