//! The clocks of a game.

use fauve_engine::core::Color;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

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
    /// Whether the figures can be used.
    pub(crate) fn is_sound(self) -> bool {
        self.minutes > 0.0 && self.minutes <= 600.0 && (0.0..=600.0).contains(&self.increment)
    }
}

/// Both clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    control: Control,
    left: [Duration; 2],
    running: Option<(Color, Instant)>,
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

impl Clocks {
    /// Full clocks, not running.
    pub(crate) fn new(control: Control) -> Self {
        Self {
            control,
            left: [Duration::from_secs_f64(control.minutes * 60.0); 2],
            running: None,
        }
    }

    /// What a side has left now.
    pub(crate) fn left(&self, side: Color) -> Duration {
        let left = self.left[side.index()];
        match self.running {
            Some((runs, since)) if runs == side => left.saturating_sub(since.elapsed()),
            _ => left,
        }
    }

    /// The side whose time is up.
    pub(crate) fn fallen(&self) -> Option<Color> {
        let (side, _) = self.running?;
        self.left(side).is_zero().then_some(side)
    }

    /// Stops the clock that runs.
    pub(crate) fn stop(&mut self) {
        if let Some((side, _)) = self.running {
            self.left[side.index()] = self.left(side);
            self.running = None;
        }
    }

    /// A turn is made: the clock of its side stops and gains the increment, the other one runs.
    pub(crate) fn press(&mut self, done: Color, next: Color) {
        let ran = self.running.is_some();
        self.stop();
        if ran {
            self.left[done.index()] += Duration::from_secs_f64(self.control.increment);
        }
        self.running = Some((next, Instant::now()));
    }

    /// The clock of a side runs on, after turns were taken back.
    pub(crate) fn run(&mut self, side: Color) {
        self.stop();
        self.running = Some((side, Instant::now()));
    }

    /// What a search may use.
    pub(crate) fn for_search(&self, side: Color) -> fauve_engine::search::Clock {
        fauve_engine::search::Clock {
            left: self.left(side),
            increment: Duration::from_secs_f64(self.control.increment),
            turns_to_go: None,
        }
    }

    /// As the page shows them.
    pub(crate) fn shown(&self) -> Shown {
        let ms = |side| self.left(side).as_millis() as u64;
        Shown {
            control: self.control,
            white: ms(Color::White),
            black: ms(Color::Black),
            running: self.running.map(|(side, _)| side.letter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_by_turns() {
        let control = Control {
            minutes: 0.001,
            increment: 60.0,
        };
        let mut clocks = Clocks::new(control);
        assert_eq!(clocks.left(Color::White), Duration::from_millis(60));
        clocks.press(Color::White, Color::Black);
        std::thread::sleep(Duration::from_millis(70));
        assert_eq!(clocks.fallen(), Some(Color::Black));
        clocks.press(Color::Black, Color::White);
        assert!(clocks.left(Color::Black) >= Duration::from_mins(1));
        assert_eq!(clocks.fallen(), None);
        clocks.stop();
        assert_eq!(clocks.shown().running, None);
        for (minutes, increment) in [(0.0, 0.0), (f64::NAN, 0.0), (1.0, -1.0), (601.0, 0.0)] {
            assert!(!Control { minutes, increment }.is_sound());
        }
    }
}
