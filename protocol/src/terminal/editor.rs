//! Lines from a person: on a terminal with editing, history and completion, from a pipe as they come.

use crate::signals;
use crate::wire::input::{Line, read_line};
use crate::wire::output::LineSink;
use rustyline::completion::Completer;
use rustyline::config::BellStyle;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper, Result};
use std::io::{self, IsTerminal, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of the program waits for what was said before it.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Lines that the history keeps.
const HISTORY: usize = 1000;

/// Says how a word can go on: the line before it, and what is there of the word; gives whole words.
pub type Complete = Box<dyn Fn(&str, &str) -> Vec<String>>;

/// What came from a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A line, without its end.
    Line(String),
    /// There are no more.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// Where lines come from.
pub enum Lines {
    /// A terminal.
    Editor(Box<LineEditor>),
    /// Anything else.
    Plain,
}

impl Lines {
    /// Standard input, with a line editor where a person sits. `name` is that of the history.
    pub fn open(name: &str) -> Self {
        LineEditor::open(name).map_or(Self::Plain, |editor| Self::Editor(Box::new(editor)))
    }

    /// Whether a person types them.
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Editor(_))
    }

    /// The next line; the prompt is shown, whatever reads it.
    ///
    /// # Errors
    /// When standard output takes no more.
    pub fn read(
        &mut self,
        prompt: &str,
        complete: Complete,
    ) -> std::result::Result<Entry, super::PrintError> {
        match self {
            Self::Editor(editor) => Ok(editor.read(prompt, complete)),
            Self::Plain => {
                let mut out = super::Printer::default();
                write!(out, "{prompt}")?;
                out.flush()?;
                Ok(match read_line(&mut stdin().lock()) {
                    Some(Line::Text(line)) => Entry::Line(line),
                    Some(Line::TooLong) => Entry::Line(String::new()),
                    None => Entry::End,
                })
            }
        }
    }
}

/// A line editor with a history of its own.
pub struct LineEditor {
    editor: Editor<Words, FileHistory>,
    history: Option<PathBuf>,
    /// Texts that are on their way to the screen.
    pending: Arc<AtomicUsize>,
}

impl LineEditor {
    /// An editor where standard input and output are a terminal; `None` elsewhere, or if the terminal is none to edit on.
    pub fn open(name: &str) -> Option<Self> {
        if !stdin().is_terminal() || !stdout().is_terminal() {
            return None;
        }
        signals::keep_terminal();
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .bell_style(BellStyle::None)
            .max_history_size(HISTORY)
            .ok()?
            .build();
        let mut editor = Editor::with_config(config).ok()?;
        editor.set_helper(Some(Words(Box::new(|_, _| Vec::new()))));
        let history = history_file(name);
        if let Some(file) = &history {
            // There is none the first time.
            let _ = editor.load_history(file);
        }
        Some(Self {
            editor,
            history,
            pending: Arc::default(),
        })
    }

    /// The next line.
    pub fn read(&mut self, prompt: &str, complete: Complete) -> Entry {
        if let Some(words) = self.editor.helper_mut() {
            words.0 = complete;
        }
        match self.editor.readline(prompt) {
            Ok(line) => {
                if !line.trim().is_empty() {
                    let _ = self.editor.add_history_entry(line.trim());
                }
                Entry::Line(line)
            }
            Err(ReadlineError::Interrupted) => Entry::Interrupted,
            Err(_) => Entry::End,
        }
    }

    /// A way to say lines while somebody types: they appear above what is typed. It never waits for the typing, so that who
    /// says something cannot be held up by it.
    ///
    /// # Errors
    /// When the terminal or the system has none to give.
    pub fn sink(&mut self) -> io::Result<LineSink> {
        let mut printer = self
            .editor
            .create_external_printer()
            .map_err(io::Error::other)?;
        let (sender, texts) = channel::<String>();
        let (sent, shown) = (Arc::clone(&self.pending), Arc::clone(&self.pending));
        thread::Builder::new()
            .name("printer".to_owned())
            .spawn(move || {
                for text in texts {
                    // A terminal that is gone ends the program by its own signal.
                    let _ = printer.print(text + "\n");
                    shown.fetch_sub(1, Ordering::Relaxed);
                }
            })?;
        Ok(Box::new(move |text| {
            sent.fetch_add(1, Ordering::Relaxed);
            let _ = sender.send(text.to_owned());
        }))
    }
}

impl Drop for LineEditor {
    fn drop(&mut self) {
        let end = Instant::now() + LAST_WORDS;
        while self.pending.load(Ordering::Relaxed) > 0 && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        if let Some(file) = &self.history {
            // A history that cannot be kept is no reason to complain.
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = self.editor.save_history(file);
        }
    }
}

/// Where programs keep such things (XDG base directories).
fn history_file(name: &str) -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let folder = state.filter(|path| path.is_absolute()).or_else(home)?;
    Some(folder.join("fauve").join(name))
}

/// What rustyline asks about a line; only completion is answered.
struct Words(Complete);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        let before = &line[..end];
        let begin = before
            .rfind(char::is_whitespace)
            .map_or(0, |blank| blank + 1);
        let (before, word) = before.split_at(begin);
        Ok((begin, (self.0)(before, word)))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
