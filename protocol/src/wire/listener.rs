//! The loop that reads standard input. It never waits for a search, so that `isready`, `stop` and `quit` are always
//! heard.

use crate::signals;
use crate::terminal::{Entry, LineEditor};
use crate::wire::cecp::Cecp;
use crate::wire::input::{Flow, Line, read_line};
use crate::wire::output::Output;
use crate::wire::shell::Shell;
use crate::wire::uci::{self, Uci};
use fauve_engine::Variant;
use std::io::{self, BufRead};

/// Speaks the protocol on standard input and output until `quit` or the end of input.
///
/// # Errors
/// When the engine cannot be set up.
pub fn run(variant: Variant) -> io::Result<()> {
    if let Some(editor) = LineEditor::open("wire") {
        return talk(variant, editor);
    }
    let mut listener = Listener::new(variant, Output::default())?;
    listener.listen(&mut io::stdin().lock());
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
    let mut listener = Listener::new(variant, Output::to(editor.sink()?))?;
    loop {
        match editor.read("> ", Box::new(uci::complete)) {
            Entry::Line(line) => {
                if listener.hear(&line) == Flow::Quit {
                    return Ok(());
                }
            }
            Entry::End => {
                listener.end();
                return Ok(());
            }
            Entry::Interrupted => {
                drop(editor);
                signals::end();
                return Ok(());
            }
        }
    }
}

/// What hears lines and obeys them, in one protocol or another.
pub struct Listener {
    shell: Shell,
    uci: Uci,
    cecp: Option<Cecp>,
}

impl Listener {
    /// At the start position of a game.
    ///
    /// # Errors
    /// When there is no thread or no memory to begin with.
    pub fn new(variant: Variant, output: Output) -> io::Result<Self> {
        Ok(Self {
            shell: Shell::new(variant, output)?,
            uci: Uci::default(),
            cecp: None,
        })
    }

    /// Obeys lines until `quit`, which leaves a search unfinished, or until there are no more: then a search that ends by
    /// itself comes to its end, and any other answers at once.
    pub fn listen(&mut self, input: &mut impl BufRead) {
        while let Some(line) = read_line(input) {
            let flow = match line {
                Line::Text(line) => self.hear(&line),
                Line::TooLong => {
                    let output = &self.shell.output;
                    output.error("a line of more than 64 MB is not read");
                    Flow::Continue
                }
            };
            if flow == Flow::Quit {
                return;
            }
        }
        self.end();
    }

    /// Obeys a line.
    pub fn hear(&mut self, line: &str) -> Flow {
        let line = line.trim_start_matches('\u{feff}').trim();
        self.shell.output.note_input(line);
        if self.cecp.is_none() && line == "xboard" {
            self.cecp = Some(Cecp::default());
        }
        match &mut self.cecp {
            Some(cecp) => cecp.handle(&mut self.shell, line),
            None => self.uci.handle(&mut self.shell, line),
        }
    }

    /// As at the beginning, with the memory and the search thread that are there: for many scripts, one after the other.
    pub fn begin_again(&mut self) {
        self.shell.begin_again();
        self.uci = Uci::default();
        self.cecp = None;
    }

    /// There is no more input.
    pub fn end(&mut self) {
        match &mut self.cecp {
            Some(cecp) => cecp.end(&mut self.shell),
            None => self.shell.search_thread.conclude(),
        }
    }
}
