use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// The switches by which another thread steers a running search.
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
