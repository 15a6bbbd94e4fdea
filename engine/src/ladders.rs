//! How weak play of which strength is, game by game: what matches between the rungs have shown.
//!
//! `benches/strength.sh` measures them; the results stand with their error bars in `protocol/strength.md`, and where they differ from a
//! figure here by more than that, the figure is to be changed.

use crate::games::Variant;
use crate::search::Handicap;
use std::ops::RangeInclusive;

/// One strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rung {
    elo: u32,
    nodes: u64,
    /// In hundredths of a turn.
    depth: u32,
    noise: i32,
    /// Per mille.
    oversight: u32,
    care: i32,
}

/// A rung from its row.
const fn rung(elo: u32, depth: u32, noise: i32, oversight: u32, care: i32, nodes: u64) -> Rung {
    Rung {
        elo,
        nodes,
        depth,
        noise,
        oversight,
        care,
    }
}

/// The strengths of a game between a random player and full strength. In chess Elo is that of Stockfish's `UCI_Elo`; in the other
/// games a player of random turns has 0.
///
/// ```
/// use fauve_engine::{Variant, ladders::Ladder};
///
/// let ladder = Ladder::of(Variant::Chess);
/// let range = ladder.range();
/// let (weak, strong) = (ladder.handicap(*range.start(), 1), ladder.handicap(*range.end(), 1));
/// assert!(weak.depth < strong.depth && weak.oversight > strong.oversight);
/// // The highest level is full strength.
/// assert_eq!(ladder.elo_of_level(1), Some(*range.start()));
/// assert_eq!(ladder.elo_of_level(ladder.levels()), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ladder {
    rungs: &'static [Rung],
}

#[rustfmt::skip]
const CHESS: &[Rung] = &[
    rung(40, 100, 58, 815, 86, 2000),
    rung(190, 100, 102, 583, 213, 2000),
    rung(340, 100, 143, 428, 446, 2000),
    rung(490, 100, 176, 312, 917, 2000),
    rung(640, 128, 163, 272, 1464, 2516),
    rung(790, 146, 152, 253, 1890, 2890),
    rung(940, 171, 133, 221, 2671, 3371),
    rung(1090, 206, 108, 176, 4243, 4159),
    rung(1240, 246, 87, 135, 6767, 5393),
    rung(1390, 288, 68, 96, 10561, 6735),
    rung(1540, 335, 49, 59, 16374, 8002),
    rung(1690, 391, 30, 33, 24430, 9272),
    rung(1840, 449, 17, 17, 30313, 11179),
    rung(1990, 508, 10, 10, 30966, 14056),
    rung(2140, 568, 4, 4, 31634, 17673),
    rung(2290, 636, 0, 0, 32000, 22645),
    rung(2440, 714, 0, 0, 32000, 29666),
    rung(2590, 792, 0, 0, 32000, 38864),
];

#[rustfmt::skip]
const SUPERCHESS: &[Rung] = &[
    rung(220, 100, 40, 900, 60, 2000),
    rung(370, 100, 66, 753, 104, 2000),
    rung(520, 100, 93, 613, 184, 2000),
    rung(670, 100, 126, 490, 331, 2000),
    rung(820, 100, 162, 361, 655, 2000),
    rung(970, 111, 173, 291, 1150, 2183),
    rung(1120, 137, 158, 263, 1680, 2704),
    rung(1270, 169, 134, 223, 2603, 3315),
    rung(1420, 210, 109, 175, 4363, 4314),
    rung(1570, 257, 82, 124, 7580, 5720),
    rung(1720, 308, 59, 80, 12801, 7275),
    rung(1870, 363, 39, 45, 20210, 8720),
    rung(2020, 443, 17, 17, 30247, 10920),
    rung(2170, 529, 8, 8, 31191, 15191),
    rung(2320, 613, 0, 0, 32000, 20951),
    rung(2470, 694, 0, 0, 32000, 27686),
    rung(2620, 774, 0, 0, 32000, 36587),
];

#[rustfmt::skip]
const TWO_MOVE: &[Rung] = &[
    rung(220, 100, 40, 963, 60, 2000),
    rung(370, 100, 51, 904, 85, 2000),
    rung(520, 100, 63, 843, 121, 2000),
    rung(670, 100, 79, 757, 177, 2000),
    rung(820, 100, 101, 648, 287, 2000),
    rung(970, 100, 146, 430, 789, 2000),
    rung(1120, 150, 121, 221, 3046, 3770),
    rung(1270, 218, 57, 93, 12113, 9044),
    rung(1420, 628, 0, 0, 32000, 22015),
];

#[rustfmt::skip]
const DICE_CHESS: &[Rung] = &[
    rung(220, 100, 40, 998, 60, 20000),
    rung(370, 100, 48, 962, 80, 20000),
    rung(520, 100, 70, 800, 180, 20000),
    rung(670, 100, 96, 274, 1050, 20000),
    rung(820, 100, 18, 22, 19135, 20000),
];

#[rustfmt::skip]
const CUBES: &[Rung] = &[
    rung(70, 100, 40, 900, 60, 2000),
    rung(220, 102, 142, 432, 478, 2037),
    rung(370, 135, 159, 264, 1617, 2628),
    rung(520, 171, 133, 220, 2698, 3367),
    rung(670, 212, 105, 170, 4542, 4288),
    rung(820, 285, 69, 100, 10090, 6515),
    rung(970, 367, 38, 45, 20312, 8757),
    rung(1120, 461, 16, 16, 30448, 11725),
    rung(1270, 592, 4, 4, 31610, 19172),
    rung(1420, 728, 0, 0, 32000, 31208),
];

impl Ladder {
    /// The ladder of a game.
    pub const fn of(variant: Variant) -> Self {
        let rungs = match variant {
            Variant::Chess => CHESS,
            Variant::Superchess => SUPERCHESS,
            Variant::TwoMove => TWO_MOVE,
            Variant::DiceChess => DICE_CHESS,
            Variant::Cubes4d => CUBES,
            // Nobody has measured it.
            #[cfg(feature = "breakthrough")]
            Variant::Breakthrough => CHESS,
        };
        Self { rungs }
    }

    /// The strengths that the ladder has.
    pub const fn range(&self) -> RangeInclusive<u32> {
        self.rungs[0].elo..=self.rungs[self.rungs.len() - 1].elo
    }

    /// The strengths that one game or another has.
    pub fn whole_range() -> RangeInclusive<u32> {
        let ranges = || {
            Variant::ALL
                .iter()
                .map(|&variant| Self::of(variant).range())
        };
        let lowest = ranges().map(|range| *range.start()).min();
        let highest = ranges().map(|range| *range.end()).max();
        lowest.unwrap_or(0)..=highest.unwrap_or(0)
    }

    /// The handicap for an Elo figure, which is brought into the range.
    pub fn handicap(&self, elo: u32, seed: u64) -> Handicap {
        let range = self.range();
        let elo = elo.clamp(*range.start(), *range.end());
        let above = self.rungs.partition_point(|rung| rung.elo < elo);
        let high = &self.rungs[above];
        let low = &self.rungs[above.saturating_sub(1)];
        let way = if low == high {
            1.0
        } else {
            f64::from(elo - low.elo) / f64::from(high.elo - low.elo)
        };
        let between = |low: f64, high: f64| low + (high - low) * way;
        let rising = |low: f64, high: f64| between(low.ln(), high.ln()).exp();
        Handicap {
            nodes: rising(low.nodes as f64, high.nodes as f64).round() as u64,
            depth: between(low.depth.into(), high.depth.into()).round() as u32,
            noise: between(low.noise.into(), high.noise.into()).round() as i32,
            oversight: between(low.oversight.into(), high.oversight.into()).round() as u32,
            care: rising(low.care.into(), high.care.into()).round() as i32,
            seed,
        }
    }

    /// The number of levels: the rungs, and full strength.
    pub const fn levels(&self) -> u32 {
        self.rungs.len() as u32 + 1
    }

    /// The Elo of a level from 1 on; `None` for the highest, which is full strength, and all above.
    pub fn elo_of_level(&self, level: u32) -> Option<u32> {
        let rung = self.rungs.get(level.saturating_sub(1) as usize)?;
        Some(rung.elo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_rungs_see_more_and_err_less() {
        for &variant in Variant::ALL {
            let ladder = Ladder::of(variant);
            assert!(ladder.rungs.is_sorted_by(|low, high| {
                let step = high.elo.saturating_sub(low.elo);
                let sees_more = low.nodes <= high.nodes && low.depth <= high.depth;
                let errs_less = i64::from(low.noise) * i64::from(high.care)
                    >= i64::from(high.noise) * i64::from(low.care)
                    && low.oversight >= high.oversight
                    && low.care <= high.care;
                (40..=300).contains(&step) && sees_more && errs_less
            }));
        }
    }

    #[test]
    fn what_lies_between_two_rungs_lies_between_them() {
        for &variant in Variant::ALL {
            let ladder = Ladder::of(variant);
            for rungs in ladder.rungs.windows(2) {
                let [low, high] = [rungs[0].elo, rungs[1].elo].map(|elo| ladder.handicap(elo, 3));
                assert_eq!((low.nodes, low.depth), (rungs[0].nodes, rungs[0].depth));
                assert_eq!((high.noise, high.seed), (rungs[1].noise, 3));
                let middle = ladder.handicap(u32::midpoint(rungs[0].elo, rungs[1].elo), 3);
                assert!((low.nodes..=high.nodes).contains(&middle.nodes));
                assert!((low.depth..=high.depth).contains(&middle.depth));
                let noise = low.noise.min(high.noise)..=low.noise.max(high.noise);
                assert!(noise.contains(&middle.noise));
            }
            assert_eq!(
                ladder.handicap(0, 0),
                ladder.handicap(*ladder.range().start(), 0)
            );
            assert_eq!(
                ladder.handicap(u32::MAX, 0),
                ladder.handicap(*ladder.range().end(), 0)
            );
        }
    }

    #[test]
    fn every_level_but_the_highest_has_a_strength() {
        for &variant in Variant::ALL {
            let ladder = Ladder::of(variant);
            let elos: Vec<_> = (1..=ladder.levels())
                .map(|level| ladder.elo_of_level(level))
                .collect();
            let (full, limited) = elos.split_last().unwrap();
            assert!(full.is_none() && limited.iter().all(Option::is_some));
            assert_eq!(ladder.elo_of_level(0), ladder.elo_of_level(1));
            assert!(Ladder::whole_range().contains(&limited[0].unwrap()));
        }
    }
}
