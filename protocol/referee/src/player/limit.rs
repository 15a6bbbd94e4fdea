//! What a player may spend on a turn.

use fauve_engine::rules::printable;
use fauve_game::clock::{TimeControl, parse_seconds};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// A turn by processor time may take this many times as long by the clock on the wall.
const MAX_CPU_SLOWDOWN: u32 = 50;

/// A limit that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LimitError {
    /// No time per turn.
    #[error("cannot read st={}; write seconds, such as st=0.1", printable(.0))]
    Seconds(String),
    /// No time control.
    #[error("cannot read the time control '{}'; write seconds+increment, such as 10+0.1, or turns/seconds+increment, such as 40/60+0.6", printable(.0))]
    Clock(String),
    /// No count.
    #[error("cannot read {key}={}; write a number above 0", printable(.value))]
    Count {
        /// The key of the limit.
        key: String,
        /// What was written behind it.
        value: String,
    },
}

/// What a player may spend on a turn. Several limits together hold together.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The game clock: the time at the start and what each turn adds, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<(u64, u64)>,
    /// After how many own turns the clock gains its time at the start again; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<u32>,
    /// Time per turn, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Processor time per turn, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cputime: Option<u64>,
    /// Nodes per turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth in turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Limit {
    /// Whether nothing limits the player.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the player's strength depends on the speed of the machine.
    pub const fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some() || self.cputime.is_some()
    }

    /// The limit with its times multiplied by a factor, each at least a millisecond.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let scaled = |ms: u64| ((ms as f64 * factor).round() as u64).max(u64::from(ms > 0));
        Self {
            clock: self
                .clock
                .map(|(base, increment)| (scaled(base), scaled(increment))),
            movetime: self.movetime.map(scaled),
            cputime: self.cputime.map(scaled),
            ..self.clone()
        }
    }

    /// The time after which an unfinished turn is lost on time, given what the clock shows.
    pub fn time(&self, left: Duration) -> Option<Duration> {
        let movetime = self.movetime.map(Duration::from_millis);
        match (self.clock, movetime) {
            (Some(_), Some(movetime)) => Some(left.min(movetime)),
            (Some(_), None) => Some(left),
            (None, movetime) => movetime,
        }
    }

    /// How long an answer may take where no time is lost by it: `stall`, and longer where the processor has to be waited for.
    pub fn timeout(&self, stall: Duration) -> Duration {
        let share = Duration::from_millis(self.cputime.unwrap_or(0));
        // No longer than the longest time per turn: moments are computed with it.
        let longest = Duration::from_millis(u64::MAX);
        stall
            .saturating_add(share.saturating_mul(MAX_CPU_SLOWDOWN))
            .min(longest)
    }

    /// Takes one `key=value`; `Ok(false)` if the key is none of a limit's.
    ///
    /// # Errors
    /// A value that cannot be read.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, LimitError> {
        match key {
            "tc" => {
                let (session, clock) = parse_sessions(value)?;
                (self.session, self.clock) = (session, Some(clock));
            }
            "movetime" => self.movetime = Some(parse_count(key, value)?),
            "cputime" => self.cputime = Some(parse_count(key, value)?),
            "st" => {
                let time = parse_seconds(value).filter(|time| !time.is_zero());
                let time = time.ok_or_else(|| LimitError::Seconds(value.to_owned()))?;
                self.movetime = Some(milliseconds(time));
            }
            "nodes" => self.nodes = Some(parse_count(key, value)?),
            "depth" => self.depth = Some(parse_count(key, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// This limit where it says something, else `other`.
    #[must_use]
    pub fn or(self, other: &Self) -> Self {
        if self.is_empty() { other.clone() } else { self }
    }
}

impl fmt::Display for Limit {
    /// As in PGN's TimeControl tag where there is a clock, `10+0.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut part = |f: &mut fmt::Formatter<'_>, text: String| {
            let result = write!(f, "{separator}{text}");
            separator = " ";
            result
        };
        if let Some((base, increment)) = self.clock {
            let session = self
                .session
                .map_or(String::new(), |turns| format!("{turns}/"));
            part(
                f,
                format!("{session}{}+{}", seconds(base), seconds(increment)),
            )?;
        }
        if let Some(time) = self.movetime {
            part(f, format!("movetime={time}"))?;
        }
        if let Some(time) = self.cputime {
            part(f, format!("cputime={time}"))?;
        }
        if let Some(nodes) = self.nodes {
            part(f, format!("nodes={nodes}"))?;
        }
        if let Some(depth) = self.depth {
            part(f, format!("depth={depth}"))?;
        }
        if self.is_empty() {
            f.write_str("-")?;
        }
        Ok(())
    }
}

fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}

/// Turns of a session, and the clock.
type Sessions = (Option<u32>, (u64, u64));

/// Reads `turns/base+increment`, or a clock for the whole game.
fn parse_sessions(text: &str) -> Result<Sessions, LimitError> {
    let (session, clock) = match text.split_once('/') {
        Some((turns, clock)) => {
            let turns = turns.parse().ok().filter(|&turns| turns > 0);
            let turns = turns.ok_or_else(|| LimitError::Clock(text.to_owned()))?;
            (Some(turns), clock)
        }
        None => (None, text),
    };
    let clock = parse_clock(clock).map_err(|_| LimitError::Clock(text.to_owned()))?;
    // A session without any time would be lost at its first turn.
    if session.is_some() && clock.0 == 0 {
        return Err(LimitError::Clock(text.to_owned()));
    }
    Ok((session, clock))
}

/// Reads a time control as milliseconds: base and increment.
fn parse_clock(text: &str) -> Result<(u64, u64), LimitError> {
    let control: TimeControl = text
        .parse()
        .map_err(|_| LimitError::Clock(text.to_owned()))?;
    Ok((milliseconds(control.base), milliseconds(control.increment)))
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}

fn parse_count<T: std::str::FromStr + PartialOrd + From<u8>>(
    key: &str,
    text: &str,
) -> Result<T, LimitError> {
    text.parse()
        .ok()
        .filter(|count| *count >= T::from(1))
        .ok_or_else(|| LimitError::Count {
            key: key.to_owned(),
            value: text.to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_time_controls() {
        assert_eq!(parse_clock("10+0.1"), Ok((10_000, 100)));
        assert_eq!(parse_clock("1:30+2"), Ok((90_000, 2_000)));
        assert_eq!(parse_clock("5"), Ok((5_000, 0)));
        for bad in [
            "",
            "+",
            "x+1",
            "-1+0",
            "1+x",
            "nan",
            "inf",
            "1e300",
            "0+0",
            "9:9:9",
            "99999999999:1",
        ] {
            assert!(parse_clock(bad).is_err(), "{bad}");
        }
        let mut limit = Limit::default();
        limit.set("tc", "10+0.1").unwrap();
        assert_eq!(limit.to_string(), "10+0.1");
        assert!(limit.set("nodes", "0").is_err());
        assert!(limit.set("depth", "-3").is_err());
        assert_eq!(limit.set("colour", "red"), Ok(false));

        let mut sessions = Limit::default();
        sessions.set("tc", "40/1:00+0.6").unwrap();
        assert_eq!(
            (sessions.session, sessions.clock),
            (Some(40), Some((60_000, 600)))
        );
        assert_eq!(sessions.to_string(), "40/60+0.6");
        for bad in ["/60", "0/60", "x/60", "40/", "40/0+1", "40/60/2"] {
            assert!(sessions.set("tc", bad).is_err(), "{bad}");
        }

        let stall = Duration::from_mins(1);
        assert_eq!(limit.timeout(stall), stall);
        limit.set("cputime", "20").unwrap();
        assert_eq!(limit.timeout(stall), stall + Duration::from_secs(1));
        limit.set("cputime", &u64::MAX.to_string()).unwrap();
        let now = std::time::Instant::now();
        assert!(now.checked_add(limit.timeout(stall)).is_some());
    }
}
