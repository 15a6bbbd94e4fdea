//! The first line of a record: the tournament.

use crate::plan::openings::Openings;
use crate::plan::schedule::{ColorOrder, Pairings, ScheduledGame, Share};
use crate::player::identity::{Identity, hexadecimal};
use crate::player::spec::EngineSpec;
use crate::record::lines::header_line;
use crate::stats::Sprt;
use fauve_engine::rules::RuleSettings;
use fauve_game::names::{self, NameError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The version of the record's format that new records have. In format 1 shards shared out single pairs, and a book stood
/// in the record whole.
pub const FORMAT: u32 = 2;
/// The versions that can be read.
pub(super) const FORMATS: std::ops::RangeInclusive<u32> = 1..=FORMAT;

/// Everything that determines the games of a tournament, and how they are counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`], or an older version.
    pub format: u32,
    /// What PGN calls the event.
    pub event: String,
    /// The game.
    pub variant: String,
    /// The rule switches that differ from the default, by the names of the options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<(String, String)>,
    /// The program that plays: openings that a search finds even, and the luck of the dice, depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<Identity>,
    /// The players.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub pairings: Pairings,
    /// Whether the players of a pairing keep their colours in all games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_swap: bool,
    /// Whether the second player of a pairing begins with White.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reverse: bool,
    /// Colour-swapped pairs per pairing.
    pub rounds: u64,
    /// The speed of machine to which clocks are scaled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ClockScale>,
    /// The seed of openings, dice and random players.
    pub seed: u64,
    /// Where the games begin.
    pub openings: Openings,
    /// Time by which a player may exceed its clock, in milliseconds, to cover communication.
    pub margin: u64,
    /// Time without an answer after which a player without a clock has stalled, in milliseconds.
    pub stall: u64,
    /// Adjudication of won games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<WinRule>,
    /// Adjudication of drawn games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Games that last this many turns are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u64>,
    /// The test that ends the tournament early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Whether the luck of the dice is computed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub luck: bool,
    /// Whether the games have a doubling cube.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubling: bool,
    /// Which of how many shares of the rounds this run plays, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u64, u64)>,
    /// The first and the last pair that this run plays, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<(u64, u64)>,
}

/// How the clocks of a machine are scaled: what a player has in nodes is the same on quick and slow machines.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockScale {
    /// Times are those of a machine that searches a million nodes per second in the benchmark of the game; other machines
    /// measure themselves before their first game.
    Bench,
    /// Times are multiplied by this.
    By(f64),
}

/// A game is won when both players agree on it, or the loser gives it up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinRule {
    /// The advantage in centipawns that they see.
    pub score: i32,
    /// For this number of turns of each player in a row.
    pub turns: u32,
    /// Whether it is enough that the losing player sees it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loser_alone: bool,
}

/// A game is drawn when both players agree on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The most that either player sees for anyone, in centipawns.
    pub score: i32,
    /// For this many turns of each player in a row.
    pub turns: u32,
    /// Not before this many turns of each player.
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
        let plan = ScheduledGame::of(game, &pairings, self.colors());
        let pair = (game - 1) / 2;
        (plan.round < self.rounds && self.share().has(pair, pairings.len() as u64)).then_some(plan)
    }

    /// The games of this tournament (or of this share of it) in the order of their numbers.
    pub fn plans(&self) -> impl Iterator<Item = ScheduledGame> + Send + use<> {
        let pairings = self.pairings.list(self.engines.len());
        ScheduledGame::all(pairings, self.colors(), self.rounds, self.share())
    }

    /// The number of games of this tournament (or of this share of it).
    pub fn planned(&self) -> u64 {
        let pairings = self.pairings.list(self.engines.len()).len() as u64;
        self.share().games(self.rounds, pairings)
    }

    /// The tournament that this run plays a share of.
    pub fn whole(&self) -> Self {
        Self {
            shard: None,
            pairs: None,
            ..self.clone()
        }
    }

    /// What sets the tournament apart from others, whatever share of it this is and where its programs and books are; other builds of
    /// the programs are another tournament: 64 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        let mut common = self.whole();
        common.referee = None;
        // A share can be prolonged; it is one of the same tournament.
        common.rounds = 0;
        common.forget_places();
        hexadecimal(&Sha256::digest(header_line(&common)))
    }

    /// Leaves out where programs, networks and the book are, as far as it is known what is in them.
    fn forget_places(&mut self) {
        for engine in &mut self.engines {
            // What a program calls itself is known only once it was started.
            for known in [&mut engine.program, &mut engine.network]
                .into_iter()
                .flatten()
            {
                known.id = None;
            }
            if engine.program.is_some() {
                engine.command.clear();
                engine.directory = None;
            }
            if engine.network.is_some() {
                engine.forget_network();
            }
        }
        if let Openings::File { path, .. } = &mut self.openings {
            path.clear();
        }
    }

    /// Which player of a pairing has White.
    pub const fn colors(&self) -> ColorOrder {
        ColorOrder {
            no_swap: self.no_swap,
            reverse: self.reverse,
        }
    }

    /// Which games of the tournament this run plays.
    pub const fn share(&self) -> Share {
        Share {
            shard: self.shard,
            of_pairs: self.format == 1,
            pairs: self.pairs,
        }
    }
}
