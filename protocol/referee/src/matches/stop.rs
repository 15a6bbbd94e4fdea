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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::identity::Identity;
    use crate::record::samples::header;

    #[test]
    fn a_stop_file_is_of_one_build() {
        let build = |sha256: &str, command: &str, id: Option<&str>| {
            let mut header = header();
            header.shard = Some((1, 2));
            header.engines[0].command = command.to_owned();
            header.engines[0].program = Some(Identity {
                id: id.map(str::to_owned),
                size: 3,
                sha256: sha256.to_owned(),
            });
            header
        };
        let folder = std::env::temp_dir().join(format!("fauve-stop-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        StopFile::write(&folder, &build("aa", "./new", None), "decided").unwrap();
        let stops = |header: &Header| {
            let record = folder.join("1.jsonl");
            StopFile::of(header, Some(&record)).is_some_and(|file| file.is_there())
        };
        assert!(stops(&build("aa", "./new", None)));
        assert!(stops(&build("aa", "/elsewhere/new", Some("New 2"))));
        assert!(!stops(&build("bb", "./new", None)));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
