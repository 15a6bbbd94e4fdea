//! What the listener waits for: lines, their end, and the ends of searches.

use crate::wire::input::{Line, read_line};
use std::io::BufRead;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// How many lines are read before the listener has heard them. There is room for one at least, so that the bell is never
/// lost; few, since lines may be long.
const AHEAD: usize = 8;

/// Something that has happened.
#[derive(Debug)]
pub enum Event {
    /// A line has come in.
    Line(Line),
    /// There are no more lines.
    End,
    /// A search may have come to its end.
    SearchEnded,
}

/// The events of one listener.
#[derive(Debug)]
pub struct Events {
    sender: SyncSender<Event>,
    receiver: Receiver<Event>,
}

impl Default for Events {
    fn default() -> Self {
        let (sender, receiver) = sync_channel(AHEAD);
        Self { sender, receiver }
    }
}

impl Events {
    /// The next event; waits for it.
    pub fn next(&self) -> Event {
        // It cannot fail, since a sender is here.
        self.receiver.recv().unwrap_or(Event::End)
    }

    /// Where lines are put in.
    pub fn lines(&self) -> Lines {
        Lines(self.sender.clone())
    }

    /// Reports the ends of searches.
    pub fn bell(&self) -> Bell {
        Bell(self.sender.clone())
    }
}

/// Where lines are put in.
#[derive(Clone, Debug)]
pub struct Lines(SyncSender<Event>);

impl Lines {
    /// Reads lines from a stream to its end.
    pub fn read(&self, mut input: impl BufRead) {
        while let Some(line) = read_line(&mut input) {
            if !self.send(line) {
                return;
            }
        }
        self.end();
    }

    /// Puts a line in. Says whether there is still a listener.
    pub fn send(&self, line: Line) -> bool {
        self.0.send(Event::Line(line)).is_ok()
    }

    /// There are no more lines.
    pub fn end(&self) {
        // Nobody who could hear it is missing.
        let _ = self.0.send(Event::End);
    }
}

/// Reports the ends of searches.
#[derive(Clone, Debug)]
pub struct Bell(SyncSender<Event>);

impl Bell {
    /// A search has come to its end. Where there is no room for the event the listener has others to hear, and looks at its
    /// search after each.
    pub fn ring(&self) {
        let _ = self.0.try_send(Event::SearchEnded);
    }
}
