//! Time as players are measured by it: it stands still while the match is suspended (Ctrl-Z), as the players are.

use crate::player::group;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// For how long the match was suspended altogether, in nanoseconds.
static PAUSED: AtomicU64 = AtomicU64::new(0);
/// Whether it is suspended, or has just been resumed and the pause is not measured yet.
static IS_SUSPENDED: AtomicBool = AtomicBool::new(false);

/// A moment of the time that counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(Instant);

impl Moment {
    /// Now. Waits for the end of a suspension.
    pub fn now() -> Self {
        loop {
            let paused = PAUSED.load(Ordering::Acquire);
            let now = Instant::now();
            // A suspension that came in between is in one of the two and not in the other: then both are read again.
            if !IS_SUSPENDED.load(Ordering::Acquire) && PAUSED.load(Ordering::Acquire) == paused {
                let paused = Duration::from_nanos(paused);
                return Self(now.checked_sub(paused).unwrap_or(now));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The time since then.
    pub fn elapsed(self) -> Duration {
        Self::now().since(self)
    }

    /// The time since an earlier moment; none since a later one.
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }

    /// This much later; the longest timeout of a player can be added to any moment.
    #[must_use]
    pub fn after(self, time: Duration) -> Self {
        // An overflow is beyond the life of any process.
        Self(self.0.checked_add(time).unwrap_or(self.0))
    }
}

/// Suspends the players with the match while `stop` does not return: they do not think meanwhile, and no time passes for
/// them.
pub fn suspend(stop: impl FnOnce()) {
    IS_SUSPENDED.store(true, Ordering::Release);
    let begin = Instant::now();
    group::suspend_all();
    stop();
    let pause = begin.elapsed().as_nanos() as u64;
    PAUSED.fetch_add(pause, Ordering::AcqRel);
    IS_SUSPENDED.store(false, Ordering::Release);
    group::resume_all();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_passes_while_the_match_is_suspended() {
        let before = Moment::now();
        let begin = Instant::now();
        suspend(|| thread::sleep(Duration::from_millis(300)));
        let counted = before.elapsed();
        assert!(begin.elapsed() >= Duration::from_millis(300));
        assert!(counted < Duration::from_millis(200), "{counted:?}");
    }
}
