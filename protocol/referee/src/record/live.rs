//! The games of a match that are being played: a file beside the record, which is there while the match runs and is written anew
//! as turns are made.

use crate::record::game::{GameRecord, GameResult, Termination, TurnRecord};
use crate::record::header::Header;
use crate::record::pgn::pgn_game;
use crate::record::save::replace;
use fauve_engine::rules::Notation;
use fauve_game::pgn::PgnGame;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What stands behind the name of the record in the name of the file.
const EXTENSION: &str = ".live";

/// A game that is being played, as far as it has come.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveGame {
    /// Its number in the tournament, from 1.
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
    /// The turns so far.
    pub turns: Vec<TurnRecord>,
}

impl LiveGame {
    /// The game as it would be read from PGN, with what the players have seen so far.
    pub fn pgn<G: Notation>(&self, header: &Header, options: &G::Options) -> PgnGame {
        let unfinished = GameRecord {
            game: self.game,
            white: self.white.clone(),
            black: self.black.clone(),
            start: self.start.clone(),
            dice_seed: self.dice_seed.clone(),
            turns: self.turns.clone(),
            // These three are not known yet, and taken out below.
            result: GameResult::Draw,
            termination: Termination::Rules,
            reason: String::new(),
            luck: None,
            stakes: None,
            doubles: Vec::new(),
            scale: None,
            date: String::new(),
        };
        let mut pgn = pgn_game::<G>(header, &unfinished, options);
        for name in ["Result", "Termination", "EndReason", "PlyCount"] {
            pgn.tags.remove(name);
        }
        "*".clone_into(&mut pgn.result);
        pgn
    }
}

/// The file of the games that are being played for a record. Nothing where the record is no regular file, such as a pipe: there is no
/// place beside it.
pub fn live_path(record: &Path) -> Option<PathBuf> {
    let record = fs::canonicalize(record).ok()?;
    let mut name = record.is_file().then_some(record)?.into_os_string();
    name.push(EXTENSION);
    Some(name.into())
}

/// Writes the games at once and whole.
///
/// # Errors
/// The system's.
pub fn write_live(path: &Path, games: &[LiveGame]) -> io::Result<()> {
    replace(path, &serde_json::to_vec(games)?)
}

/// Reads the games.
///
/// # Errors
/// The system's, or that they are none. A pipe or a device, which could be waited for without end, is not opened.
pub fn read_live(path: &Path) -> io::Result<Vec<LiveGame>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}
