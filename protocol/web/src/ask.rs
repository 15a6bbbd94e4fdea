//! What can be asked.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A question; `ask` says which, the other fields what exactly.
#[derive(Deserialize, Debug)]
#[serde(
    tag = "ask",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Ask {
    /// The games with the options of their rules.
    Games,
    /// A game from its first position.
    New {
        variant: String,
        /// A position string, or the name of a start position; the usual one without.
        position: Option<String>,
        /// Options of the rules by name.
        #[serde(default)]
        options: BTreeMap<String, Setting>,
        /// Seed of the dice, hexadecimal.
        seed: Option<String>,
    },
    /// The games of a PGN.
    Read {
        pgn: String,
        /// The game where no tag names it.
        variant: Option<String>,
    },
    /// The game is not needed any more.
    Free { game: usize },
    /// What there is to say about the position.
    State { game: usize },
    /// All turns so far.
    History { game: usize },
    /// The legal steps: moves that may be parts of a turn.
    Steps { game: usize },
    /// The legal turns.
    Turns { game: usize, limit: Option<usize> },
    /// What turn a text means.
    Parse { game: usize, text: String },
    /// Makes a turn or some steps of one.
    Play { game: usize, text: String },
    /// Gives the dice: these, or those of the seed.
    Roll { game: usize, dice: Option<String> },
    /// Takes back a step of a turn that has begun, or the last turn.
    Undo { game: usize },
    /// The game as PGN.
    Pgn {
        game: usize,
        #[serde(default)]
        tags: BTreeMap<String, String>,
    },
    /// The board as text.
    Board { game: usize },
    /// The best turn.
    Search { game: usize, limits: Limits },
    /// Forgets what searches have learned.
    Clear,
    /// The benchmark of a game.
    Bench { variant: String },
}

/// A value of an option, as pages have it.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub enum Setting {
    Switch(bool),
    Number(i64),
    Word(String),
}

impl Setting {
    /// As it is written in protocols.
    pub fn text(&self) -> String {
        match self {
            Self::Switch(on) => on.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Word(word) => word.clone(),
        }
    }
}

/// What ends a search, and how strong it is.
#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Limits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Turns to a mate.
    pub mate: Option<u32>,
    /// Milliseconds.
    pub movetime: Option<u64>,
    /// Until it is stopped.
    pub infinite: bool,
    /// How many lines are reported.
    pub multipv: Option<usize>,
    /// Megabytes of the table.
    pub hash: Option<usize>,
    /// From 1 on.
    pub level: Option<u32>,
    pub elo: Option<u32>,
    /// Of the weaknesses below full strength.
    pub seed: u64,
    /// Only turns that begin so.
    pub only: Vec<String>,
}
