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
        let control = clock.control(Color::White);
        Self {
            control: Control {
                minutes: control.base.as_secs_f64() / 60.0,
                increment: control.increment.as_secs_f64(),
            },
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
    fn figures_that_cannot_be_used_are_refused() {
        let clock = |minutes, increment| Control { minutes, increment }.clock();
        assert!(clock(0.5, 0.0).is_some());
        for (minutes, increment) in [(0.0, 0.0), (f64::NAN, 0.0), (1.0, -1.0), (601.0, 0.0)] {
            assert_eq!(clock(minutes, increment), None);
        }
    }
}
