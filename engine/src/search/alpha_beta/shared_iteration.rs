//! The best line of the deepest finished iteration, which the threads of a search share besides the table. All threads work
//! on the same iteration, so that each iteration takes as long as the fastest thread needs.

use super::line::Line;
use crate::search::clock::SearchClock;
use std::sync::{Mutex, PoisonError};

/// Line of the deepest finished iteration; the first thread to finish an iteration provides it.
pub struct SharedIteration<'a, S> {
    clock: &'a SearchClock<'a>,
    best: Mutex<Line<S>>,
}

impl<'a, S: Clone> SharedIteration<'a, S> {
    /// Creates an empty one (iteration 0) for the threads under this clock.
    pub const fn new(clock: &'a SearchClock<'a>) -> Self {
        let best = Mutex::new(Line::exact(0, 0, Vec::new()));
        Self { clock, best }
    }

    /// Publishes the line of an iteration, unless a deeper one has been finished, and ends that iteration for all threads.
    pub fn publish(&self, line: &Line<S>) {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if line.depth > best.depth {
            *best = line.clone();
        }
        drop(best);
        // Only after the line is stored: a thread that stops because of this reads it. The lock sees to that, whatever the order of
        // other memory: had that thread had the lock before this one, it would have read the number before this was written.
        self.clock.finish(line.depth);
    }

    /// Returns the line of the deepest published iteration, if it is at least `from`.
    pub fn take(&self, from: u32) -> Option<Line<S>> {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        (best.depth >= from).then(|| best.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Instant;
    use crate::search::clock::{StopConditions, ThreadClock};
    use crate::search::control::Control;

    #[test]
    fn the_deepest_iteration_s_line_is_handed_on() {
        let control = Control::default();
        let clock = SearchClock::new(&control, Instant::now(), 2, StopConditions::default());
        let shared = SharedIteration::new(&clock);
        let mut thread = ThreadClock::new(&clock, 1, u64::MAX);
        thread.begin(4);
        assert!(!thread.check());
        assert!(shared.take(1).is_none());
        for (iteration, value) in [(2, 20), (4, 40), (3, 30), (4, 41)] {
            shared.publish(&Line::exact(value, iteration, vec![value]));
        }
        let taken = |from| {
            let line = shared.take(from)?;
            Some((line.depth, line.value, line.steps))
        };
        for from in 1..=4 {
            assert_eq!(taken(from), Some((4, 40, vec![40])));
        }
        assert_eq!(taken(5), None);
        assert!(thread.check());
    }
}
