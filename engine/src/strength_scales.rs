//! Settings of play below full strength for a given Elo, game by game, from matches between the levels.
//!
//! `benches/strength.sh` measures them. The results, with error bars, are in `protocol/strength.md`; a figure here that
//! differs from them by more than the error bar must be changed. (Levels 9 and 10 of chess lie 3 Elo beyond theirs.)

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
    level(190, 100, 31, 860, 45, 2000),
    level(340, 100, 65, 575, 138, 2000),
    level(490, 100, 95, 394, 345, 2000),
    level(640, 109, 107, 299, 667, 2155),
    level(790, 133, 100, 267, 980, 2611),
    level(940, 155, 91, 242, 1329, 3046),
    level(1090, 185, 77, 203, 2003, 3662),
    level(1240, 217, 64, 165, 3010, 4463),
    level(1390, 253, 52, 128, 4571, 5607),
    level(1540, 301, 39, 86, 7433, 7057),
    level(1690, 355, 27, 50, 11769, 8425),
    level(1840, 426, 14, 23, 17365, 10366),
    level(1990, 497, 7, 11, 19275, 13449),
    level(2140, 557, 3, 5, 19694, 16947),
    level(2290, 626, 0, 1, 19967, 21864),
    level(2440, 699, 0, 0, 20000, 28156),
    level(2590, 758, 0, 0, 20000, 34530),
    level(2740, 813, 0, 0, 20000, 41822),
];

#[rustfmt::skip]
const SUPERCHESS: &[Level] = &[
    level(220, 100, 26, 889, 40, 2000),
    level(370, 100, 43, 735, 70, 2000),
    level(520, 100, 69, 547, 158, 2000),
    level(670, 100, 91, 419, 300, 2000),
    level(820, 104, 103, 337, 498, 2062),
    level(970, 120, 105, 282, 817, 2347),
    level(1120, 146, 95, 252, 1188, 2864),
    level(1270, 175, 82, 216, 1756, 3446),
    level(1420, 215, 66, 170, 2888, 4442),
    level(1570, 258, 51, 123, 4799, 5754),
    level(1720, 330, 32, 66, 9628, 7829),
    level(1870, 419, 15, 25, 16732, 10201),
    level(2020, 501, 7, 11, 19298, 13627),
    level(2170, 570, 3, 4, 19737, 17742),
    level(2320, 631, 0, 0, 20000, 22318),
    level(2470, 694, 0, 0, 20000, 27686),
    level(2620, 772, 0, 0, 20000, 36323),
];

#[rustfmt::skip]
const TWO_MOVE: &[Level] = &[
    level(220, 100, 35, 986, 52, 2000),
    level(370, 100, 52, 900, 86, 2000),
    level(520, 100, 72, 796, 143, 2000),
    level(670, 101, 119, 558, 438, 2015),
    level(820, 108, 142, 397, 979, 2213),
    level(970, 128, 132, 314, 1670, 2844),
    level(1120, 148, 123, 232, 2849, 3653),
    level(1270, 179, 94, 168, 5453, 5468),
    level(1420, 211, 63, 106, 10523, 8272),
    level(1570, 334, 44, 74, 14737, 11101),
    level(1720, 458, 25, 42, 20594, 14886),
    level(1870, 582, 6, 10, 28779, 19961),
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
    level(70, 100, 41, 894, 61, 2000),
    level(220, 102, 131, 482, 384, 2033),
    level(370, 132, 158, 278, 1461, 2573),
    level(520, 177, 129, 213, 2914, 3490),
    level(670, 226, 98, 157, 5296, 4647),
    level(820, 286, 69, 99, 10183, 6540),
    level(970, 340, 48, 63, 16070, 7932),
    level(1120, 390, 33, 38, 22452, 9413),
    level(1270, 438, 21, 23, 27584, 10919),
    level(1420, 503, 12, 12, 30813, 13712),
    level(1570, 583, 5, 5, 31528, 18529),
    level(1720, 690, 1, 1, 31890, 27214),
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
