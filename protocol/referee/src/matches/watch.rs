//! The shards of a tournament, watched while they are played: their records grow in one folder.

use crate::matches::stop::StopFile;
use crate::record::difference::{differences, listed};
use crate::record::growing::Growing;
use crate::record::speed::Slowdown;
use crate::record::{GameRecord, Header};
use crate::report::sequence::Sequence;
use crate::report::tally::Tally;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The tournament whose records are in a folder.
#[derive(Debug)]
pub struct Watch {
    folder: PathBuf,
    records: BTreeMap<PathBuf, Growing>,
    /// Files that are none of its records.
    left_out: HashSet<PathBuf>,
    /// Records that could not be read the last time.
    unreadable: HashSet<PathBuf>,
    counted: Option<Counted>,
}

/// Why nothing was read of a file.
enum Trouble {
    /// It is no record of the tournament.
    Content(String),
    /// The system's error, which on folders of a network may be gone the next time.
    System(io::Error),
}

/// The tournament, and what was counted of it.
#[derive(Debug)]
pub struct Counted {
    /// The tournament without its share.
    pub header: Header,
    /// All games that have come.
    pub tally: Tally,
    /// The pairs that the sequential test has counted.
    pub sequence: Sequence,
    seen: HashSet<u64>,
    planned: u64,
}

impl Counted {
    fn new(header: &Header) -> Self {
        let header = header.whole();
        Self {
            tally: Tally::new(&header),
            sequence: Sequence::new(&header),
            planned: header.planned(),
            seen: HashSet::new(),
            header,
        }
    }

    fn add(&mut self, game: &GameRecord) {
        // A share that was played again changes nothing.
        if self.seen.insert(game.game) {
            self.tally.add(game);
            self.sequence.add(game);
        }
    }

    fn prolong(&mut self, rounds: u64) {
        if rounds > self.header.rounds {
            self.header.rounds = rounds;
            self.planned = self.header.planned();
        }
    }

    /// The games of the tournament.
    pub const fn planned(&self) -> u64 {
        self.planned
    }

    /// Whether every game is there.
    pub fn is_complete(&self) -> bool {
        self.tally.games() >= self.planned
    }

    /// Whether nothing more needs to be played.
    pub fn is_over(&self) -> bool {
        self.sequence.verdict().is_some() || self.is_complete()
    }
}

impl Watch {
    /// The records (`*.jsonl`) of a folder, of which nothing is read yet.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            records: BTreeMap::new(),
            left_out: HashSet::new(),
            unreadable: HashSet::new(),
            counted: None,
        }
    }

    /// What was counted; `None` while no record has begun.
    pub const fn counted(&self) -> Option<&Counted> {
        self.counted.as_ref()
    }

    /// Reads what has come since. Gives sentences about files that are left out from now on.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn poll(&mut self) -> io::Result<Vec<String>> {
        for entry in std::fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let is_record = path.extension() == Some(OsStr::new("jsonl"));
            if is_record && !self.left_out.contains(&path) && !self.records.contains_key(&path) {
                self.records.insert(path.clone(), Growing::new(&path));
            }
        }
        let mut notes = Vec::new();
        let paths: Vec<PathBuf> = self.records.keys().cloned().collect();
        for path in paths {
            match self.poll_record(&path) {
                Ok(()) => {
                    self.unreadable.remove(&path);
                }
                Err(Trouble::Content(why)) => {
                    notes.push(format!("{} is left out: {why}", path.display()));
                    self.records.remove(&path);
                    self.left_out.insert(path);
                }
                Err(Trouble::System(error)) => {
                    if self.unreadable.insert(path.clone()) {
                        let path = path.display();
                        notes.push(format!(
                            "{path} cannot be read now, and is tried again: {error}"
                        ));
                    }
                }
            }
        }
        Ok(notes)
    }

    fn poll_record(&mut self, path: &Path) -> Result<(), Trouble> {
        let Some(record) = self.records.get_mut(path) else {
            return Ok(());
        };
        let mut games = Vec::new();
        let before = record.header().is_some();
        let polled = record.poll(&mut |_, game| games.push(game));
        match polled {
            Ok(()) => {}
            // A record that was moved away keeps what it has given.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(Trouble::Content(error.to_string()));
            }
            Err(error) => return Err(Trouble::System(error)),
        }
        let Some(header) = record.header() else {
            return Ok(());
        };
        if before && games.is_empty() {
            return Ok(());
        }
        let counted = self.counted.get_or_insert_with(|| Counted::new(header));
        // A tournament that is prolonged stays the same; some of its shares know it later than others.
        let mut whole = header.whole();
        let rounds = std::mem::replace(&mut whole.rounds, counted.header.rounds);
        let differences = differences(&counted.header, &whole);
        if !differences.is_empty() {
            let what = listed(&differences);
            return Err(Trouble::Content(format!(
                "it is of another tournament ({what})"
            )));
        }
        counted.prolong(rounds);
        for game in &games {
            counted.add(game);
        }
        Ok(())
    }

    /// The records that are not complete and have not grown for this long: their machines may have died.
    pub fn silent(&self, time: Duration) -> impl Iterator<Item = (&Path, &Growing)> {
        let silent = move |record: &Growing| !record.is_complete() && record.silence() >= time;
        self.records
            .iter()
            .filter(move |(_, record)| silent(record))
            .map(|(path, record)| (path.as_path(), record))
    }

    /// The records whose machines have become slower by a third.
    pub fn slowdowns(&self) -> impl Iterator<Item = (&Path, Slowdown)> {
        let records = self.records.iter();
        records.filter_map(|(path, record)| Some((path.as_path(), record.speed().slowdown()?)))
    }

    /// The number of records.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// Writes the stop file, which every share of this tournament in the folder obeys after its game.
    ///
    /// # Errors
    /// The system's.
    pub fn stop_shares(&self, reason: &str) -> io::Result<()> {
        match &self.counted {
            Some(counted) => StopFile::write(&self.folder, &counted.header, reason),
            None => Ok(()),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::record::samples::{header, record};

    #[test]
    fn a_record_that_cannot_be_read_for_a_while_is_tried_again() {
        let folder = std::env::temp_dir().join(format!("fauve-watch-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("1.jsonl");
        std::os::unix::fs::symlink(&path, &path).unwrap();
        let mut watch = Watch::new(&folder);
        let notes = watch.poll().unwrap();
        assert!(
            matches!(&notes[..], [note] if note.contains("is tried again")),
            "{notes:?}"
        );
        assert_eq!(watch.poll().unwrap(), [""; 0], "said once");
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, record(&[1, 2]).text()).unwrap();
        assert_eq!(watch.poll().unwrap(), [""; 0]);
        let counted = watch.counted().expect("a tournament");
        assert_eq!(
            (&counted.header, counted.tally.games()),
            (&header().whole(), 2)
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
