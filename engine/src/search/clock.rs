//! The clock, stop flag and node count that all threads of a search share.

use super::control::Control;
use super::cpu_clock::thread_time;
use super::limits::Limits;
use super::strength::StrengthLimit;
use crate::rules::Rules;
use crate::search::Instant;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Above the number of any iteration.
const ALL: u32 = u32::MAX;

/// What ends a search, shared by its threads. Its clock starts when the search is requested or, when pondering, when the
/// expected turn is played. Every thread checks it.
pub struct SearchClock<'a> {
    control: &'a Control,
    start: Instant,
    /// Processor time of the main thread when this was created; zero where it is not needed.
    cpu_start: Duration,
    /// The same when the expected turn was played, in nanoseconds: the processor time of pondering does not count.
    cpu_hit: AtomicU64,
    stop: StopConditions,
    /// Highest iteration that some thread has finished; [`ALL`] when the search is to end.
    done: AtomicU32,
    /// Nodes that each thread has published.
    counts: Box<[Count]>,
}

/// Limits that end a search without a stop from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct StopConditions {
    /// Nodes of all threads together; met exactly by one thread.
    pub nodes: Option<u64>,
    /// Time since the clock started.
    pub time: Option<Duration>,
    /// Processor time of the main thread.
    pub cpu_time: Option<Duration>,
    /// Start the clock at [`Control::ponder_hit`], not with the search.
    pub ponder: bool,
}

impl StopConditions {
    /// Those of limits; a weakened engine has a limit of nodes as well, and a game clock gives the time that the search may use at most.
    pub fn of<G: Rules>(
        limits: &Limits<G>,
        strength_limit: Option<&StrengthLimit>,
        by_clock: Option<Duration>,
    ) -> Self {
        let most_nodes = strength_limit.map(|limit| limit.nodes);
        Self {
            nodes: limits.nodes.into_iter().chain(most_nodes).min(),
            time: limits.movetime.into_iter().chain(by_clock).min(),
            cpu_time: limits.cputime,
            ponder: limits.ponder,
        }
    }
}

/// See [`SearchClock::stop_on_panic`].
pub struct StopOnPanic<'a>(&'a SearchClock<'a>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// A node count alone on its cache line (no false sharing).
#[derive(Default)]
#[repr(align(64))]
struct Count(AtomicU64);

impl<'a> SearchClock<'a> {
    /// Creates the clock of a search by `threads` threads that was requested at `start`. The calling thread becomes the
    /// main thread, number 0.
    pub fn new(control: &'a Control, start: Instant, threads: usize, stop: StopConditions) -> Self {
        Self {
            control,
            start,
            cpu_start: stop.cpu_time.map_or(Duration::ZERO, |_| thread_time()),
            cpu_hit: AtomicU64::new(0),
            stop,
            done: AtomicU32::new(0),
            counts: (0..threads).map(|_| Count::default()).collect(),
        }
    }

    /// When the search was requested.
    pub const fn start(&self) -> Instant {
        self.start
    }

    /// The time that the search has taken, by the clock that limits it: processor time of the main thread (the caller) where that is
    /// the limit, else wall-clock time.
    pub fn elapsed(&self) -> Duration {
        if self.stop.cpu_time.is_some() {
            thread_time().saturating_sub(self.cpu_start)
        } else {
            self.start.elapsed()
        }
    }

    /// When the clock started; `None` while pondering.
    pub fn clock_start(&self) -> Option<Instant> {
        if self.stop.ponder {
            self.control.ponder_hit_time()
        } else {
            Some(self.start)
        }
    }

    /// Stops all threads of the search.
    pub fn stop(&self) {
        self.done.store(ALL, Relaxed);
    }

    /// A guard that stops all threads of the search if this one panics while it is held: the panic is raised again once the
    /// others have ended, which may be never.
    pub const fn stop_on_panic(&self) -> StopOnPanic<'_> {
        StopOnPanic(self)
    }

    /// Whether the search has been stopped, from outside or by a thread, or its time is up.
    pub fn is_over(&self) -> bool {
        let over = self.is_done(ALL) || self.control.is_stopped() || self.is_out_of_time();
        if over {
            self.stop();
        }
        over
    }

    fn is_out_of_time(&self) -> bool {
        self.stop.time.is_some_and(|time| {
            self.clock_start()
                .is_some_and(|start| start.elapsed() >= time)
        })
    }

    /// Whether the main thread has used its processor time. Only the main thread may call this.
    fn is_out_of_cpu_time(&self) -> bool {
        let Some(limit) = self.stop.cpu_time else {
            return false;
        };
        let now = thread_time();
        if self.clock_start().is_none() {
            // It moves along until the clock starts: then it is at most one check old.
            self.cpu_hit.store(now.as_nanos() as u64, Relaxed);
            return false;
        }
        let hit = Duration::from_nanos(self.cpu_hit.load(Relaxed));
        now.saturating_sub(self.cpu_start.max(hit)) >= limit
    }

    /// Marks an iteration as finished, so that other threads leave it and all earlier ones.
    pub fn finish(&self, iteration: u32) {
        self.done.fetch_max(iteration, Relaxed);
    }

    /// Whether an iteration has been finished, or the search is to end.
    #[inline(always)]
    fn is_done(&self, iteration: u32) -> bool {
        self.done.load(Relaxed) >= iteration
    }

    /// Published nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.counts.iter().map(|count| count.0.load(Relaxed)).sum()
    }
}

/// One thread's access to the shared clock, with the thread's own node count.
pub struct ThreadClock<'a> {
    common: &'a SearchClock<'a>,
    thread: usize,
    nodes: u64,
    /// Node count at which limits and time are checked next.
    next_check: u64,
    interval: u64,
    /// Iteration of this thread; [`ALL`] between iterations, and in searches without them.
    iteration: u32,
    stopped: bool,
}

impl<'a> ThreadClock<'a> {
    /// Creates the clock of a thread (numbered from 0) that checks limits and time every `interval` nodes.
    pub const fn new(common: &'a SearchClock<'a>, thread: usize, interval: u64) -> Self {
        Self {
            common,
            thread,
            nodes: 0,
            next_check: 0,
            interval,
            iteration: ALL,
            stopped: false,
        }
    }

    /// Begins an iteration: the thread stops when another has finished it.
    pub const fn begin(&mut self, iteration: u32) {
        self.iteration = iteration;
        self.stopped = false;
    }

    /// Leaves the iteration: now only the end of the search stops the thread.
    pub fn rest(&mut self) {
        self.begin(ALL);
        self.stopped = self.common.is_done(ALL);
    }

    /// The shared clock.
    pub const fn common(&self) -> &'a SearchClock<'a> {
        self.common
    }

    /// Nodes of this thread.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node.
    #[inline(always)]
    pub const fn count(&mut self) {
        self.nodes += 1;
    }

    /// Whether this thread has found the search, or its iteration, to be over. Values computed since then are invalid.
    #[inline(always)]
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the search must end now; called before each node. A stop is seen at once, limits and time every few nodes.
    #[inline(always)]
    pub fn check(&mut self) -> bool {
        if self.nodes >= self.next_check || self.common.is_done(self.iteration) {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish();
        let limit = self.common.stop.nodes.unwrap_or(u64::MAX);
        let alone = self.common.counts.len() == 1;
        if limit < u64::MAX
            && if alone {
                self.nodes
            } else {
                self.common.nodes()
            } >= limit
        {
            self.common.stop();
        }
        self.next_check = self.nodes.saturating_add(self.interval).min(limit);
        self.check_time();
    }

    /// Checks the time at once, but not the node limit: for long work between two nodes.
    pub fn check_time(&mut self) -> bool {
        if self.thread == 0 && self.common.is_out_of_cpu_time() {
            self.common.stop();
        }
        self.stopped = self.common.is_over() || self.common.is_done(self.iteration);
        self.stopped
    }

    /// Publishes the node count of this thread.
    pub fn publish(&self) {
        self.common.counts[self.thread].0.store(self.nodes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes_until_the_end(clock: &mut ThreadClock) -> u64 {
        while !clock.check() {
            clock.count();
        }
        clock.nodes()
    }

    #[test]
    fn a_thread_is_at_an_iteration_until_another_has_finished_it() {
        let control = Control::default();
        let clock = SearchClock::new(&control, Instant::now(), 2, StopConditions::default());
        let mut thread = ThreadClock::new(&clock, 1, u64::MAX);
        thread.begin(5);
        clock.finish(4);
        assert!(!thread.check());
        clock.finish(5);
        assert!(thread.check() && thread.stopped() && !clock.is_over());
        thread.rest();
        assert!(!thread.check());
        thread.begin(6);
        clock.finish(3);
        assert!(!thread.check());
        clock.stop();
        clock.finish(6);
        assert!(thread.check() && clock.is_over());
        thread.rest();
        assert!(thread.stopped());
    }

    #[test]
    fn one_thread_meets_a_node_limit_exactly() {
        for limit in [0, 1, 63, 64, 65, 1000] {
            let control = Control::default();
            let ends = StopConditions {
                nodes: Some(limit),
                ..StopConditions::default()
            };
            let clock = SearchClock::new(&control, Instant::now(), 1, ends);
            let mut thread = ThreadClock::new(&clock, 0, 64);
            assert_eq!(nodes_until_the_end(&mut thread), limit);
            assert_eq!(clock.nodes(), limit);
        }
    }

    #[test]
    fn threads_meet_a_node_limit_together() {
        let control = Control::default();
        let ends = StopConditions {
            nodes: Some(10_000),
            ..StopConditions::default()
        };
        let clock = SearchClock::new(&control, Instant::now(), 4, ends);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let mut thread = ThreadClock::new(&clock, thread, 16);
                scope.spawn(move || {
                    nodes_until_the_end(&mut thread);
                    thread.publish();
                });
            }
        });
        let nodes = clock.nodes();
        assert!((10_000..10_000 + 4 * 16).contains(&nodes), "{nodes}");
    }

    #[test]
    fn any_thread_sees_that_time_is_up_and_the_others_see_its_stop_at_the_next_node() {
        let control = Control::default();
        let ends = StopConditions {
            time: Some(Duration::from_millis(5)),
            ..StopConditions::default()
        };
        let clock = SearchClock::new(&control, Instant::now(), 2, ends);
        let mut first = ThreadClock::new(&clock, 0, u64::MAX);
        let mut second = ThreadClock::new(&clock, 1, 8);
        assert!(!first.check());
        first.count();
        nodes_until_the_end(&mut second);
        assert!(clock.start().elapsed() >= Duration::from_millis(5));
        assert!(first.check() && first.stopped());
    }

    #[test]
    fn processor_time_is_that_of_the_main_thread() {
        let control = Control::default();
        let ends = StopConditions {
            cpu_time: Some(Duration::from_millis(3)),
            ..StopConditions::default()
        };
        let clock = SearchClock::new(&control, Instant::now(), 2, ends);
        let begin = thread_time();
        let mut helper = ThreadClock::new(&clock, 1, 1);
        while thread_time().saturating_sub(begin) < Duration::from_millis(6) {
            assert!(!helper.check());
            helper.count();
        }
        let mut main = ThreadClock::new(&clock, 0, 1);
        assert!(main.check(), "the main thread's time is up");
        assert!(helper.check(), "the helpers stop with the main thread");
    }

    #[test]
    fn the_clock_of_pondering_begins_with_the_hit() {
        let control = Control::default();
        let ends = StopConditions {
            time: Some(Duration::ZERO),
            ponder: true,
            ..StopConditions::default()
        };
        let clock = SearchClock::new(&control, Instant::now(), 1, ends);
        let mut thread = ThreadClock::new(&clock, 0, 1);
        assert!(!thread.check() && clock.clock_start().is_none());
        control.ponder_hit();
        thread.count();
        assert!(thread.check() && clock.clock_start().is_some());
    }

    #[test]
    fn the_control_stops_a_search_without_limits() {
        let control = Control::default();
        let clock = SearchClock::new(&control, Instant::now(), 1, StopConditions::default());
        let mut thread = ThreadClock::new(&clock, 0, 1);
        assert!(!thread.check());
        control.stop();
        thread.count();
        assert!(thread.check());
    }
}
