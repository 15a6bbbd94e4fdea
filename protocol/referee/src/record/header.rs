//! The first line of a record: the tournament.

use crate::plan::openings::Openings;
use crate::plan::schedule::{Pairings, ScheduledGame};
use crate::player::spec::EngineSpec;
use crate::stats::Sprt;
use fauve_engine::rules::RuleSettings;
use fauve_game::names::{self, NameError};
use serde::{Deserialize, Serialize};

/// The version of the record's format.
pub const FORMAT: u32 = 1;

/// Everything that determines the games of a tournament, and how they are counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// What PGN calls the event.
    pub event: String,
    /// The game.
    pub variant: String,
    /// The rule switches that differ from the default, by the names of the options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<(String, String)>,
    /// The players.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub pairings: Pairings,
    /// Colour-swapped pairs per pairing.
    pub rounds: u64,
    /// The seed of openings, dice and random players.
    pub seed: u64,
    /// Where the games begin.
    pub openings: Openings,
    /// What a player may overstep its time by, in milliseconds: the cost of the way.
    pub margin: u64,
    /// After how long without an answer a player without a clock has stalled, in milliseconds.
    pub stall: u64,
    /// Adjudication of won games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<WinRule>,
    /// Adjudication of drawn games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Games that last so many turns are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u64>,
    /// The test that ends the tournament early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Whether the luck of the dice is reckoned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub luck: bool,
    /// Whether the games have a doubling cube.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubling: bool,
    /// Which of how many shares of the pairs this run plays, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u64, u64)>,
}

/// A game is won when both players agree on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinRule {
    /// The advantage in centipawns that both see.
    pub score: i32,
    /// For so many turns of each player in a row.
    pub turns: u32,
}

/// A game is drawn when both players agree on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The most that either player sees for anyone, in centipawns.
    pub score: i32,
    /// For so many turns of each player in a row.
    pub turns: u32,
    /// Not before so many turns of each player.
    pub after: u32,
}

impl Header {
    /// The rule switches of the games.
    ///
    /// # Errors
    /// A switch that no game has, or a value that it does not take.
    pub fn rule_settings(&self) -> Result<RuleSettings, NameError> {
        let switches = self.rules.iter();
        names::rules(switches.map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// The plan of a game that this tournament (or this share of it) has.
    pub fn plan(&self, game: u64) -> Option<ScheduledGame> {
        let pairings = self.pairings.list(self.engines.len());
        if pairings.is_empty() || game == 0 {
            return None;
        }
        let plan = ScheduledGame::of(game, &pairings);
        let (number, count) = self.shard.unwrap_or((1, 1));
        let is_ours = (game - 1) / 2 % count.max(1) + 1 == number;
        (plan.round < self.rounds && is_ours).then_some(plan)
    }
}
