//! Searches where there are no threads and a search that runs keeps everything else waiting: other instances of the board run them, and
//! the program that carries the texts between them may end such an instance with the search in it.

use crate::lock::locked;
use crate::play::AnyGame;
use crate::room::Kind;
use crate::search::{Said, Search, Task, job_text};
use fauve_engine::search::{Control, Instant};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Running,
    /// It has come to its end, and its turn may have to wait still.
    Over,
}

struct Entry {
    number: u32,
    stage: Stage,
    /// Whether there is something that can be its answer.
    has_said: bool,
    search: Search,
}

/// Searches that run elsewhere.
#[derive(Default)]
pub(crate) struct Elsewhere {
    /// In the order of their numbers.
    entries: Mutex<Vec<Entry>>,
    last: AtomicU32,
    /// What was asked last, and what was found: see [`Self::now`].
    answer: Mutex<Option<(String, Option<Said>)>>,
}

/// An answer waits for a search that has to run elsewhere first: this is its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted(pub(crate) String);

impl Entry {
    fn is_to_end(&self, now: Instant) -> bool {
        let is_due = || self.search.due.is_none_or(|due| due <= now);
        self.search.handle.search.is_stopped() || self.stage == Stage::Over && is_due()
    }

    /// Ends it with what it has said. In the program a search that is stopped at once has a turn, too.
    fn end(self) {
        let Search {
            handle,
            game,
            task,
            mut listener,
            ..
        } = self.search;
        if !handle.is_wanted() {
            return;
        }
        if !self.has_said {
            let stopped = Control::default();
            stopped.stop();
            task.run(&*game, &stopped, &mut |said| listener.hear(said));
        }
        listener.end();
    }
}

impl Elsewhere {
    pub(crate) fn add(&self, search: Search) {
        let mut entries = locked(&self.entries);
        entries.push(Entry {
            number: 1 + self.last.fetch_add(1, Ordering::Relaxed),
            stage: Stage::Waiting,
            has_said: false,
            search,
        });
    }

    /// The most urgent search that waits, the one that waits longest first, unless one runs that is as urgent: its number, and its text.
    pub(crate) fn next(&self) -> Option<(u32, String)> {
        let mut entries = locked(&self.entries);
        let urgency = |entry: &Entry| entry.search.kind;
        let is_waiting = |entry: &&mut Entry| entry.stage == Stage::Waiting;
        let running: Option<Kind> = entries
            .iter()
            .filter(|entry| entry.stage != Stage::Waiting)
            .map(urgency)
            .max();
        let waiting = entries.iter_mut().rev().filter(is_waiting);
        let entry = waiting.max_by_key(|entry| urgency(entry))?;
        if running.is_some_and(|running| running >= urgency(entry)) {
            return None;
        }
        entry.stage = Stage::Running;
        let text = job_text(&*entry.search.game, &entry.search.task);
        Some((entry.number, text))
    }

    /// A search has said something.
    pub(crate) fn hear(&self, number: u32, said: &str) {
        let Some(mut entry) = self.take(|entry| entry.number == number) else {
            return;
        };
        if let Ok(said) = serde_json::from_str(said) {
            entry.has_said = true;
            // It can lead to new searches.
            entry.search.listener.hear(said);
        }
        let mut entries = locked(&self.entries);
        let place = entries.partition_point(|other| other.number < number);
        entries.insert(place, entry);
    }

    /// A search has come to its end by itself.
    pub(crate) fn finish(&self, number: u32) {
        let mut entries = locked(&self.entries);
        if let Some(entry) = entries.iter_mut().find(|entry| entry.number == number) {
            entry.stage = Stage::Over;
            // It has said what there is to say, be it nothing.
            entry.has_said = true;
        }
    }

    /// A search has broken down.
    pub(crate) fn break_down(&self, number: u32) {
        if let Some(entry) = self.take(|entry| entry.number == number)
            && entry.search.handle.is_wanted()
        {
            entry.search.session.search_broke_down();
        }
    }

    /// Ends one of the searches that are over or not wanted to go on, and gives its number; nothing where there is none.
    pub(crate) fn settle(&self) -> Option<u32> {
        let now = Instant::now();
        let entry = self.take(|entry| entry.is_to_end(now))?;
        let number = entry.number;
        entry.end();
        Some(number)
    }

    /// The time until a search that is over is due.
    pub(crate) fn rest(&self) -> Option<Duration> {
        let entries = locked(&self.entries);
        let over = entries.iter().filter(|entry| entry.stage == Stage::Over);
        let due = over.filter_map(|entry| entry.search.due).min()?;
        Some(due.saturating_duration_since(Instant::now()))
    }

    fn take(&self, which: impl FnMut(&Entry) -> bool) -> Option<Entry> {
        let mut entries = locked(&self.entries);
        let place = entries.iter().position(which)?;
        Some(entries.remove(place))
    }

    /// What a search has found that an answer waits for. The first time it is said what has to run; once that is known by
    /// [`Self::answered`], the same request is made again.
    pub(crate) fn now(&self, game: &dyn AnyGame, task: &Task) -> Result<Option<Said>, Wanted> {
        let text = job_text(game, task);
        match locked(&self.answer).take_if(|(asked, _)| *asked == text) {
            Some((_, said)) => Ok(said),
            None => Err(Wanted(text)),
        }
    }

    /// What the search of a text has said last; nothing where that cannot be read.
    pub(crate) fn answered(&self, asked: &str, said: &str) {
        let said = serde_json::from_str(said).ok();
        *locked(&self.answer) = Some((asked.to_owned(), said));
    }
}
