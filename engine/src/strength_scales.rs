//! Settings of play below full strength for a given Elo, game by game, from matches between the levels.
//!
//! `benches/strength.sh` measures them. The results, with error bars, are in `protocol/strength.md`; a figure here that
//! differs from them by more than the error bar must be changed.

use crate::games::Variant;
use crate::search::StrengthLimit;
use std::ops::RangeInclusive;

/// Settings of one strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    elo: u32,
    nodes: u64,
    /// In hundredths of a turn.
    depth: u32,
    eval_noise: i32,
    /// Per mille.
    blunder_rate: u32,
    caution: i32,
}

/// Builds a level from its table row.
const fn level(
    elo: u32,
    depth: u32,
    eval_noise: i32,
    blunder_rate: u32,
    caution: i32,
    nodes: u64,
) -> Level {
    Level {
        elo,
        nodes,
        depth,
        eval_noise,
        blunder_rate,
        caution,
    }
}

/// Strengths of a game between random play and full strength. In chess, Elo is that of Stockfish's `UCI_Elo`; in the other
/// games, a player of random turns has 0.
///
/// ```
/// use fauve_engine::{Variant, strength_scales::StrengthScale};
///
/// let scale = StrengthScale::of(Variant::Chess);
/// let range = scale.range();
/// let (weak, strong) = (scale.strength_limit(*range.start(), 1), scale.strength_limit(*range.end(), 1));
/// assert!(weak.depth < strong.depth && weak.blunder_rate > strong.blunder_rate);
/// // The highest level is full strength.
/// assert_eq!(scale.elo_of_level(1), Some(*range.start()));
/// assert_eq!(scale.elo_of_level(scale.levels()), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrengthScale {
    levels: &'static [Level],
}

#[rustfmt::skip]
const CHESS: &[Level] = &[
    level(40, 100, 36, 815, 54, 2000),
    level(190, 100, 64, 583, 133, 2000),
    level(340, 100, 89, 428, 279, 2000),
    level(490, 100, 110, 312, 573, 2000),
    level(640, 128, 102, 272, 915, 2516),
    level(790, 146, 95, 253, 1181, 2890),
    level(940, 171, 83, 221, 1669, 3371),
    level(1090, 206, 68, 176, 2652, 4159),
    level(1240, 246, 54, 135, 4229, 5393),
    level(1390, 288, 42, 96, 6601, 6735),
    level(1540, 335, 31, 59, 10234, 8002),
    level(1690, 391, 19, 33, 15269, 9272),
    level(1840, 449, 11, 17, 18946, 11179),
    level(1990, 508, 6, 10, 19354, 14056),
    level(2140, 568, 2, 4, 19771, 17673),
    level(2290, 636, 0, 0, 20000, 22645),
    level(2440, 714, 0, 0, 20000, 29666),
    level(2590, 792, 0, 0, 20000, 38864),
];

#[rustfmt::skip]
const SUPERCHESS: &[Level] = &[
    level(220, 100, 25, 900, 38, 2000),
    level(370, 100, 41, 753, 65, 2000),
    level(520, 100, 58, 613, 115, 2000),
    level(670, 100, 79, 490, 207, 2000),
    level(820, 100, 101, 361, 409, 2000),
    level(970, 111, 108, 291, 719, 2183),
    level(1120, 137, 99, 263, 1050, 2704),
    level(1270, 169, 84, 223, 1627, 3315),
    level(1420, 210, 68, 175, 2727, 4314),
    level(1570, 257, 51, 124, 4738, 5720),
    level(1720, 308, 37, 80, 8001, 7275),
    level(1870, 363, 24, 45, 12631, 8720),
    level(2020, 443, 11, 17, 18904, 10920),
    level(2170, 529, 5, 8, 19494, 15191),
    level(2320, 613, 0, 0, 20000, 20951),
    level(2470, 694, 0, 0, 20000, 27686),
    level(2620, 774, 0, 0, 20000, 36587),
];

#[rustfmt::skip]
const TWO_MOVE: &[Level] = &[
    level(220, 100, 40, 963, 60, 2000),
    level(370, 100, 51, 904, 85, 2000),
    level(520, 100, 63, 843, 121, 2000),
    level(670, 100, 79, 757, 177, 2000),
    level(820, 100, 101, 648, 287, 2000),
    level(970, 100, 146, 430, 789, 2000),
    level(1120, 150, 121, 221, 3046, 3770),
    level(1270, 218, 57, 93, 12113, 9044),
    level(1420, 628, 0, 0, 32000, 22015),
];

#[rustfmt::skip]
const DICE_CHESS: &[Level] = &[
    level(220, 100, 40, 998, 60, 20000),
    level(370, 100, 48, 962, 80, 20000),
    level(520, 100, 70, 800, 180, 20000),
    level(670, 100, 96, 274, 1050, 20000),
    level(820, 100, 18, 22, 19135, 20000),
];

#[rustfmt::skip]
const CUBES: &[Level] = &[
    level(70, 100, 40, 900, 60, 2000),
    level(220, 102, 142, 432, 478, 2037),
    level(370, 135, 159, 264, 1617, 2628),
    level(520, 171, 133, 220, 2698, 3367),
    level(670, 212, 105, 170, 4542, 4288),
    level(820, 285, 69, 100, 10090, 6515),
    level(970, 367, 38, 45, 20312, 8757),
    level(1120, 461, 16, 16, 30448, 11725),
    level(1270, 592, 4, 4, 31610, 19172),
    level(1420, 728, 0, 0, 32000, 31208),
];

/// Levels of a game of which none has been measured: the settings of chess, whose Elo means nothing there.
#[cfg(feature = "breakthrough")]
const UNMEASURED: &[Level] = CHESS;

impl StrengthScale {
    /// The scale of a game.
    pub const fn of(variant: Variant) -> Self {
        let levels = match variant {
            Variant::Chess => CHESS,
            Variant::Superchess => SUPERCHESS,
            Variant::TwoMove => TWO_MOVE,
            Variant::DiceChess => DICE_CHESS,
            Variant::Cubes4d => CUBES,
            #[cfg(feature = "breakthrough")]
            Variant::Breakthrough => UNMEASURED,
        };
        Self { levels }
    }

    /// Elo range of the scale.
    pub const fn range(&self) -> RangeInclusive<u32> {
        self.levels[0].elo..=self.levels[self.levels.len() - 1].elo
    }

    /// Elo range of all games together.
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

    /// The limits for an Elo rating, which is clamped to the scale's range.
    pub fn strength_limit(&self, elo: u32, seed: u64) -> StrengthLimit {
        let range = self.range();
        let elo = elo.clamp(*range.start(), *range.end());
        let above = self.levels.partition_point(|levels| levels.elo < elo);
        let high = &self.levels[above];
        let low = &self.levels[above.saturating_sub(1)];
        let way = if low == high {
            1.0
        } else {
            f64::from(elo - low.elo) / f64::from(high.elo - low.elo)
        };
        let between = |low: f64, high: f64| low + (high - low) * way;
        let rising = |low: f64, high: f64| between(low.ln(), high.ln()).exp();
        StrengthLimit {
            nodes: rising(low.nodes as f64, high.nodes as f64).round() as u64,
            depth: between(low.depth.into(), high.depth.into()).round() as u32,
            eval_noise: between(low.eval_noise.into(), high.eval_noise.into()).round() as i32,
            blunder_rate: between(low.blunder_rate.into(), high.blunder_rate.into()).round() as u32,
            caution: rising(low.caution.into(), high.caution.into()).round() as i32,
            seed,
        }
    }

    /// Number of levels, including full strength as the highest.
    pub const fn levels(&self) -> u32 {
        self.levels.len() as u32 + 1
    }

    /// Elo of a level, from 1; `None` for the highest, which is full strength, and above.
    pub fn elo_of_level(&self, level: u32) -> Option<u32> {
        let levels = self.levels.get(level.saturating_sub(1) as usize)?;
        Some(levels.elo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_see_more_and_err_less() {
        for &variant in Variant::ALL {
            let scale = StrengthScale::of(variant);
            assert!(scale.levels.is_sorted_by(|low, high| {
                let step = high.elo.saturating_sub(low.elo);
                let sees_more = low.nodes <= high.nodes && low.depth <= high.depth;
                let errs_less = i64::from(low.eval_noise) * i64::from(high.caution)
                    >= i64::from(high.eval_noise) * i64::from(low.caution)
                    && low.blunder_rate >= high.blunder_rate
                    && low.caution <= high.caution;
                (40..=300).contains(&step) && sees_more && errs_less
            }));
        }
    }

    #[test]
    fn settings_between_two_levels_are_interpolated() {
        for &variant in Variant::ALL {
            let scale = StrengthScale::of(variant);
            for levels in scale.levels.windows(2) {
                let [low, high] =
                    [levels[0].elo, levels[1].elo].map(|elo| scale.strength_limit(elo, 3));
                assert_eq!((low.nodes, low.depth), (levels[0].nodes, levels[0].depth));
                assert_eq!((high.eval_noise, high.seed), (levels[1].eval_noise, 3));
                let middle = scale.strength_limit(u32::midpoint(levels[0].elo, levels[1].elo), 3);
                assert!((low.nodes..=high.nodes).contains(&middle.nodes));
                assert!((low.depth..=high.depth).contains(&middle.depth));
                let eval_noise =
                    low.eval_noise.min(high.eval_noise)..=low.eval_noise.max(high.eval_noise);
                assert!(eval_noise.contains(&middle.eval_noise));
            }
            assert_eq!(
                scale.strength_limit(0, 0),
                scale.strength_limit(*scale.range().start(), 0)
            );
            assert_eq!(
                scale.strength_limit(u32::MAX, 0),
                scale.strength_limit(*scale.range().end(), 0)
            );
        }
    }

    #[test]
    fn every_level_but_the_highest_has_a_strength() {
        for &variant in Variant::ALL {
            let scale = StrengthScale::of(variant);
            let elos: Vec<_> = (1..=scale.levels())
                .map(|level| scale.elo_of_level(level))
                .collect();
            let (full, limited) = elos.split_last().unwrap();
            assert!(full.is_none() && limited.iter().all(Option::is_some));
            assert_eq!(scale.elo_of_level(0), scale.elo_of_level(1));
            assert!(StrengthScale::whole_range().contains(&limited[0].unwrap()));
        }
    }
}
