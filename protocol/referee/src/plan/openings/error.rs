use super::book::{Digest, Place};
use fauve_engine::Variant;
use fauve_engine::rules::{FenError, printable};
use fauve_game::replay::ReplayError;
use std::io;

/// The most random turns that can be asked for.
pub(super) const MOST_TURNS: u32 = 200;

/// Why there are no such openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// `random:` without a number of turns that can be asked for.
    #[error(
        "openings: 'random:{}' needs a number of turns up to {MOST_TURNS}, such as random:8",
        printable(.0)
    )]
    TurnCount(String),
    /// A file that cannot be read, or a word that is no name of openings either.
    #[error(
        "openings: {path}: {error}; write a file, balanced, startpos{} or random:N",
        listed(lists)
    )]
    Unreadable {
        /// The path, as given.
        path: String,
        /// What the system says.
        error: io::Error,
        /// The lists that the game has.
        lists: Vec<&'static str>,
    },
    /// A file without positions.
    #[error("openings: {0} holds no position")]
    Empty(String),
    /// A record has the digest of its book only, and the book is not there.
    #[error("openings: the book {0} is not at hand")]
    NotAtHand(String),
    /// A book that is not that of the record.
    #[error("openings: {path} is another book than the record's: {found}, not {due}")]
    OtherBook {
        /// The file.
        path: String,
        /// What is in it.
        found: Digest,
        /// What is in the book of the record.
        due: Digest,
    },
    /// A list that no game has.
    #[error("openings: no game has '{}'", printable(.0))]
    UnknownList(String),
    /// A list of another game.
    #[error("openings: {name} are of {}, not of {variant}", owners.join(", "))]
    OtherGame {
        /// The name of the list.
        name: String,
        /// The games that have it.
        owners: Vec<&'static str>,
        /// The game of the tournament.
        variant: Variant,
    },
    /// A line that is no position of the game.
    #[error("openings: {place}: '{}': {error}", printable(line))]
    Position {
        /// Where it stands.
        place: Place,
        /// The line.
        line: String,
        /// What is wrong with it.
        error: FenError,
    },
    /// A game of a PGN that cannot be played.
    #[error("openings: {path}: game {number}: {error}")]
    Game {
        /// The file.
        path: String,
        /// The game, from 1.
        number: usize,
        /// What is wrong with it.
        error: ReplayError,
    },
    /// A game of a PGN that is of another variant.
    #[error(
        "openings: {path}: game {number}: it is of '{}', not of {variant}",
        printable(found)
    )]
    Variant {
        /// The file.
        path: String,
        /// The game, from 1.
        number: usize,
        /// What its tag says.
        found: String,
        /// The game of the tournament.
        variant: Variant,
    },
    /// Settings of files, and no file.
    #[error("openings: '{}' is not a file, and --plies and --start are settings of files", printable(.0))]
    NoFile(String),
    /// `--start` with a number that the file does not have.
    #[error("openings: {path} holds {count} openings; --start takes one of 1 to {count}")]
    Start {
        /// The file.
        path: String,
        /// The number of its openings.
        count: usize,
    },
    /// A position in which the game is over.
    #[error("openings: {place}: '{}': the game is over there", printable(line))]
    Over {
        /// Where it stands.
        place: Place,
        /// The line.
        line: String,
    },
}

impl OpeningError {
    /// Whether what was asked for is wrong by itself, whatever the files are.
    pub const fn is_misuse(&self) -> bool {
        matches!(
            self,
            Self::TurnCount(_)
                | Self::UnknownList(_)
                | Self::OtherGame { .. }
                | Self::NoFile(_)
                | Self::Start { .. }
        )
    }
}

fn listed(lists: &[&str]) -> String {
    lists.iter().flat_map(|name| [", ", name]).collect()
}
