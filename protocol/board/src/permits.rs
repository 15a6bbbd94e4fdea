//! How many searches run at once: more wait their turn.

use crate::lock::locked;
use fauve_engine::search::Control;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long a waiting search sleeps before it looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// The places for searches.
#[derive(Debug)]
pub(crate) struct SearchPermits {
    free: Mutex<usize>,
    changed: Condvar,
}

/// A place that is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Slot<'a>(&'a SearchPermits);

impl SearchPermits {
    /// The number of places.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            free: Mutex::new(count),
            changed: Condvar::new(),
        }
    }

    /// Waits for a place; `None` once the search is asked to stop.
    pub(crate) fn wait(&self, control: &Control) -> Option<Slot<'_>> {
        let mut free = locked(&self.free);
        loop {
            if control.is_stopped() {
                return None;
            }
            if *free > 0 {
                *free -= 1;
                return Some(Slot(self));
            }
            free = self
                .changed
                .wait_timeout(free, LOOK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *locked(&self.0.free) += 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_waited_for_and_given_back() {
        let slots = SearchPermits::new(1);
        let go = Control::default();
        let first = slots.wait(&go);
        assert!(first.is_some());
        let stopped = Control::default();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| slots.wait(&stopped).is_none());
            stopped.stop();
            assert!(waiting.join().unwrap(), "no place, and no longer wanted");
            let waiting = scope.spawn(|| slots.wait(&go).is_some());
            drop(first);
            assert!(waiting.join().unwrap());
        });
    }
}
