//! The clocks of a game, as a page asks for them and shows them.

use fauve_engine::core::Color;
use fauve_game::clock::{Clock, TimeControl};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a player wants of the clock: minutes for the game and seconds for each turn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Control {
    /// Up to 600.
    pub(crate) minutes: f64,
    /// Up to 600.
    pub(crate) increment: f64,
}

impl Control {
    /// That of a clock, whose sides have the same.
    pub(crate) fn of(clock: &Clock) -> Self {
        let control = clock.control(Color::White);
        Self {
            minutes: control.base.as_secs_f64() / 60.0,
            increment: control.increment.as_secs_f64(),
        }
    }

    /// Full clocks; `None` where the figures cannot be used.
    pub(crate) fn clock(self) -> Option<Clock> {
        let is_sound =
            self.minutes > 0.0 && self.minutes <= 600.0 && (0.0..=600.0).contains(&self.increment);
        is_sound.then(|| {
            Clock::new(TimeControl {
                base: Duration::from_secs_f64(self.minutes * 60.0),
                increment: Duration::from_secs_f64(self.increment),
            })
        })
    }
}

/// What is left on the clocks of a game that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Left {
    /// White's time in milliseconds, up to [`LONGEST_LEFT`].
    pub(crate) white: u64,
    /// Black's.
    pub(crate) black: u64,
    /// Whether the clock of the side to move runs.
    pub(crate) runs: bool,
}

/// The most time that a clock can have left, in milliseconds: far more than a game of 4,096 turns can gather.
const LONGEST_LEFT: u64 = 10_000_000_000;

impl Left {
    /// What is left now.
    pub(crate) fn of(clock: &Clock) -> Self {
        let shown = Shown::from(clock);
        Self {
            white: shown.white,
            black: shown.black,
            runs: shown.running.is_some(),
        }
    }

    /// Sets a clock to this; `None` where the figures cannot be used.
    pub(crate) fn set(self, clock: &mut Clock, to_move: Color) -> Option<()> {
        for (side, left) in [(Color::White, self.white), (Color::Black, self.black)] {
            (left <= LONGEST_LEFT).then(|| clock.set_left(side, Duration::from_millis(left)))?;
        }
        if self.runs {
            clock.start(to_move);
        }
        Some(())
    }
}

/// The clocks as the page shows them, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Shown {
    pub(crate) control: Control,
    pub(crate) white: u64,
    pub(crate) black: u64,
    /// `w`, `b`, or nothing while no clock runs.
    pub(crate) running: Option<char>,
}

impl From<&Clock> for Shown {
    fn from(clock: &Clock) -> Self {
        let ms = |side| clock.left(side).as_millis() as u64;
        Self {
            control: Control::of(clock),
            white: ms(Color::White),
            black: ms(Color::Black),
            running: clock.running().map(Color::letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_left_again_and_runs() {
        let control = Control {
            minutes: 3.0,
            increment: 2.0,
        };
        let mut clock = control.clock().expect("a clock");
        let left = Left {
            white: 61_000,
            black: 250_000,
            runs: false,
        };
        assert_eq!(left.set(&mut clock, Color::White), Some(()));
        assert_eq!(Left::of(&clock), left);
        assert_eq!(Control::of(&clock), control);
        let left = Left { runs: true, ..left };
        assert_eq!(left.set(&mut clock, Color::Black), Some(()));
        assert_eq!(clock.running(), Some(Color::Black));
        let endless = Left {
            white: u64::MAX,
            ..left
        };
        assert_eq!(endless.set(&mut clock, Color::White), None);
    }

    #[test]
    fn figures_that_cannot_be_used_are_refused() {
        let clock = |minutes, increment| Control { minutes, increment }.clock();
        assert!(clock(0.5, 0.0).is_some());
        for (minutes, increment) in [(0.0, 0.0), (f64::NAN, 0.0), (1.0, -1.0), (601.0, 0.0)] {
            assert_eq!(clock(minutes, increment), None);
        }
    }
}
