use crate::wire::go::Request;
use fauve_engine::core::Color;
use std::time::Duration;

/// The longest time that is distinguished from longer ones, in seconds.
const LONGEST: f64 = 1e9;

/// How time is given.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Level {
    /// Turns per period; 0: the whole game.
    turns: u32,
    /// Time per period.
    base: Duration,
    /// Time that each turn adds.
    increment: Duration,
}

/// Whose clock `time` and `otim` set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whose {
    /// The engine's.
    Own,
    /// The opponent's.
    Opponents,
}

/// What limits the thinking about a turn.
#[derive(Debug)]
pub(super) struct Limit {
    level: Level,
    /// `st`: the time of a turn.
    per_turn: Option<Duration>,
    /// `sd`: the depth.
    depth: Option<u32>,
    /// The clocks, the engine's first.
    clocks: [Option<Duration>; 2],
}

impl Default for Limit {
    fn default() -> Self {
        Self {
            level: Level {
                turns: 40,
                base: Duration::from_mins(5),
                increment: Duration::ZERO,
            },
            per_turn: None,
            depth: None,
            clocks: [None, None],
        }
    }
}

impl Limit {
    /// `new`: the depth and the clocks of the last game are forgotten.
    pub(super) fn forget(&mut self) {
        self.depth = None;
        self.clocks = [None, None];
    }

    /// `level TURNS MINUTES[:SECONDS] INCREMENT`; `None`: it cannot be read.
    pub(super) fn set_level(&mut self, text: &str) -> Option<()> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [turns, base, increment] = words[..] else {
            return None;
        };
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let minutes = seconds_of(minutes)?.as_secs_f64();
        self.level = Level {
            turns: turns.parse().ok()?,
            base: Duration::from_secs_f64((minutes * 60.0).min(LONGEST)) + seconds_of(seconds)?,
            increment: seconds_of(increment)?,
        };
        self.per_turn = None;
        self.clocks = [None, None];
        Some(())
    }

    /// `st SECONDS`; `None`: it cannot be read.
    pub(super) fn set_per_turn(&mut self, text: &str) -> Option<()> {
        self.per_turn = Some(seconds_of(text)?);
        Some(())
    }

    /// `sd DEPTH`; `None`: it cannot be read.
    pub(super) fn set_depth(&mut self, text: &str) -> Option<()> {
        self.depth = Some(text.parse::<u32>().ok()?.max(1));
        Some(())
    }

    /// `time` and `otim`, in centiseconds; what cannot be read leaves the clock as it was.
    pub(super) fn set_clock(&mut self, whose: Whose, text: &str) {
        if let Ok(centiseconds) = text.parse::<f64>()
            && centiseconds.is_finite()
        {
            let seconds = (centiseconds / 100.0).clamp(0.0, LONGEST);
            let clock = match whose {
                Whose::Own => &mut self.clocks[0],
                Whose::Opponents => &mut self.clocks[1],
            };
            *clock = Some(Duration::from_secs_f64(seconds));
        }
    }

    /// Puts the limits of the engine's turn into a request. Its side has made this many turns since the game or the position was
    /// set up, whoever made them: the periods of a clock count them all.
    pub(super) fn apply(&self, request: &mut Request, own: Color, own_turns: u32) {
        request.depth = self.depth;
        if let Some(time) = self.per_turn {
            request.movetime = Some(time);
            return;
        }
        let [mine, theirs] = self.clocks.map(|clock| clock.unwrap_or(self.level.base));
        request.time[own.index()] = Some(mine);
        request.time[own.other().index()] = Some(theirs);
        request.increment = [Some(self.level.increment); 2];
        if self.level.turns > 0 {
            request.moves_to_go = Some(self.level.turns - own_turns % self.level.turns);
        }
    }
}

/// Seconds as the protocol writes them, whole or with a fraction.
fn seconds_of(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    (seconds.is_finite() && (0.0..=LONGEST).contains(&seconds))
        .then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request_after(limit: &Limit, own_turns: u32) -> Request {
        let mut request = Request::default();
        limit.apply(&mut request, Color::Black, own_turns);
        request
    }

    fn request(limit: &Limit) -> Request {
        request_after(limit, 0)
    }

    #[test]
    fn periods_count_own_turns() {
        let mut limit = Limit::default();
        assert_eq!(limit.set_level("3 2:30 0.5"), Some(()));
        limit.set_clock(Whose::Own, "1234");
        assert_eq!(request(&limit).moves_to_go, Some(3));
        let third = request_after(&limit, 2);
        assert_eq!(third.moves_to_go, Some(1));
        assert_eq!(
            third.clock(Color::Black),
            Some((Duration::from_millis(12340), Duration::from_millis(500)))
        );
        assert_eq!(
            third.time[Color::White.index()],
            Some(Duration::from_secs(150))
        );
        assert_eq!(request_after(&limit, 3).moves_to_go, Some(3));
    }

    #[test]
    fn what_cannot_be_read_changes_nothing() {
        let mut limit = Limit::default();
        let before = request(&limit);
        for text in ["", "40 5", "40 5 0 0", "x 5 0", "40 -5 0", "40 5 NaN"] {
            assert_eq!(limit.set_level(text), None, "{text}");
        }
        assert_eq!(limit.set_per_turn("soon"), None);
        assert_eq!(limit.set_depth("-1"), None);
        limit.set_clock(Whose::Own, "inf");
        assert_eq!(request(&limit), before);
        assert_eq!(limit.set_per_turn("2"), Some(()));
        assert_eq!(request(&limit).movetime, Some(Duration::from_secs(2)));
        assert_eq!(limit.set_level("0 1 0"), Some(()));
        assert_eq!(request(&limit).movetime, None);
        assert_eq!(request(&limit).moves_to_go, None);
    }
}
