//! Ends of games: results and their reasons.

use fauve_engine::core::Color;
use fauve_engine::rules::{Draws, Outcome};
use serde::{Deserialize, Serialize};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    White,
    /// Black won.
    #[serde(rename = "0-1")]
    Black,
    /// Draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The result in which `color` wins.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::White => Some(Color::White),
            Self::Black => Some(Color::Black),
            Self::Draw => None,
        }
    }

    /// The half points of a side: 0, 1 or 2.
    pub const fn half_points(self, color: Color) -> u8 {
        match (self, color) {
            (Self::Draw, _) => 1,
            (Self::White, Color::White) | (Self::Black, Color::Black) => 2,
            _ => 0,
        }
    }

    /// The result of a game ended by the rules, and the reason.
    pub fn by_rules(outcome: Outcome) -> (Self, String) {
        let result = match outcome {
            Outcome::Win(color, _) => Self::win(color),
            Outcome::Draw(_) => Self::Draw,
        };
        let reason = match outcome {
            // The short form that PGN readers know.
            Outcome::Win(color, reason) => format!("{} {}", color.name(), reason.brief),
            Outcome::Draw(_) => outcome.to_string(),
        };
        (result, reason)
    }

    /// The result in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// Reads PGN's text; a draw may be written `1/2` or `½-½` as well.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::White),
            "0-1" => Some(Self::Black),
            "1/2-1/2" | "1/2" | "½-½" | "½" => Some(Self::Draw),
            _ => None,
        }
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
    /// An illegal turn.
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
    /// Both sides agreed on a draw.
    Agreement,
}

impl Termination {
    /// The ends by which a player has lost otherwise than by the game itself.
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
            Self::Rules | Self::Resignation | Self::Pass | Self::Agreement => "normal",
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

/// An end with its reason in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// The result.
    pub result: GameResult,
    /// What ended the game.
    pub termination: Termination,
    /// The same in words, `White resigns`.
    pub reason: String,
}

impl End {
    /// The end that the rules have brought.
    pub fn by_rules(outcome: Outcome) -> Self {
        let (result, reason) = GameResult::by_rules(outcome);
        Self {
            result,
            termination: Termination::Rules,
            reason,
        }
    }

    /// A side gives up.
    pub fn resignation(loser: Color) -> Self {
        Self::loss(loser, Termination::Resignation, "resigns")
    }

    /// A side has let its time run out. It has lost, unless the other side cannot win any more by any sequence of legal turns
    /// (see [`Draws::can_win`]): then the game is drawn.
    pub fn time_forfeit<G: Draws>(position: &G, late: Color) -> Self {
        Self::on_time(position, late, "has run out of time")
    }

    /// The same, with other words for what has happened.
    pub fn on_time<G: Draws>(position: &G, late: Color, how: &str) -> Self {
        let loss = Self::loss(late, Termination::Time, how);
        if position.can_win(!late) {
            return loss;
        }
        Self {
            result: GameResult::Draw,
            reason: format!("{}, and {} cannot win", loss.reason, (!late).name()),
            ..loss
        }
    }

    /// A side does not take the double.
    pub fn passed_double(loser: Color) -> Self {
        Self::loss(loser, Termination::Pass, "passes the double")
    }

    /// Both sides agree on a draw.
    pub fn agreed_draw() -> Self {
        Self {
            result: GameResult::Draw,
            termination: Termination::Agreement,
            reason: "draw by agreement".to_owned(),
        }
    }

    fn loss(loser: Color, termination: Termination, how: &str) -> Self {
        Self {
            result: GameResult::win(!loser),
            termination,
            reason: format!("{} {how}", loser.name()),
        }
    }

    /// The end as a sentence without its full stop, `White wins: Black resigns`.
    pub fn sentence(&self) -> String {
        match self.winner() {
            Some(winner) => format!("{} wins: {}", winner.name(), self.reason),
            None => self.reason.clone(),
        }
    }

    /// The winner, if there is one.
    pub const fn winner(&self) -> Option<Color> {
        self.result.winner()
    }
}
