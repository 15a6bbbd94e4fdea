use crate::search::Instant;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

/// Stop and ponder-hit switches by which another thread steers a running search.
///
/// ```
/// use fauve_engine::rules::{Game, Notation, chess::Chess};
/// use fauve_engine::search::{Control, Limits, Searcher, Settings, Table};
/// use std::thread;
///
/// // A search without limits runs until it is stopped, and then has an answer.
/// let game = Game::new(Chess::start(&Default::default()), Default::default());
/// let (table, control) = (Table::new(1).expect("a megabyte"), Control::default());
/// let limits = Limits { infinite: true, ..Limits::default() };
/// let answer = thread::scope(|scope| {
///     let search = scope.spawn(|| {
///         Searcher::new(&table, &Settings::default(), &control).run(&game, &limits, &mut |_| {})
///     });
///     control.stop();
///     search.join().expect("it ends")
/// });
/// assert!(answer.best.is_some());
/// ```
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ponder_hit: OnceLock<Instant>,
    /// Asked together with `stop`.
    wants_stop: Option<fn() -> bool>,
    gate: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// Creates switches that also call a function to find whether the search must end: for single-threaded programs, where no
    /// other thread can stop the search. It is called at least every few hundred nodes and must return quickly.
    ///
    /// ```
    /// use fauve_engine::search::Control;
    ///
    /// assert!(!Control::asking(|| false).is_stopped());
    /// assert!(Control::asking(|| true).is_stopped());
    /// ```
    pub fn asking(wants_stop: fn() -> bool) -> Self {
        Self {
            wants_stop: Some(wants_stop),
            ..Self::default()
        }
    }

    /// Stops the search at the next check of any of its threads.
    pub fn stop(&self) {
        self.change(|| self.stop.store(true, Ordering::Relaxed));
    }

    /// Signals that the expected turn was played: a pondering search continues on its own clock.
    pub fn ponder_hit(&self) {
        self.change(|| {
            self.ponder_hit.get_or_init(Instant::now);
        });
    }

    /// Changes a switch and wakes the threads that wait for it.
    fn change(&self, change: impl FnOnce()) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.notify_all();
    }

    /// Whether the search has been stopped.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        let stops = self.wants_stop.is_some_and(|wants_stop| wants_stop());
        if stops {
            // A stop is final, whatever the function returns later.
            self.stop.store(true, Ordering::Relaxed);
        }
        stops
    }

    /// Whether the expected turn has been played.
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.get().is_some()
    }

    /// When the expected turn was played; `None` before.
    pub fn ponder_hit_time(&self) -> Option<Instant> {
        self.ponder_hit.get().copied()
    }

    /// Sleeps until `time` or `stop`. Without threads it returns at once, because nothing could wake it.
    pub fn wait_until(&self, time: Instant) {
        if cfg!(target_family = "wasm") {
            return;
        }
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() {
            let left = time.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(gate, left);
            gate = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sleeps until the answer of a search may be given: `infinite` waits for `stop`, `ponder` for `ponderhit` or `stop`.
    /// Without either it returns at once, and always without threads, where the caller holds the answer back.
    pub fn wait_for_release(&self, infinite: bool, ponder: bool) {
        if cfg!(target_family = "wasm") {
            return;
        }
        let held = || !self.is_stopped() && (infinite || ponder && !self.is_ponder_hit());
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while held() {
            gate = self
                .changed
                .wait(gate)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
