use fauve_engine::core::Color;
use fauve_engine::search;
use fauve_referee::player::limit::{Limit, LimitError};
use std::str::FromStr;
use std::time::Duration;

/// The clocks of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clock {
    base: Duration,
    increment: Duration,
    left: [Duration; 2],
}

impl FromStr for Clock {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let mut limit = Limit::default();
        limit.set("tc", text)?;
        let (base, increment) = limit.clock.unwrap_or_default();
        let [base, increment] = [base, increment].map(Duration::from_millis);
        Ok(Self {
            base,
            increment,
            left: [base; 2],
        })
    }
}

impl Clock {
    /// Both sides have all their time again.
    pub(super) const fn begin(&mut self) {
        self.left = [self.base; 2];
    }

    /// A side has thought so long; `false` if it had not so much time left.
    pub(super) fn spend(&mut self, side: Color, time: Duration) -> bool {
        let left = &mut self.left[side.index()];
        let is_in_time = time <= *left;
        *left = left.saturating_sub(time);
        is_in_time
    }

    /// A side has finished its turn.
    pub(super) fn press(&mut self, side: Color) {
        self.left[side.index()] += self.increment;
    }

    /// The clock of a side as a search wants it.
    pub(super) const fn of(&self, side: Color) -> search::Clock {
        search::Clock {
            left: self.left[side.index()],
            increment: self.increment,
            turns_to_go: None,
        }
    }

    /// What the clock of a side shows, `4:07`.
    pub(super) fn face(&self, side: Color) -> String {
        let seconds = self.left[side.index()].as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out_for_one_side() {
        let mut clock: Clock = "1:05+2".parse().expect("a clock");
        assert_eq!(clock.face(Color::White), "1:05");
        assert!(clock.spend(Color::White, Duration::from_secs(10)));
        clock.press(Color::White);
        assert_eq!(
            (clock.face(Color::White), clock.face(Color::Black)),
            ("0:57".to_owned(), "1:05".to_owned())
        );
        assert!(!clock.spend(Color::White, Duration::from_secs(58)));
        clock.begin();
        assert_eq!(clock.face(Color::White), "1:05");
        assert!("x".parse::<Clock>().is_err());
    }
}
