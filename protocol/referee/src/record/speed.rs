//! The speed at which a machine searches, as its games show it.

use crate::record::{GameRecord, Header};
use std::collections::VecDeque;
use std::fmt;

/// The games over which a speed is measured: enough that openings, endgames and both players are among them.
const WINDOW: usize = 20;

/// The nodes of some turns, and their time in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Work {
    nodes: u64,
    ms: u64,
}

impl Work {
    fn of(game: &GameRecord) -> Self {
        let mut work = Self::default();
        for turn in &game.turns {
            // The nodes of a turn that was thought about on the opponent's time belong to more than its own time.
            if let (Some(nodes), Some(ms), None) =
                (turn.nodes, turn.ms, turn.ponder_hit.filter(|&hit| hit))
            {
                work.nodes = work.nodes.saturating_add(nodes);
                work.ms = work.ms.saturating_add(ms);
            }
        }
        work
    }

    /// Nodes per second.
    fn speed(games: impl IntoIterator<Item = Self>) -> f64 {
        let (mut nodes, mut ms) = (0.0, 0.0);
        for work in games {
            nodes += work.nodes as f64;
            ms += work.ms as f64;
        }
        nodes * 1000.0 / ms
    }
}

/// A machine that has become slower by a third or more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slowdown {
    /// Nodes per second in its first games.
    pub first: f64,
    /// Nodes per second in its latest games.
    pub latest: f64,
    /// The games that it has played.
    pub games: u64,
}

impl fmt::Display for Slowdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "nodes per second fell from {:.0} in the first {WINDOW} games to {:.0} in the latest of {}: other work on this \
             machine falsifies games on clocks",
            self.first, self.latest, self.games
        )
    }
}

/// The speed of a machine in its first and in its latest games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Speed {
    games: u64,
    first: Vec<Work>,
    latest: VecDeque<Work>,
}

impl Speed {
    /// Takes a game, in the order in which the machine has finished them. Games without nodes or times say nothing, and where no
    /// player is limited by time the speed does not matter.
    pub fn add(&mut self, header: &Header, game: &GameRecord) {
        if !header.engines.iter().any(|engine| engine.limit.is_timed()) {
            return;
        }
        let work = Work::of(game);
        if work.nodes == 0 || work.ms == 0 {
            return;
        }
        self.games += 1;
        if self.first.len() < WINDOW {
            self.first.push(work);
            return;
        }
        if self.latest.len() == WINDOW {
            self.latest.pop_front();
        }
        self.latest.push_back(work);
    }

    /// Whether the machine has become slower by a third.
    pub fn slowdown(&self) -> Option<Slowdown> {
        if self.latest.len() < WINDOW {
            return None;
        }
        let first = Work::speed(self.first.iter().copied());
        let latest = Work::speed(self.latest.iter().copied());
        (latest * 3.0 < first * 2.0).then_some(Slowdown {
            first,
            latest,
            games: self.games,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::limit::Limit;
    use crate::record::TurnRecord;
    use crate::record::samples::{game, header};
    use std::time::Duration;

    /// A game in which every turn has this time, on a machine of this speed.
    fn played(number: u64, nodes_per_second: f64, time: Duration) -> GameRecord {
        let turn = |place: u64| {
            let ms = time.as_millis() as u64 + (number + place) % 3;
            TurnRecord {
                token: "e2e4".to_owned(),
                ms: Some(ms),
                nodes: Some((nodes_per_second * ms as f64 / 1000.0) as u64),
                ..TurnRecord::default()
            }
        };
        GameRecord {
            turns: (0..40).map(turn).collect(),
            ..game(number)
        }
    }

    /// Fifty machines of differing speed, of which every tenth loses two fifths of it after half of its games and the others a
    /// fifth: with scaled clocks players have the same nodes everywhere, and the slow ones are named, and no others.
    #[test]
    fn fifty_machines_give_equal_nodes_and_slow_ones_are_named() {
        let limit = Limit {
            movetime: Some(100),
            ..Limit::default()
        };
        let mut timed = header();
        timed.engines[0].limit = limit.clone();
        let mut named = Vec::new();
        for machine in 0..50_u64 {
            let speed = 250_000.0 + 45_000.0 * machine as f64;
            let factor = 1_000_000.0 / speed;
            let time = limit.scaled(factor).time(Duration::ZERO);
            let time = time.expect("a time per turn");
            let nodes = time.as_secs_f64() * speed;
            assert!((nodes / 100_000.0 - 1.0).abs() < 0.02, "{machine}: {nodes}");
            let mut measured = Speed::default();
            for number in 1..=80 {
                let left = match (number > 40, machine % 10) {
                    (false, _) => 1.0,
                    (true, 0) => 0.6,
                    (true, _) => 0.8,
                };
                measured.add(&timed, &played(number, speed * left, time));
                if number <= 40 {
                    assert_eq!(measured.slowdown(), None, "{machine}");
                }
            }
            if let Some(slowdown) = measured.slowdown() {
                assert_eq!(slowdown.games, 80);
                assert!((slowdown.latest / slowdown.first - 0.6).abs() < 0.01);
                named.push(machine);
            }
        }
        assert_eq!(named, [0, 10, 20, 30, 40]);
    }

    #[test]
    fn a_slow_machine_falsifies_nothing_where_no_player_has_a_clock() {
        let mut by_nodes = header();
        for engine in &mut by_nodes.engines {
            engine.limit.nodes = Some(1000);
        }
        let mut timed = header();
        timed.engines[1].limit.clock = Some((10_000, 100));
        let slowdown = |header: &Header| {
            let mut measured = Speed::default();
            for number in 1..=40 {
                let speed = if number > 20 { 100_000.0 } else { 1_000_000.0 };
                measured.add(header, &played(number, speed, Duration::from_millis(5)));
            }
            measured.slowdown()
        };
        assert_eq!(slowdown(&by_nodes), None);
        assert!(slowdown(&timed).is_some());
    }
}
