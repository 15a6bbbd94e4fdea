//! Whether a run is to end at once.

use crate::player::group;
use crate::record::Header;
use crate::record::save::save;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Said once to all workers: games in progress are given up, and not recorded.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Says it.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was said, or all players were ended with this program.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed) || group::is_stopping()
    }
}

/// The file beside the records of the shards of a tournament that ends them all, each after its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StopFile {
    path: PathBuf,
    tournament: String,
}

impl StopFile {
    /// The name of the file.
    pub const NAME: &str = "fauve-stop";

    /// The file of a share of a tournament; `None` for a whole one, or without a record.
    pub fn of(header: &Header, record: Option<&Path>) -> Option<Self> {
        if header.share().is_whole() {
            return None;
        }
        let folder = record?.parent()?;
        Some(Self {
            path: folder.join(Self::NAME),
            tournament: header.fingerprint(),
        })
    }

    /// Writes the file into a folder, for a tournament, with the reason.
    ///
    /// # Errors
    /// The system's.
    pub fn write(folder: &Path, header: &Header, reason: &str) -> io::Result<()> {
        let text = format!("{}\n{reason}\n", header.fingerprint());
        save(&folder.join(Self::NAME), text.as_bytes())
    }

    /// Whether the file is there, and is this tournament's.
    pub fn is_there(&self) -> bool {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        text.lines().next() == Some(&self.tournament)
    }
}
