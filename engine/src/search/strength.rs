//! Play below full strength.

use super::limits::Limits;
use crate::rules::Rules;
use std::time::Duration;

/// How a search is weakened for an Elo figure: fewer nodes, and an error on every evaluation that depends on the
/// position alone, so that the engine misjudges rather than blunders at random. The figures are guesses that order
/// the levels; they are not calibrated against players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// The most nodes of a search: 200 at the lowest level, doubled every 120 Elo.
    pub nodes: u64,
    /// The amplitude of the error in centipawns: 0 at the highest level, one more every 5 Elo below.
    pub noise: i32,
}

impl Handicap {
    /// The lowest level.
    pub const LOWEST: u32 = 800;
    /// The highest level: full strength with a node limit of some ten million.
    pub const HIGHEST: u32 = 2700;

    /// The handicap for an Elo figure, which is brought into the range of the levels.
    ///
    /// ```
    /// use fauve_engine::search::Handicap;
    ///
    /// let (weak, strong) = (Handicap::of(1000), Handicap::of(2000));
    /// assert!(weak.nodes < strong.nodes && weak.noise > strong.noise);
    /// assert_eq!(Handicap::of(9000), Handicap::of(Handicap::HIGHEST));
    /// ```
    pub fn of(elo: u32) -> Self {
        let elo = elo.clamp(Self::LOWEST, Self::HIGHEST);
        let doublings = f64::from(elo - Self::LOWEST) / 120.0;
        Self {
            nodes: (200.0 * doublings.exp2()) as u64,
            noise: ((Self::HIGHEST - elo) / 5) as i32,
        }
    }
}

/// The levels at which people play against the engine.
pub const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

/// The limits of a level (brought into [`LEVELS`]): 256 nodes at the lowest, four times as many at each above it, and
/// no more than 20 seconds.
///
/// ```
/// use fauve_engine::rules::chess::Chess;
/// use fauve_engine::search::level_limits;
///
/// let nodes = [1, 2, 10, 99].map(|level| level_limits::<Chess>(level).nodes);
/// assert_eq!(nodes, [Some(256), Some(1024), Some(67_108_864), Some(67_108_864)]);
/// ```
pub fn level_limits<G: Rules>(level: u32) -> Limits<G> {
    let level = level.clamp(*LEVELS.start(), *LEVELS.end());
    Limits {
        nodes: Some(64 << (2 * level)),
        movetime: Some(Duration::from_secs(20)),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_see_more_and_err_less() {
        for elo in (800..2700).step_by(50) {
            let (low, high) = (Handicap::of(elo), Handicap::of(elo + 50));
            assert!(low.nodes < high.nodes && low.noise > high.noise);
        }
        assert_eq!(Handicap::of(0), Handicap::of(Handicap::LOWEST));
        assert_eq!(Handicap::of(u32::MAX).noise, 0);
    }
}
