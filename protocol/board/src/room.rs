//! Where searches run: each on a thread of its own, or, where there are no threads, one after the other when the program finds the time, or
//! in another instance of the board.

use crate::elsewhere::{Elsewhere, Wanted};
#[cfg(feature = "server")]
use crate::keep::Keeper;
use crate::lock::locked;
#[cfg(feature = "server")]
use crate::opponent::Opponents;
use crate::permits::SearchPermits;
use crate::play::AnyGame;
use crate::search::{Said, Search, Task};
use fauve_engine::Variant;
use fauve_engine::search::{Control, Instant};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How often a turn that is found but not yet made is asked whether it is wanted still.
const TICK: Duration = Duration::from_millis(10);

/// What a search is for, the more urgent ones later. Pages that analyse for hours do not keep games from being played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// Analysis, which has no end.
    Analysis,
    /// The assessment of a game.
    Review,
    /// A turn of the engine.
    Turn,
}

/// A search from outside: how it is stopped.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    /// Stopped when nothing of the search is wanted any more. It may be asked at any time.
    pub(crate) wanted: Arc<Control>,
    /// The control of the search itself. Without threads to ask it lets others work meanwhile: never with a lock in hand.
    pub(crate) search: Arc<Control>,
}

impl Handle {
    /// Ends the search; its result is not wanted.
    pub(crate) fn stop(&self) {
        self.wanted.stop();
        self.search.stop();
    }

    /// Whether the result is still wanted.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.wanted.is_stopped()
    }
}

type Work = Box<dyn FnOnce() + Send>;

/// A search that waits.
struct Job {
    kind: Kind,
    handle: Handle,
    work: Work,
}

/// Searches without threads.
pub(crate) struct Queue {
    waiting: Mutex<VecDeque<Job>>,
    /// Those that have begun, each more urgent than the one before, which waits for it.
    running: Mutex<Vec<Kind>>,
    /// Asked by searches all the time, so that others can work meanwhile.
    yields: fn() -> bool,
    /// Waits.
    rest: fn(Duration),
}

enum Runner {
    Threads {
        turns: Arc<SearchPermits>,
        analyses: Arc<SearchPermits>,
    },
    Queue(Queue),
    Elsewhere(Elsewhere),
    /// A system that gives no threads.
    #[cfg(test)]
    Exhausted,
}

/// The system gives no thread for a search. What waits for it is to be told, since nothing else will come of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("The system has no thread for a search just now.")]
pub(crate) struct NoThread;

/// What all games share: places for searches, and how long the engine takes at least.
pub(crate) struct EngineRoom {
    runner: Runner,
    /// The least time for a turn against a person.
    pub(crate) pause: Duration,
    /// Where games are kept, if they are.
    #[cfg(feature = "server")]
    pub(crate) keeper: Option<Keeper>,
    /// The other programs.
    #[cfg(feature = "server")]
    pub(crate) opponents: Opponents,
}

impl EngineRoom {
    /// With threads, this number of searches at once for turns, and as many for analyses.
    #[cfg_attr(
        not(feature = "server"),
        allow(dead_code, reason = "only the server has threads")
    )]
    pub(crate) fn new(searches: usize, pause: Duration) -> Arc<Self> {
        Arc::new(Self::with_threads(searches, pause))
    }

    /// The same, with games that are kept and other programs to be played against.
    #[cfg(feature = "server")]
    pub(crate) fn of_server(
        searches: usize,
        pause: Duration,
        keeper: Option<Keeper>,
        opponents: Opponents,
    ) -> Arc<Self> {
        Arc::new(Self {
            keeper,
            opponents,
            ..Self::with_threads(searches, pause)
        })
    }

    /// Whether a program of this name can be played against in a game.
    #[cfg(feature = "server")]
    pub(crate) fn has_program(&self, name: &str, variant: Variant) -> bool {
        self.opponents.plays(name, variant)
    }

    /// Whether a program of this name can be played against in a game.
    #[cfg(not(feature = "server"))]
    #[expect(clippy::unused_self, reason = "without a server there are no programs")]
    pub(crate) const fn has_program(&self, _: &str, _: Variant) -> bool {
        false
    }

    fn with_threads(searches: usize, pause: Duration) -> Self {
        let runner = Runner::Threads {
            turns: Arc::new(SearchPermits::new(searches)),
            analyses: Arc::new(SearchPermits::new(searches)),
        };
        Self::of(runner, pause)
    }

    fn of(runner: Runner, pause: Duration) -> Self {
        Self {
            runner,
            pause,
            #[cfg(feature = "server")]
            keeper: None,
            #[cfg(feature = "server")]
            opponents: Opponents::default(),
        }
    }

    /// Without threads.
    pub(crate) fn queueing(pause: Duration, yields: fn() -> bool, rest: fn(Duration)) -> Arc<Self> {
        let queue = Queue {
            waiting: Mutex::default(),
            running: Mutex::default(),
            yields,
            rest,
        };
        Arc::new(Self::of(Runner::Queue(queue), pause))
    }

    /// Where the system gives no threads.
    #[cfg(test)]
    pub(crate) fn exhausted() -> Arc<Self> {
        Arc::new(Self::of(Runner::Exhausted, Duration::ZERO))
    }

    /// Where searches run elsewhere.
    pub(crate) fn searching_elsewhere(pause: Duration) -> Arc<Self> {
        Arc::new(Self::of(Runner::Elsewhere(Elsewhere::default()), pause))
    }

    /// The searches that run elsewhere.
    pub(crate) const fn elsewhere(&self) -> Option<&Elsewhere> {
        match &self.runner {
            Runner::Elsewhere(elsewhere) => Some(elsewhere),
            _ => None,
        }
    }

    /// The control of a search.
    pub(crate) fn control(&self) -> Control {
        match &self.runner {
            Runner::Queue(queue) => Control::asking(queue.yields),
            _ => Control::default(),
        }
    }

    /// How a new search is stopped.
    pub(crate) fn handle(&self) -> Handle {
        Handle {
            wanted: Arc::default(),
            search: Arc::new(self.control()),
        }
    }

    /// Waits until a moment, or until the search is stopped.
    pub(crate) fn rest_until(&self, time: Instant, search: &Control) {
        loop {
            let left = time.saturating_duration_since(Instant::now());
            if left.is_zero() || search.is_stopped() {
                return;
            }
            match &self.runner {
                Runner::Threads { .. } => thread::sleep(left.min(TICK)),
                Runner::Queue(queue) => (queue.rest)(left.min(TICK)),
                // `Elsewhere::settle` looks whether a search is due.
                Runner::Elsewhere(_) => return,
                #[cfg(test)]
                Runner::Exhausted => unreachable!("no search has begun"),
            }
        }
    }

    /// Runs a search that an answer waits for, once there is a place for it, and gives what it has said last. The control is one of
    /// [`Self::control`].
    ///
    /// # Errors
    /// It has to run elsewhere first.
    pub(crate) fn now(
        &self,
        game: &dyn AnyGame,
        task: &Task,
        control: &Control,
    ) -> Result<Option<Said>, Wanted> {
        let _place = match &self.runner {
            Runner::Threads { turns, .. } => match turns.wait(control) {
                Some(place) => Some(place),
                None => return Ok(None),
            },
            Runner::Queue(_) => None,
            Runner::Elsewhere(elsewhere) => return elsewhere.now(game, task),
            #[cfg(test)]
            Runner::Exhausted => return Ok(None),
        };
        let mut last = None;
        task.run(game, control, &mut |said| last = Some(said));
        Ok(last)
    }

    /// Runs a search by and by. One that breaks down is reported to the pages.
    ///
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn search(self: &Arc<Self>, search: Search) -> Result<(), NoThread> {
        if let Runner::Elsewhere(elsewhere) = &self.runner {
            elsewhere.add(search);
            return Ok(());
        }
        let Search {
            kind,
            handle,
            game,
            task,
            due,
            session,
            mut listener,
        } = search;
        let (room, own) = (Arc::clone(self), handle.clone());
        self.run(kind, &handle, move || {
            session.surviving(|| {
                task.run(&*game, &own.search, &mut |said| listener.hear(said));
                if let Some(due) = due {
                    room.rest_until(due, &own.search);
                }
                listener.end();
            });
        })
    }

    /// Runs work by and by that searches; where searches run elsewhere, never.
    ///
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn run(
        &self,
        kind: Kind,
        handle: &Handle,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<(), NoThread> {
        let handle = handle.clone();
        match &self.runner {
            Runner::Elsewhere(_) => {}
            #[cfg(test)]
            Runner::Exhausted => return Err(NoThread),
            Runner::Queue(queue) => locked(&queue.waiting).push_back(Job {
                kind,
                handle,
                work: Box::new(work),
            }),
            Runner::Threads { turns, analyses } => {
                let places = Arc::clone(if kind == Kind::Turn { turns } else { analyses });
                let run = move || {
                    if let Some(_place) = places.wait(&handle.wanted) {
                        work();
                    }
                };
                let thread = thread::Builder::new().name("search".to_owned());
                thread.spawn(run).map_err(|_| NoThread)?;
            }
        }
        Ok(())
    }

    /// Without threads: runs the search that is most urgent, unless one runs that is as urgent. Gives whether there was one.
    pub(crate) fn run_next(&self) -> bool {
        let Runner::Queue(queue) = &self.runner else {
            return false;
        };
        let Some(job) = queue.next() else {
            return false;
        };
        (job.work)();
        locked(&queue.running).pop();
        true
    }
}

impl Queue {
    /// Takes out the most urgent search, the one that waits longest first, and notes that it runs.
    fn next(&self) -> Option<Job> {
        let mut waiting = locked(&self.waiting);
        waiting.retain(|job| job.handle.is_wanted());
        let urgent = waiting.iter().map(|job| job.kind).max()?;
        let mut running = locked(&self.running);
        if running.last().is_some_and(|last| *last >= urgent) {
            return None;
        }
        running.push(urgent);
        let place = waiting.iter().position(|job| job.kind == urgent)?;
        waiting.remove(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room() -> Arc<EngineRoom> {
        EngineRoom::queueing(Duration::ZERO, || false, |_| {})
    }

    #[test]
    fn without_threads_the_most_urgent_search_runs_first() {
        let room = room();
        let done = Arc::new(Mutex::new(Vec::new()));
        let queue = |kind, name: &'static str| {
            let (done, handle) = (Arc::clone(&done), room.handle());
            let begun = room.run(kind, &handle, move || {
                done.lock().unwrap().push(name);
            });
            begun.unwrap();
            handle
        };
        queue(Kind::Analysis, "analysis");
        queue(Kind::Turn, "turn");
        queue(Kind::Turn, "unwanted").stop();
        queue(Kind::Turn, "another turn");
        while room.run_next() {}
        assert_eq!(*done.lock().unwrap(), ["turn", "another turn", "analysis"]);
    }

    #[test]
    fn a_running_search_is_interrupted_by_more_urgent_ones_only() {
        let room = room();
        let done = Arc::new(Mutex::new(Vec::new()));
        let handle = room.handle();
        let (inner, inside) = (Arc::clone(&room), Arc::clone(&done));
        let begun = room.run(Kind::Review, &handle, move || {
            for (kind, name) in [
                (Kind::Analysis, "analysis"),
                (Kind::Review, "review"),
                (Kind::Turn, "turn"),
            ] {
                let done = Arc::clone(&inside);
                let begun = inner.run(kind, &inner.handle(), move || {
                    done.lock().unwrap().push(name);
                });
                begun.unwrap();
            }
            // As a search does that lets others work.
            while inner.run_next() {}
            inside.lock().unwrap().push("the first");
        });
        begun.unwrap();
        while room.run_next() {}
        assert_eq!(
            *done.lock().unwrap(),
            ["turn", "the first", "review", "analysis"]
        );
    }
}
