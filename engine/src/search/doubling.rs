//! The doubling cube of backgammon for games with dice: when to double, when to take, from the chance to win alone.
//!
//! No source of the rules of DiceChess knows a cube: it is for those who want one. The game is then played for stakes: whoever is
//! about to roll may double them first, and the opponent gives up the present stakes or plays on for twice as many and owns the cube,
//! so that nobody else may double next.
//!
//! What a cube is worth lies between one that is never used again and one that is always used at the best moment: a share
//! [`EFFICIENCY`] of the way, by the formulas of Rick Janowski, "Take-Points in Money Games" (1993). There are no gammons
//! here, which leaves one parameter of these formulas.

use super::{Control, Engine, Limits, Settings, Table};
use crate::core::Color;
use crate::rules::Game;

/// How near a cube comes to being used at the best moment. Janowski found 0.6 to 0.7 for backgammon.
const EFFICIENCY: f64 = 0.68;

/// The cube: what the game is worth, and who may double.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cube {
    /// The present stakes, in points.
    value: u32,
    /// Who alone may double; at the beginning either side may.
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

/// What a game is worth to the side that is about to roll, in present stakes: 1 is a game that is won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Equities {
    /// It rolls without doubling.
    pub hold: f64,
    /// It doubles, and the opponent plays on.
    pub taken: f64,
}

impl Equities {
    /// Whether doubling is worth more than rolling, whatever the opponent does about it. Where he gives up, it wins all that
    /// there is to win.
    pub fn double(self) -> bool {
        !self.take() || self.taken > self.hold
    }

    /// Whether the opponent does better to play on than to give up.
    pub fn take(self) -> bool {
        self.taken <= 1.0
    }
}

impl Cube {
    /// The highest stakes.
    pub const MOST: u32 = 64;

    /// A cube of a value and an owner; `None` if cubes show no such number: a power of two up to [`Cube::MOST`]. A
    /// cube of more than one that nobody owns is free for both.
    pub fn new(value: u32, owner: Option<Color>) -> Option<Self> {
        (value.is_power_of_two() && value <= Self::MOST).then_some(Self { value, owner })
    }

    /// The present stakes, in points.
    pub const fn value(self) -> u32 {
        self.value
    }

    /// Who alone may double, if only one may.
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

    /// What rolling and doubling are worth to a side that wins with the probability `chance`, 0 to 1, if it rolls now.
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
            // Beyond the point where the opponent gives up the formulas say nothing.
            hold: hold.min(1.0),
            taken,
        }
    }

    /// Whether a side that may double does so, winning with the probability `chance` if it rolls now.
    pub fn doubles(self, side: Color, chance: f64) -> bool {
        self.is_free_for(side) && self.equities(side, chance).double()
    }

    /// Whether the opponent of a side that has doubled plays on; `chance` is that of the side that has doubled.
    pub fn is_taken(self, by: Color, chance: f64) -> bool {
        self.equities(by, chance).take()
    }
}

/// The chance to win of the side that rolls next, 0 to 1, as one look at the 56 rolls tells it: quick enough to ask before
/// every roll. Half where the game has none.
pub fn chance_before_roll<G: Engine>(game: &Game<G>, settings: &Settings, table: &Table) -> f64 {
    let limits = Limits {
        depth: Some(1),
        ..Limits::default()
    };
    let control = Control::default();
    let report = G::run_search(game, &limits, settings, table, &control, &mut |_| {});
    report.win_chance.unwrap_or(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance from which on something is so, to a thousandth.
    fn from(is_so: impl Fn(f64) -> bool) -> f64 {
        let first = (0..=1000).find(|&n| is_so(f64::from(n) / 1000.0));
        first.map_or(f64::INFINITY, |n| f64::from(n) / 1000.0)
    }

    #[test]
    fn points_are_those_of_the_formulas() {
        let (white, middle) = (Color::White, Cube::default());
        let own = Cube::new(2, Some(white)).unwrap();
        // Taken down to 0.5 / (2 + x / 2) of the taker's chances: between 25 % without and 20 % with an ideal cube.
        let give_up = from(|chance| !middle.is_taken(white, chance));
        assert!((1.0 - give_up - 0.5 / 2.34).abs() < 0.0011, "{give_up}");
        // By hand: 2 (2.34 p - 1.34) = 4 / 3.32 (2.34 p - 1.17), and 2 (2.34 p - 1.34) = 2.34 p - 1.
        let first = from(|chance| middle.doubles(white, chance));
        assert!((first - 0.6827).abs() < 0.001, "{first}");
        let again = from(|chance| own.doubles(white, chance));
        assert!((again - 0.7179).abs() < 0.001, "{again}");
        // Nobody gives up a cube of his own for nothing.
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

    /// A side is never worse off for owning the cube, and equities rise with the chance.
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
