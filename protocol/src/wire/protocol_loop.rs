//! What hears the lines of standard input and obeys them. It never waits for a search, so that `isready`, `stop` and
//! `quit` are always heard; other lines wait until a search before them that has an end has come to it.

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

/// Setting up a game and listing its turns need more than a thread has by default.
const STACK: usize = 16 << 20;

/// Speaks the protocol on standard input and output until `quit` or the end of input.
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

/// The same with a person, who is greeted and has a line editor.
fn talk(variant: Variant, mut editor: LineEditor) -> io::Result<()> {
    // Said at once; what the sink is given may come behind the first prompt.
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
                // Who waits for it is gone only at the end.
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
    // What it said last is on the screen before the editor is gone.
    let _ = attendant.join();
    Ok(())
}

/// What hears lines and obeys them, in one protocol or another.
pub struct ProtocolLoop {
    shell: EngineSession,
    uci: Uci,
    cecp: Option<Cecp>,
    waiting: Waiting,
    events: Events,
}

impl ProtocolLoop {
    /// At the start position of a game.
    ///
    /// # Errors
    /// When there is no thread or no memory to begin with.
    pub fn new(variant: Variant, output: Output) -> io::Result<Self> {
        let events = Events::default();
        let bell = events.bell();
        Ok(Self {
            shell: EngineSession::new(variant, output, move || bell.ring())?,
            uci: Uci::default(),
            cecp: None,
            waiting: Waiting::default(),
            events,
        })
    }

    /// Where lines for this listener are put in.
    pub fn lines(&self) -> Lines {
        self.events.lines()
    }

    /// Obeys lines until `quit`, or until there are no more: then searches that have an end come to it, and any other
    /// answers at once. `heard` is called after each line.
    pub fn listen(&mut self, heard: &mut dyn FnMut(Flow)) {
        loop {
            match self.events.next() {
                Event::Line(Line::Text(line)) => {
                    let flow = self.hear(&line);
                    heard(flow);
                    if flow == Flow::Quit {
                        return;
                    }
                }
                Event::Line(Line::TooLong) => {
                    let output = &self.shell.output;
                    output.error("a line of more than 64 MB is not read");
                    heard(Flow::Continue);
                }
                Event::SearchEnded => {}
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

    /// Hears a line: it is obeyed, or waits for the search before it.
    pub fn hear(&mut self, line: &str) -> Flow {
        let line = line.trim_start_matches('\u{feff}').trim();
        self.shell.output.note_input(line);
        let haste = match self.cecp {
            // That protocol says itself which commands stop a search, and which are for later.
            Some(_) => Haste::AtOnce,
            None => uci::haste(line),
        };
        match haste {
            Haste::AtOnce => return self.obey(line),
            Haste::Stop => {
                self.waiting.stop();
                self.shell.search_thread.stop();
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
                    return self.obey(line);
                }
            }
        }
        Flow::Continue
    }

    /// As at the beginning, with the memory and the search thread that are there: for many scripts, one after the other.
    pub fn begin_again(&mut self) {
        self.waiting.clear();
        self.shell.begin_again();
        self.uci = Uci::default();
        self.cecp = None;
    }

    fn obey(&mut self, line: &str) -> Flow {
        if self.cecp.is_none() && line == "xboard" {
            self.cecp = Some(Cecp::default());
        }
        if let Some(cecp) = &mut self.cecp {
            return cecp.handle(&mut self.shell, line);
        }
        self.uci.handle(&mut self.shell, line);
        Flow::Continue
    }

    /// Whether the next line in order has to wait.
    fn is_held(&mut self) -> bool {
        self.cecp.is_none() && (!self.waiting.is_empty() || self.shell.search_thread.has_end())
    }

    /// Obeys lines that wait, up to one that starts a search with an end.
    fn proceed(&mut self) {
        while !self.waiting.is_empty()
            && (self.cecp.is_some() || !self.shell.search_thread.has_end())
        {
            self.obey_oldest();
        }
    }

    fn obey_oldest(&mut self) {
        if let Some((line, is_stopped)) = self.waiting.pop() {
            self.obey(&line);
            if is_stopped {
                self.shell.search_thread.stop();
            }
        }
    }

    /// Stops the search and those of the lines that wait; each answers, unless nobody reads it.
    fn answer_all(&mut self) {
        self.waiting.stop();
        while self.shell.search_thread.finish_soon() && !self.waiting.is_empty() {
            self.obey_oldest();
        }
    }

    /// Waits until the search has come to its end.
    fn wait(&mut self) {
        self.shell.search_thread.wait(Duration::MAX);
    }

    /// There is no more input.
    fn end(&mut self) {
        self.proceed();
        while !self.waiting.is_empty() {
            self.shell.search_thread.conclude(LONGEST_MATE);
            self.proceed();
        }
        match &mut self.cecp {
            Some(cecp) => cecp.end(&mut self.shell),
            None => self.shell.search_thread.conclude(LONGEST_MATE),
        }
    }
}
