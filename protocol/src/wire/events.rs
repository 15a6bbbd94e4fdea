//! Events of the protocol loop: input lines, the end of input, and ends of searches.

use crate::wire::input::{Line, read_line};
use std::io::BufRead;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Capacity of the event channel, in events. At least 1, so that the end of a search is never missed; small, since lines may
/// be long.
const AHEAD: usize = 8;

/// An event.
#[derive(Debug)]
pub enum Event {
    /// An input line arrived.
    Line(Line),
    /// There are no more lines.
    End,
    /// A search may have ended.
    SearchEnded,
}

/// The event channel of a protocol loop.
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
    /// Waits for the next event and returns it.
    pub fn next(&self) -> Event {
        // Cannot fail: `self` holds a sender.
        self.receiver.recv().unwrap_or(Event::End)
    }

    /// Returns a sender of input lines.
    pub fn lines(&self) -> Lines {
        Lines(self.sender.clone())
    }

    /// Returns a sender of ends of searches.
    pub fn bell(&self) -> Bell {
        Bell(self.sender.clone())
    }
}

/// A sender of input lines.
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

    /// Sends a line. Returns whether the protocol loop still exists.
    pub fn send(&self, line: Line) -> bool {
        self.0.send(Event::Line(line)).is_ok()
    }

    /// Sends the end of input.
    pub fn end(&self) {
        // An error means that the protocol loop has already ended.
        let _ = self.0.send(Event::End);
    }
}

/// A sender of ends of searches.
#[derive(Clone, Debug)]
pub struct Bell(SyncSender<Event>);

impl Bell {
    /// Reports the end of a search. If the channel is full, the event can be dropped: the protocol loop checks its search after
    /// every event.
    pub fn ring(&self) {
        let _ = self.0.try_send(Event::SearchEnded);
    }
}
