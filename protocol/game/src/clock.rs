//! Game clocks: time controls and remaining time.

use fauve_engine::core::Color;
use fauve_engine::search::{self, Instant};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A time control: base time and increment per turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// Time at the start of the game.
    pub base: Duration,
    /// Time added after each turn.
    pub increment: Duration,
}

/// The text is not a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a clock is written BASE+INCREMENT in seconds, such as 300+2 or 5:00+2")]
pub struct TimeControlError;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Parses `300+2`, `5:00+2`, `60`.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let read = || {
            let base = match base.split_once(':') {
                Some((minutes, rest)) => parse_seconds(minutes)? * 60 + parse_seconds(rest)?,
                None => parse_seconds(base)?,
            };
            let control = Self {
                base,
                increment: parse_seconds(increment)?,
            };
            (control != Self::default()).then_some(control)
        };
        read().ok_or(TimeControlError)
    }
}

/// Parses seconds, `10` or `0.1`, rounded to milliseconds.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=1e7)
        .contains(&seconds)
        .then(|| Duration::from_millis((seconds * 1000.0).round() as u64))
}

impl fmt::Display for TimeControl {
    /// Formats as in the PGN tag TimeControl, `300+2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, increment) = (self.base.as_secs_f64(), self.increment.as_secs_f64());
        write!(f, "{base}+{increment}")
    }
}

/// The clocks of both sides. A program that measures its turns itself charges them ([`Clock::spend`]); for human players
/// a clock runs ([`Clock::start`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    controls: [TimeControl; 2],
    left: [Duration; 2],
    running: Option<(Color, Instant)>,
}

impl Clock {
    /// Creates full, stopped clocks with one time control for both sides.
    pub const fn new(control: TimeControl) -> Self {
        Self::of_each([control; 2])
    }

    /// Creates full, stopped clocks with a time control for each side, White's first.
    pub const fn of_each(controls: [TimeControl; 2]) -> Self {
        Self {
            controls,
            left: [controls[0].base, controls[1].base],
            running: None,
        }
    }

    /// The time control of a side.
    pub const fn control(&self, side: Color) -> TimeControl {
        self.controls[side.index()]
    }

    /// Refills and stops both clocks.
    pub const fn reset(&mut self) {
        *self = Self::of_each(self.controls);
    }

    /// The remaining time of a side.
    pub fn left(&self, side: Color) -> Duration {
        let left = self.left[side.index()];
        match self.running {
            Some((runs, since)) if runs == side => left.saturating_sub(since.elapsed()),
            _ => left,
        }
    }

    /// Sets the remaining time of a side, when a game is resumed or turns are taken back.
    pub const fn set_left(&mut self, side: Color, time: Duration) {
        self.left[side.index()] = time;
    }

    /// Charges a side with used time; returns `false` if it had less time left.
    pub fn spend(&mut self, side: Color, time: Duration) -> bool {
        let left = &mut self.left[side.index()];
        let is_in_time = time <= *left;
        *left = left.saturating_sub(time);
        is_in_time
    }

    /// Adds the increment of a side after its turn.
    pub fn add_increment(&mut self, side: Color) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_add(self.controls[side.index()].increment);
    }

    /// Starts the clock of a side and stops the other.
    pub fn start(&mut self, side: Color) {
        self.stop();
        self.running = Some((side, Instant::now()));
    }

    /// Stops the running clock.
    pub fn stop(&mut self) {
        if let Some((side, _)) = self.running {
            self.left[side.index()] = self.left(side);
            self.running = None;
        }
    }

    /// The side whose clock is running.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(side, _)| side)
    }

    /// The side whose running clock has no time left.
    pub fn fallen(&self) -> Option<Color> {
        self.running().filter(|&side| self.left(side).is_zero())
    }

    /// The clock of a side as a search limit.
    pub fn for_search(&self, side: Color) -> search::Clock {
        search::Clock {
            left: self.left(side),
            increment: self.control(side).increment,
            turns_to_go: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out_for_one_side() {
        let control: TimeControl = "1:05+2".parse().expect("a time control");
        assert_eq!(control.to_string(), "65+2");
        let mut clock = Clock::new(control);
        assert!(clock.spend(Color::White, Duration::from_secs(10)));
        clock.add_increment(Color::White);
        assert_eq!(clock.left(Color::White), Duration::from_secs(57));
        assert_eq!(clock.left(Color::Black), Duration::from_secs(65));
        assert!(!clock.spend(Color::White, Duration::from_secs(58)));
        clock.reset();
        assert_eq!(clock.left(Color::White), Duration::from_secs(65));
    }

    #[test]
    fn a_clock_that_runs_falls() {
        let mut clock = Clock::new("0.06".parse().expect("a time control"));
        clock.start(Color::Black);
        std::thread::sleep(Duration::from_millis(70));
        assert_eq!(clock.fallen(), Some(Color::Black));
        clock.stop();
        assert_eq!((clock.fallen(), clock.running()), (None, None));
        assert!(clock.left(Color::Black).is_zero() && !clock.left(Color::White).is_zero());
    }

    #[test]
    fn time_controls_are_read_or_refused() {
        for (text, written) in [
            ("300+2", "300+2"),
            ("5:00.5+0.1", "300.5+0.1"),
            ("60", "60+0"),
        ] {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.to_string(), written);
        }
        for text in [
            "", "x", "0", "-1", "nan", "inf", "1e300", "1:+1", "1+", "1:2:3",
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(TimeControlError), "{text}");
        }
    }
}
