//! The doubling cube of backgammon for games with dice: when to double and when to take, by the winning probability alone.
//!
//! The cube is a house rule: no published rules of DiceChess mention it. With it the game is played for stakes. The side
//! that is about to roll may double them first; the opponent either resigns the present stakes or plays on for doubled
//! stakes and owns the cube, so that only the opponent may double next.
//!
//! The value of a cube lies between that of a dead cube, never used again, and that of a live cube, always used at the best
//! moment. It is interpolated with the efficiency [`EFFICIENCY`] by the formulas of Rick Janowski, "Take-Points in Money
//! Games" (1993). There are no gammons here, which leaves one parameter of these formulas.

use crate::core::Color;
use crate::rules::Game;
use crate::search::{Control, Engine, Limits, Searcher, Settings, Table};

/// Cube efficiency: 0 is a dead cube, 1 a live cube. Janowski found 0.6 to 0.7 for backgammon.
const EFFICIENCY: f64 = 0.68;

/// The cube: the stakes, and the side that may double.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cube {
    /// Present stakes, in points.
    value: u32,
    /// The only side that may double; `None`: both may.
    owner: Option<Color>,
}

impl Default for Cube {
    fn default() -> Self {
        Self {
            value: 1,
            owner: None,
        }
    }
}

/// Expected results for the side that is about to roll, in present stakes: 1 is a won game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Equities {
    /// Without doubling.
    pub hold: f64,
    /// After doubling, if the opponent plays on.
    pub taken: f64,
}

impl Equities {
    /// Whether doubling is better than rolling, assuming the opponent's better reply. If the opponent resigns, the doubling
    /// side wins the present stakes.
    pub fn double(self) -> bool {
        !self.take() || self.taken > self.hold
    }

    /// Whether playing on is better for the opponent than resigning.
    pub fn take(self) -> bool {
        self.taken <= 1.0
    }
}

impl Cube {
    /// Highest stakes, in points.
    pub const MOST: u32 = 64;

    /// Creates a cube; `None` unless `value` is a power of two up to [`Cube::MOST`]. Without an owner both sides may
    /// double, whatever the value.
    pub fn new(value: u32, owner: Option<Color>) -> Option<Self> {
        (value.is_power_of_two() && value <= Self::MOST).then_some(Self { value, owner })
    }

    /// Present stakes, in points.
    pub const fn value(self) -> u32 {
        self.value
    }

    /// The only side that may double; `None`: both may.
    pub const fn owner(self) -> Option<Color> {
        self.owner
    }

    /// Whether a side may double before it rolls.
    pub fn is_free_for(self, side: Color) -> bool {
        self.value < Self::MOST && self.owner.is_none_or(|owner| owner == side)
    }

    /// The cube after a side has doubled and the other has taken.
    #[must_use]
    pub const fn doubled(self, by: Color) -> Self {
        Self {
            value: self.value * 2,
            owner: Some(by.other()),
        }
    }

    /// Expected results of rolling and of doubling for a side with winning probability `chance`, 0 to 1, that is about to
    /// roll.
    pub fn equities(self, side: Color, chance: f64) -> Equities {
        let x = EFFICIENCY;
        let lively = chance * (2.0 + 0.5 * x) - 1.0;
        // After the last double the cube is dead: nobody will turn it.
        let dead = 2.0 * chance - 1.0;
        let taken = if self.value * 2 >= Self::MOST {
            2.0 * dead
        } else {
            2.0 * (lively - 0.5 * x)
        };
        let hold = if self.value >= Self::MOST {
            dead
        } else {
            match self.owner {
                None => 4.0 / (4.0 - x) * (lively - 0.25 * x),
                Some(owner) if owner == side => lively,
                Some(_) => lively - 0.5 * x,
            }
        };
        Equities {
            // The formulas do not hold beyond the point where the opponent resigns.
            hold: hold.min(1.0),
            taken,
        }
    }

    /// Whether a side with winning probability `chance`, about to roll, may double and does.
    pub fn doubles(self, side: Color, chance: f64) -> bool {
        self.is_free_for(side) && self.equities(side, chance).double()
    }

    /// Whether the opponent plays on after a double by the side `by`, whose winning probability is `chance`.
    pub fn is_taken(self, by: Color, chance: f64) -> bool {
        self.equities(by, chance).take()
    }
}

/// Winning probability of the side that rolls next, 0 to 1, by a search of the 56 rolls to depth 1: fast enough for every
/// roll. One half in games without dice.
pub fn chance_before_roll<G: Engine>(game: &Game<G>, settings: &Settings, table: &Table) -> f64 {
    let limits = Limits {
        depth: Some(1),
        ..Limits::default()
    };
    let control = Control::default();
    let report = Searcher::new(table, settings, &control).run(game, &limits, &mut |_| {});
    report.win_chance.unwrap_or(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest probability, to a thousandth, for which `is_so` holds.
    fn from(is_so: impl Fn(f64) -> bool) -> f64 {
        let first = (0..=1000).find(|&n| is_so(f64::from(n) / 1000.0));
        first.map_or(f64::INFINITY, |n| f64::from(n) / 1000.0)
    }

    #[test]
    fn points_are_those_of_the_formulas() {
        let (white, middle) = (Color::White, Cube::default());
        let own = Cube::new(2, Some(white)).unwrap();
        // The opponent takes down to a chance of 0.5 / (2 + x / 2): between 25 % with a dead and 20 % with a live cube.
        let give_up = from(|chance| !middle.is_taken(white, chance));
        assert!((1.0 - give_up - 0.5 / 2.34).abs() < 0.0011, "{give_up}");
        // Computed by hand: 2 (2.34 p - 1.34) = 4 / 3.32 (2.34 p - 1.17), and 2 (2.34 p - 1.34) = 2.34 p - 1.
        let first = from(|chance| middle.doubles(white, chance));
        assert!((first - 0.6827).abs() < 0.001, "{first}");
        let again = from(|chance| own.doubles(white, chance));
        assert!((again - 0.7179).abs() < 0.001, "{again}");
        // A side that owns the cube gives it up only for an advantage.
        assert!(first < again && again < give_up);
    }

    #[test]
    fn the_last_double_is_a_dead_cube() {
        let white = Color::White;
        let last = Cube::new(32, Some(white)).unwrap();
        let give_up = from(|chance| !last.is_taken(white, chance));
        assert!((give_up - 0.751).abs() < 1e-9, "{give_up}");
        let after = last.doubled(white);
        assert_eq!((after.value(), after.owner()), (64, Some(Color::Black)));
        assert!(!after.is_free_for(Color::Black));
        assert!(!after.doubles(Color::Black, 0.7));
        assert!((after.equities(Color::Black, 0.7).hold - 0.4).abs() < 1e-9);
    }

    #[test]
    fn who_may_double_and_what_is_no_cube() {
        let (white, black) = (Color::White, Color::Black);
        let mut cube = Cube::default();
        assert!(cube.is_free_for(white) && cube.is_free_for(black));
        cube = cube.doubled(white);
        assert!(!cube.is_free_for(white) && cube.is_free_for(black));
        assert!(!cube.doubles(white, 0.72));
        cube = cube.doubled(black);
        assert_eq!((cube.value(), cube.owner()), (4, Some(white)));
        for value in [0, 3, 128, u32::MAX] {
            assert_eq!(Cube::new(value, None), None);
        }
    }

    /// Owning the cube is never a disadvantage, and equities rise with the winning probability.
    #[test]
    fn equities_are_in_order() {
        let (white, black) = (Color::White, Color::Black);
        let cubes = [Some(black), None, Some(white)].map(|owner| Cube::new(4, owner).unwrap());
        let mut before = [-2.0; 3];
        for n in 0..=100 {
            let chance = f64::from(n) / 100.0;
            let hold = cubes.map(|cube| cube.equities(white, chance).hold);
            assert!(hold[0] <= hold[2], "{hold:?}");
            let pairs = hold.iter().zip(before);
            assert!(
                pairs
                    .into_iter()
                    .all(|(&now, before)| now > before || now >= 1.0)
            );
            before = hold;
        }
    }
}
