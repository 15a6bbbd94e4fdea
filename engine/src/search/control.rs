use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// The switches by which another thread steers a running search.
///
/// ```
/// use fauve_engine::rules::{Game, Notation, chess::Chess};
/// use fauve_engine::search::{Control, Engine, Limits, Settings, Table};
/// use std::thread;
///
/// // A search without limits thinks until it is told to stop, and then has an answer.
/// let game = Game::new(Chess::start(&Default::default()), Default::default());
/// let (table, control) = (Table::new(1).expect("a megabyte"), Control::default());
/// let limits = Limits { infinite: true, ..Limits::default() };
/// let answer = thread::scope(|scope| {
///     let search = scope.spawn(|| {
///         Chess::search(&game, &limits, &Settings::default(), &table, &control, &mut |_| {})
///     });
///     control.stop();
///     search.join().expect("it ends")
/// });
/// assert!(answer.best.is_some());
/// ```
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
    gate: Mutex<()>,
    turned: Condvar,
}

impl Control {
    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.turn(&self.stop);
    }

    /// Says that the expected turn was played: a pondering search goes on on its own time.
    pub fn ponder_hit(&self) {
        self.turn(&self.ponder_hit);
    }

    fn turn(&self, switch: &AtomicBool) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        switch.store(true, Ordering::Relaxed);
        self.turned.notify_all();
    }

    /// Whether the search was told to end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether pondering has become thinking.
    #[inline(always)]
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }

    /// Sleeps until the answer of a search may be given: `infinite` waits for `stop`, `ponder` for `ponderhit` or
    /// `stop`; without either the call returns at once.
    pub fn wait_for_release(&self, infinite: bool, ponder: bool) {
        let held = || !self.is_stopped() && (infinite || ponder && !self.is_ponder_hit());
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while held() {
            gate = self
                .turned
                .wait(gate)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
