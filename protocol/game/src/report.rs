//! The report of a game: for each side, how well it has played, from what each of its turns has lost ([`crate::assess`]).
//! `fauve analyse` and the board in the browser print the same figures.

use crate::assess::{MISTAKE, Quality};
use serde::Serialize;

/// The loss, in expected points, that leaves a turn half of its accuracy: twice the least mistake.
const HALVING_LOSS: f64 = 2.0 * MISTAKE;

/// How accurate a turn is that lost this many expected points, 0 to 100: a turn that loses nothing has 100, and each 0.16 points
/// halve it. Expected points mean the same in all games and at all values, where pawns do not: a pawn matters little to a side that
/// is a queen ahead.
///
/// ```
/// use fauve_game::report::accuracy;
/// assert_eq!(accuracy(0.0), 100.0);
/// assert_eq!(accuracy(0.16), 50.0);
/// ```
pub fn accuracy(loss: f64) -> f64 {
    100.0 * (-loss.max(0.0) / HALVING_LOSS).exp2()
}

/// What is said of one side.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct SideReport {
    /// The turns that it has made.
    pub turns: u32,
    /// Those among them that had an alternative.
    pub unforced: u32,
    /// The mean of the accuracy of the turns that had an alternative, 0 to 100; `None` without such a turn.
    pub accuracy: Option<f64>,
    /// The turns than which the search has found none that brings more points.
    pub best: u32,
    /// Turns by what they lost ([`Quality`]).
    pub inaccuracies: u32,
    /// See `inaccuracies`.
    pub mistakes: u32,
    /// See `inaccuracies`.
    pub blunders: u32,
    /// What all turns together have lost, in expected points.
    pub error: f64,
    /// The largest loss of one turn, in expected points.
    pub worst: f64,
    /// What the dice gave to this side, in expected points; `None` without dice. It is no part of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
}

impl SideReport {
    /// Counts a turn: what it lost and what its roll gave to the side that made it, in expected points, and whether it was the only one.
    pub fn add(&mut self, loss: f64, luck: Option<f64>, is_forced: bool) {
        self.turns += 1;
        self.error += loss;
        self.worst = self.worst.max(loss);
        if let Some(luck) = luck {
            *self.luck.get_or_insert_default() += luck;
        }
        match Quality::of_loss(loss) {
            Quality::Best => self.best += 1,
            Quality::Good => {}
            Quality::Inaccuracy => self.inaccuracies += 1,
            Quality::Mistake => self.mistakes += 1,
            Quality::Blunder => self.blunders += 1,
        }
        if !is_forced {
            self.unforced += 1;
            let mean = self.accuracy.get_or_insert_default();
            *mean += (accuracy(loss) - *mean) / f64::from(self.unforced);
        }
    }

    /// What a turn that had an alternative has lost on average, in expected points.
    pub fn error_rate(&self) -> f64 {
        self.error / f64::from(self.unforced.max(1))
    }

    /// The accuracy as people read it, `93.4 %`; `-` where there is none.
    pub fn accuracy_text(&self) -> String {
        self.accuracy
            .map_or_else(|| "-".to_owned(), |mean| format!("{mean:.1} %"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assess::{BLUNDER, INACCURACY};

    #[test]
    fn accuracy_falls_with_the_loss_and_stays_within_its_range() {
        let of: Vec<f64> = [-0.1, 0.0, INACCURACY, MISTAKE, BLUNDER, 1.0]
            .map(accuracy)
            .to_vec();
        assert!(of.windows(2).all(|pair| pair[0] >= pair[1]), "{of:?}");
        assert!(of.iter().all(|one| (0.0..=100.0).contains(one)), "{of:?}");
        assert!((of[3] - 70.71).abs() < 0.01, "{of:?}");
    }

    #[test]
    fn turns_are_counted_by_what_they_lost() {
        let mut side = SideReport::default();
        for loss in [0.0, 0.01, INACCURACY, MISTAKE, 0.16, BLUNDER, 0.5] {
            side.add(loss, None, false);
        }
        assert_eq!((side.turns, side.unforced), (7, 7));
        let counts = [side.best, side.inaccuracies, side.mistakes, side.blunders];
        assert_eq!(counts, [1, 1, 2, 2]);
        assert!((side.worst - 0.5).abs() < 1e-9 && (side.error - 1.0).abs() < 1e-9);
        assert_eq!(side.luck, None);
    }

    #[test]
    fn a_forced_turn_makes_nobody_more_accurate() {
        let mut side = SideReport::default();
        assert_eq!(side.accuracy_text(), "-");
        side.add(0.0, None, true);
        assert_eq!(side.accuracy, None);
        side.add(0.16, None, false);
        side.add(0.0, None, true);
        side.add(0.0, None, false);
        assert_eq!((side.turns, side.unforced), (4, 2));
        assert_eq!(side.accuracy_text(), "75.0 %");
        assert!((side.error_rate() - 0.08).abs() < 1e-9);
    }

    #[test]
    fn luck_is_no_error_and_error_no_luck() {
        let mut side = SideReport::default();
        side.add(0.0, Some(-0.3), false);
        side.add(0.0, Some(0.1), false);
        assert_eq!(side.accuracy_text(), "100.0 %");
        assert!(side.luck.is_some_and(|luck| (luck + 0.2).abs() < 1e-9));
    }
}
