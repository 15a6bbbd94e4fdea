//! A finished game, as the record keeps it.

pub use fauve_game::end::{GameResult, Termination};
use serde::{Deserialize, Serialize};

/// What a value is that is not exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The true value is this, or higher.
    Lower,
    /// The true value is this, or lower.
    Upper,
}

/// One turn of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// The roll that the referee gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
    /// The turn.
    pub token: String,
    /// The value that the player saw for itself, in centipawns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// The mate that the player saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Whether the value is a bound only; absent: it is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// The depth reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The depth of the deepest line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// The nodes visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time taken, in milliseconds (processor time where that limits the player); absent for a forced pass, which costs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// Whether the turn was thought about on the opponent's time: true where the opponent played what the player had expected, false
    /// where it did not; absent without pondering, and for programs of CECP, which do not say what they expect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ponder_hit: Option<bool>,
    /// With a clock, what it shows after the turn, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<u64>,
}

/// One finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Its number in the tournament, from 1; games 2n-1 and 2n are a pair.
    pub game: u64,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position.
    pub start: String,
    /// The seed of the dice, hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice_seed: Option<String>,
    /// The turns.
    pub turns: Vec<TurnRecord>,
    /// The result.
    pub result: GameResult,
    /// What ended it.
    pub termination: Termination,
    /// The same in words.
    pub reason: String,
    /// What the dice gave White, in points (see [`fauve_game::luck`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    /// With a doubling cube, what the game was worth at its end, in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stakes: Option<u32>,
    /// After how many turns somebody doubled, each time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubles: Vec<u64>,
    /// By what the clocks of the tournament were multiplied on the machine that played it, where they were scaled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// The day on which it ended, `2026.11.21`, UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
}

impl GameRecord {
    /// The record without what differs from run to run: times and date.
    #[must_use]
    pub fn timeless(mut self) -> Self {
        self.date.clear();
        self.scale = None;
        for turn in &mut self.turns {
            turn.ms = turn.ms.map(|_| 0);
            turn.left = turn.left.map(|_| 0);
        }
        self
    }
}
