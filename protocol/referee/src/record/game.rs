//! A finished game, as the record keeps it.

use fauve_engine::core::Color;
use fauve_engine::rules::Outcome;
use serde::{Deserialize, Serialize};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// White has won.
    #[serde(rename = "1-0")]
    White,
    /// Black has won.
    #[serde(rename = "0-1")]
    Black,
    /// Nobody has won.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The win of a side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// Half points of a side: 0, 1 or 2.
    pub const fn half_points(self, color: Color) -> u8 {
        match (self, color) {
            (Self::Draw, _) => 1,
            (Self::White, Color::White) | (Self::Black, Color::Black) => 2,
            _ => 0,
        }
    }

    /// The result of a game that the rules have ended, and how they did.
    pub fn by_rules(outcome: Outcome) -> (Self, String) {
        let result = match outcome {
            Outcome::Win(color, _) => Self::win(color),
            Outcome::Draw(_) => Self::Draw,
        };
        let reason = match outcome {
            // Shorter than the sentence, and what PGN readers know.
            Outcome::Win(color, reason) => format!("{} {}", color.name(), reason.brief),
            Outcome::Draw(_) => outcome.to_string(),
        };
        (result, reason)
    }

    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// Reads PGN's text.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::White, Self::Black, Self::Draw]
            .into_iter()
            .find(|result| result.text() == text)
    }
}

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// The rules of the game.
    Rules,
    /// The agreement of both players' values, or the limit of turns.
    Adjudication,
    /// A turn that is none.
    IllegalTurn,
    /// The program ended.
    Crash,
    /// The program gave no answer.
    Stall,
    /// The time was up.
    Time,
    /// A player gave up.
    Resignation,
    /// A program refused to go on.
    Refusal,
    /// A double was not taken.
    Pass,
}

impl Termination {
    /// The ends by which a player has lost otherwise than by the game.
    pub const FORFEITS: [Self; 5] = [
        Self::Time,
        Self::IllegalTurn,
        Self::Crash,
        Self::Stall,
        Self::Refusal,
    ];

    /// The word of PGN's Termination tag.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::Rules | Self::Resignation | Self::Pass => "normal",
            Self::Adjudication => "adjudication",
            Self::Time => "time forfeit",
            Self::IllegalTurn => "rules infraction",
            Self::Crash => "emergency",
            Self::Stall => "abandoned",
            Self::Refusal => "unterminated",
        }
    }

    /// Whether a player has lost by something else than the game.
    pub fn is_forfeit(self) -> bool {
        Self::FORFEITS.contains(&self)
    }
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
    /// The depth reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The nodes visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time taken, in milliseconds; absent for a forced pass, which costs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
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
    /// What the dice gave White, in points (see [`crate::matches::luck`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    /// With a doubling cube, what the game was worth at its end, in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stakes: Option<u32>,
    /// After how many turns somebody doubled, each time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubles: Vec<u64>,
    /// The day on which it ended, `2026.11.21`, UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
}

impl GameRecord {
    /// The record without what differs from run to run: times and date.
    #[must_use]
    pub fn timeless(mut self) -> Self {
        self.date.clear();
        for turn in &mut self.turns {
            turn.ms = turn.ms.map(|_| 0);
        }
        self
    }
}
