//! Whether a run is to end at once.

use crate::player::group;
use std::sync::atomic::{AtomicBool, Ordering};

/// Said once to all workers: games in progress are given up, and not recorded.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Says it.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was said, or all players were ended with this program.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) || group::is_endgame()
    }
}
