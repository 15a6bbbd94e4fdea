//! Time management: the time for a turn (<https://www.chessprogramming.org/Time_Management>).

use super::limits::Clock;
use std::time::Duration;

/// Time budget of one turn.
///
/// ```
/// use fauve_engine::search::{Budget, Clock};
/// use std::time::Duration;
///
/// let clock = Clock {
///     left: Duration::from_secs(60),
///     increment: Duration::from_secs(1),
///     turns_to_go: None,
/// };
/// let budget = Budget::new(&clock, Duration::from_millis(10));
/// assert!(budget.optimum < budget.maximum);
/// // Even the longest search leaves three quarters of the clock for later turns.
/// assert!(budget.maximum <= clock.left / 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration starts after this. The search stretches it while the best turn changes, and shrinks it while the
    /// best turn is stable.
    pub optimum: Duration,
    /// The search is aborted at this time.
    pub maximum: Duration,
}

impl Budget {
    /// The shortest time for a turn, whatever the clock shows.
    const LEAST: Duration = Duration::from_millis(1);

    /// Allots time to the next turn. `overhead` is the time lost at each turn between engine and referee.
    pub fn new(clock: &Clock, overhead: Duration) -> Self {
        let left = clock.left.saturating_sub(overhead);
        let turns = clock.turns_to_go.unwrap_or(30).clamp(1, 40);
        let share = left / turns + clock.increment * 3 / 4;
        // With an increment alone, a search that always takes the maximum still leaves three increments on the clock:
        // enough for a machine that is busy now and then.
        let most = left.mul_f64((0.9 / f64::from(turns)).max(0.25));
        let optimum = share.min(most);
        Self {
            optimum: optimum.max(Self::LEAST),
            maximum: (share * 5).min(most).max(Self::LEAST),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: u64, increment: u64, turns_to_go: Option<u32>) -> Clock {
        Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            turns_to_go,
        }
    }

    #[test]
    fn a_budget_fits_the_clock() {
        let overhead = Duration::from_millis(10);
        for left in [0, 1, 10, 11, 50, 1000, 60_000, u64::MAX >> 20] {
            for increment in [0, 50, 10_000] {
                for to_go in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let budget = Budget::new(&clock(left, increment, to_go), overhead);
                    assert!(budget.optimum <= budget.maximum, "{left} {increment}");
                    let usable = Duration::from_millis(left).saturating_sub(overhead);
                    assert!(budget.maximum <= usable.max(Budget::LEAST));
                    if to_go.is_none() {
                        assert!(budget.maximum <= (usable / 4).max(Budget::LEAST));
                    }
                }
            }
        }
    }
}
