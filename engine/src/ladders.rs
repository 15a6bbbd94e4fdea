//! How weak play of which strength is, game by game: what matches between the rungs have shown.
//!
//! `benches/strength.sh` measures them; the results stand with their error bars in `protocol/strength.md`, and where they differ from a
//! figure here by more than that, the figure is to be changed. Rungs that have no game there yet lie between measured ones by
//! estimate.

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
    rung(190, 100, 40, 900, 60, 2000),
    rung(340, 100, 101, 585, 211, 2000),
    rung(490, 100, 153, 391, 533, 2000),
    rung(640, 100, 179, 303, 976, 2000),
    rung(790, 127, 164, 273, 1447, 2500),
    rung(940, 155, 146, 243, 2151, 3100),
    rung(1090, 188, 119, 197, 3394, 3700),
    rung(1240, 225, 97, 155, 5356, 4700),
    rung(1390, 267, 77, 114, 8574, 6200),
    rung(1540, 325, 52, 64, 15277, 7800),
    rung(1690, 420, 20, 20, 30000, 10000),
];

#[rustfmt::skip]
const SUPERCHESS: &[Rung] = &[
    rung(110, 100, 40, 900, 60, 2000),
    rung(260, 100, 84, 647, 156, 2000),
    rung(410, 100, 118, 518, 290, 2000),
    rung(560, 100, 153, 390, 534, 2000),
    rung(710, 100, 171, 330, 810, 2000),
    rung(860, 112, 173, 288, 1186, 2200),
    rung(1010, 137, 158, 263, 1675, 2700),
    rung(1160, 177, 128, 212, 2926, 3500),
    rung(1310, 245, 88, 135, 6698, 5400),
    rung(1460, 292, 66, 93, 10987, 6800),
    rung(1610, 333, 49, 59, 16327, 8100),
    rung(1760, 381, 33, 37, 22864, 9100),
    rung(1910, 420, 20, 20, 30000, 10000),
];

#[rustfmt::skip]
const TWO_MOVE: &[Rung] = &[
    rung(470, 100, 40, 985, 60, 2000),
    rung(620, 100, 62, 846, 119, 2000),
    rung(770, 100, 90, 700, 229, 2000),
    rung(920, 100, 118, 570, 402, 2000),
    rung(1070, 100, 142, 480, 609, 2000),
    rung(1220, 100, 150, 383, 1003, 2000),
    rung(1370, 120, 150, 282, 1699, 2600),
    rung(1520, 197, 75, 124, 7697, 6800),
    rung(1670, 260, 20, 30, 30000, 16000),
];

#[rustfmt::skip]
const DICE_CHESS: &[Rung] = &[
    rung(540, 100, 40, 950, 60, 20000),
    rung(690, 100, 102, 429, 448, 20000),
    rung(840, 100, 83, 110, 3687, 20000),
    rung(990, 100, 0, 0, 32000, 20000),
];

#[rustfmt::skip]
const CUBES: &[Rung] = &[
    rung(90, 100, 40, 900, 60, 2000),
    rung(240, 100, 103, 578, 218, 2000),
    rung(390, 100, 155, 382, 567, 2000),
    rung(540, 104, 178, 296, 1052, 2100),
    rung(690, 133, 160, 267, 1572, 2600),
    rung(840, 163, 139, 231, 2410, 3200),
    rung(990, 197, 112, 184, 3842, 3900),
    rung(1140, 247, 87, 133, 6861, 5500),
    rung(1290, 324, 52, 65, 15109, 7800),
    rung(1440, 382, 33, 37, 23052, 9100),
    rung(1590, 420, 20, 20, 30000, 10000),
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
