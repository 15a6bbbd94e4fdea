//! The record that a run writes and goes on from.

use crate::record::difference::{Difference, complete, differences, listed};
use crate::record::game::GameRecord;
use crate::record::header::Header;
use crate::record::lines::{ReadError, TextError, game_line, header_line};
use crate::record::lock::try_lock;
use crate::record::save::{Saving, is_at, open_regular};
use crate::record::stream::Stream;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a record cannot be resumed. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// What the system says.
    #[error("{}: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// A device, a pipe or a folder.
    #[error("{}: a record has to be a regular file", .0.display())]
    NotAFile(PathBuf),
    /// Another run has it.
    #[error("{}: another run is writing to it", .0.display())]
    Locked(PathBuf),
    /// It holds something else than a record.
    #[error("{}: it is not the record of a match, and stays as it is ({error})", path.display())]
    NoRecord {
        /// The file.
        path: PathBuf,
        /// Why it is none.
        error: TextError,
    },
    /// A line of it is wrong.
    #[error("{}: {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line.
        error: TextError,
    },
    /// It is the record of something else.
    #[error(
        "{}: it is the record of another tournament; give the same settings to resume it, or another --record. \
         In the record / now: {}",
        path.display(),
        listed(differences)
    )]
    OtherTournament {
        /// The file.
        path: PathBuf,
        /// What differs; the record comes first.
        differences: Vec<Difference>,
    },
}

/// Keeps other runs from a record that is about to be replaced, as long as the file is held; `None` where there is no
/// file yet, or none that could be a record.
///
/// # Errors
/// When another run writes to it, or the system does not let us look.
pub fn hold(path: &Path) -> Result<Option<File>, OpenError> {
    let fail = |error: io::Error| OpenError::System {
        path: path.to_owned(),
        error,
    };
    if !std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(None);
    }
    let file = File::open(path).map_err(fail)?;
    lock(&file, path)?;
    Ok(Some(file))
}

/// A game that could not be recorded.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the record: {0}")]
pub struct AppendError(io::Error);

/// A record that grows with the run. It is locked against a second run.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
    path: PathBuf,
}

/// A record that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The record.
    pub record: RecordFile,
    /// The tournament as the record has it from now on: with what it knew already.
    pub header: Header,
}

impl RecordFile {
    /// Opens or begins the record of a tournament and hands over the games that it already holds. A record of fewer rounds is
    /// prolonged. A last line that was not finished is cut off; a file that is refused stays byte for byte as it is.
    ///
    /// # Errors
    /// When the file cannot be used, holds anything else, or another run writes to it.
    pub fn open(
        path: &Path,
        header: &Header,
        each: &mut dyn FnMut(&GameRecord),
    ) -> Result<Opened, OpenError> {
        let fail = |error: io::Error| OpenError::System {
            path: path.to_owned(),
            error,
        };
        let file = open_regular(path)
            .map_err(fail)?
            .ok_or_else(|| OpenError::NotAFile(path.to_owned()))?;
        lock(&file, path)?;
        let mut this = Self {
            file,
            path: path.to_owned(),
        };
        let line = header_line(header);
        if this.holds_beginning_of(&line).map_err(fail)? {
            this.file.set_len(0).map_err(fail)?;
            this.file.rewind().map_err(fail)?;
            this.write(&line).map_err(fail)?;
            return Ok(Opened {
                record: this,
                header: header.clone(),
            });
        }
        let mut stream = Stream::of(path, BufReader::new(&this.file))
            .map_err(|error| not_readable(path, error))?;
        let due = resumed(header, stream.header(), path)?;
        let is_longer = due.rounds > stream.header().rounds;
        let first_line = stream.lines().good();
        let recorded = stream.header().clone();
        for game in stream.by_ref() {
            each(&game.map_err(|error| not_readable(path, error))?);
        }
        let good = stream.into_lines().good();
        // The machine may have stopped just before the end of the first line was written.
        let is_ended = this.ends_line(first_line).map_err(fail)?;
        if is_longer || !is_ended {
            let longer = Header {
                rounds: due.rounds,
                ..recorded
            };
            this.replace_first_line(&longer, first_line, good)?;
        } else {
            this.file.set_len(good).map_err(fail)?;
            this.file.seek(SeekFrom::End(0)).map_err(fail)?;
        }
        Ok(Opened {
            record: this,
            header: due,
        })
    }

    /// Whether the file is empty, or all that is in it is a part of this first line, at most without its seed: of a line that was cut
    /// off behind the seed this is not known.
    fn holds_beginning_of(&mut self, line: &str) -> io::Result<bool> {
        let mut text = Vec::new();
        // A seed has up to 20 digits.
        let longest = line.len() as u64 + 20;
        (&mut self.file).take(longest).read_to_end(&mut text)?;
        self.file.rewind()?;
        let [begun, whole] = [&text, line.as_bytes()].map(without_seed);
        let is_shorter = (text.len() as u64) < longest && begun.len() < whole.len();
        Ok(is_shorter && whole.starts_with(&begun))
    }

    /// Whether a line ends before this byte.
    fn ends_line(&mut self, before: u64) -> io::Result<bool> {
        let mut last = [0];
        self.file.seek(SeekFrom::Start(before.saturating_sub(1)))?;
        self.file.read_exact(&mut last)?;
        Ok(last == *b"\n")
    }

    /// Writes the record with another first line: whole, or not at all.
    fn replace_first_line(
        &mut self,
        header: &Header,
        first_line: u64,
        good: u64,
    ) -> Result<(), OpenError> {
        let replaced = (|| {
            let mut saving = Saving::replacing(&self.path)?;
            // Nobody else may take the record between its old file and its new one.
            try_lock(saving.file())?;
            saving.write_all(header_line(header).as_bytes())?;
            self.file.seek(SeekFrom::Start(first_line))?;
            io::copy(&mut (&mut self.file).take(good - first_line), &mut saving)?;
            saving.finish()
        })();
        self.file = replaced.map_err(|error| OpenError::System {
            path: self.path.clone(),
            error,
        })?;
        Ok(())
    }

    /// Adds a game; when this returns it is on the disk. Gives a sentence if the file was removed or replaced meanwhile:
    /// all games are in a new one then.
    ///
    /// # Errors
    /// The system's.
    pub fn append(&mut self, game: &GameRecord) -> Result<Option<String>, AppendError> {
        self.write(&game_line(game)).map_err(AppendError)?;
        self.restore()
    }

    /// Writes the whole record anew if its file was removed; beside the other one if another has taken its place.
    ///
    /// # Errors
    /// The system's.
    pub fn restore(&mut self) -> Result<Option<String>, AppendError> {
        if is_at(&self.file, &self.path).map_err(AppendError)? {
            return Ok(None);
        }
        let old = self.path.clone();
        for number in 1.. {
            if self.path.symlink_metadata().is_err() {
                break;
            }
            let mut name = old.clone().into_os_string();
            name.push(format!(".rescued{number}"));
            self.path = name.into();
        }
        self.file = self.copy_to_path().map_err(AppendError)?;
        Ok(Some(if self.path == old {
            format!(
                "the record {} was removed; it is written anew, with all its games",
                old.display()
            )
        } else {
            format!(
                "the record {} was replaced by another file; all its games are in {}",
                old.display(),
                self.path.display()
            )
        }))
    }

    fn copy_to_path(&mut self) -> io::Result<File> {
        let mut saving = Saving::replacing(&self.path)?;
        try_lock(saving.file())?;
        self.file.rewind()?;
        io::copy(&mut self.file, &mut saving)?;
        saving.finish()
    }

    /// Writes a line, or leaves the file as it was: a part of a line with another line behind it would be damage.
    fn write(&mut self, line: &str) -> io::Result<()> {
        let end = self.file.stream_position()?;
        let written = self
            .file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.sync_data());
        if written.is_err() {
            // The first error is the one to report.
            let _ = self.file.set_len(end);
            let _ = self.file.seek(SeekFrom::Start(end));
        }
        written
    }
}

/// The tournament that is resumed: as it is given now, and what only the record knows.
fn resumed(header: &Header, recorded: &Header, path: &Path) -> Result<Header, OpenError> {
    let mut differences = differences(recorded, header);
    // A record can be prolonged.
    differences
        .retain(|difference| difference.setting != "rounds" || header.rounds < recorded.rounds);
    if !differences.is_empty() {
        return Err(OpenError::OtherTournament {
            path: path.to_owned(),
            differences,
        });
    }
    let mut due = header.clone();
    due.format = recorded.format;
    complete(&mut due, recorded);
    Ok(due)
}

fn lock(file: &File, path: &Path) -> Result<(), OpenError> {
    match try_lock(file) {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(OpenError::Locked(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(OpenError::System {
            path: path.to_owned(),
            error,
        }),
    }
}

/// A first line, or the beginning of one, without the digits of its seed.
fn without_seed(line: &[u8]) -> Vec<u8> {
    const SEED: &[u8] = b"\"seed\":";
    let name = line.windows(SEED.len()).position(|part| part == SEED);
    let (before, seed) = line.split_at(name.map_or(line.len(), |at| at + SEED.len()));
    let after = seed.iter().skip_while(|byte| byte.is_ascii_digit());
    before.iter().chain(after).copied().collect()
}

/// A file whose first line is no tournament is no record; one with such a line is a damaged record.
fn not_readable(path: &Path, error: ReadError) -> OpenError {
    let path = path.to_owned();
    match error {
        ReadError::System { error, .. } => OpenError::System { path, error },
        ReadError::Text { error, .. } => match error {
            TextError::Line { number: 2.., .. } => OpenError::Damaged { path, error },
            _ => OpenError::NoRecord { path, error },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use crate::record::samples::{game, header, record};

    /// A path of its own for each test, and nothing there.
    fn scratch(name: &str) -> PathBuf {
        let name = format!("fauve-record-{}-{name}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&path);
        path
    }

    /// The record, and the games in it.
    fn open(path: &Path, header: &Header) -> Result<(RecordFile, Vec<GameRecord>), OpenError> {
        let mut games = Vec::new();
        let opened = RecordFile::open(path, header, &mut |game| games.push(game.clone()))?;
        Ok((opened.record, games))
    }

    #[test]
    fn a_record_is_prolonged_and_not_shortened() {
        let path = scratch("longer");
        let (mut file, _) = open(&path, &header()).unwrap();
        for number in [1, 2, 4] {
            file.append(&game(number)).unwrap();
        }
        drop(file);
        let longer = Header {
            rounds: 7,
            ..header()
        };
        let (mut file, games) = open(&path, &longer).unwrap();
        assert_eq!(games.len(), 3);
        file.append(&game(13)).unwrap();
        assert!(matches!(open(&path, &longer), Err(OpenError::Locked(_))));
        drop(file);
        let record = Record::read(&path).unwrap();
        assert_eq!((record.header.rounds, record.games.len()), (7, 4));
        let before = std::fs::read(&path).unwrap();
        let shorter = open(&path, &header()).unwrap_err().to_string();
        assert!(
            shorter.ends_with("In the record / now: rounds: 7 / 2"),
            "{shorter}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_record_of_the_older_format_is_resumed_as_it_is() {
        let path = scratch("older");
        let old = record(&[1])
            .text()
            .replacen("\"format\":2", "\"format\":1", 1);
        std::fs::write(&path, &old).unwrap();
        let opened = RecordFile::open(&path, &header(), &mut |_| {}).unwrap();
        assert_eq!(opened.header.format, 1);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), old);
        std::fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_record_that_is_removed_is_written_anew_and_another_file_is_left_alone() {
        let path = scratch("removed");
        let (mut file, _) = open(&path, &header()).unwrap();
        assert_eq!(file.append(&game(1)).unwrap(), None);
        std::fs::remove_file(&path).unwrap();
        let said = file.append(&game(2)).unwrap().unwrap();
        assert!(said.contains("was removed"), "{said}");
        assert_eq!(Record::read(&path).unwrap().games, [game(1), game(2)]);
        assert!(matches!(open(&path, &header()), Err(OpenError::Locked(_))));
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, "another").unwrap();
        let said = file.append(&game(3)).unwrap().unwrap();
        assert!(said.contains(".rescued1"), "{said}");
        assert_eq!(file.append(&game(4)).unwrap(), None);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "another");
        let mut rescued = path.clone().into_os_string();
        rescued.push(".rescued1");
        let rescued = PathBuf::from(rescued);
        assert_eq!(Record::read(&rescued).unwrap().games.len(), 4);
        std::fs::remove_file(&rescued).unwrap();
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_goes_on_after_a_torn_line_and_refuses_other_tournaments() {
        let path = scratch("torn");
        {
            let (mut file, games) = open(&path, &header()).unwrap();
            assert!(games.is_empty());
            file.append(&game(1)).unwrap();
            let second = open(&path, &header());
            assert!(matches!(second, Err(OpenError::Locked(_))));
            assert!(matches!(hold(&path), Err(OpenError::Locked(_))));
        }
        let mut text = std::fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"type\":\"game\",\"ga");
        std::fs::write(&path, text).unwrap();
        {
            let (mut file, games) = open(&path, &header()).unwrap();
            assert_eq!(games, [game(1)]);
            file.append(&game(2)).unwrap();
        }
        assert_eq!(Record::read(&path).unwrap().games, [game(1), game(2)]);
        assert!(matches!(hold(&path), Ok(Some(_))));
        let later = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, later.replacen("\"format\":2", "\"format\":3", 1)).unwrap();
        let error = Record::read(&path).unwrap_err().to_string();
        assert!(
            error.ends_with(
                "line 1: the record has format 3, and this program reads formats up to 2"
            ),
            "{error}"
        );
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_torn_in_its_first_line_is_begun_anew() {
        let path = scratch("begun");
        let line = header_line(&header());
        for length in 0..line.len() {
            std::fs::write(&path, &line[..length]).unwrap();
            let (_, games) = open(&path, &header()).unwrap();
            assert!(games.is_empty());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), line);
        }
        // Everything but the end of the line is there, written otherwise than this program does.
        std::fs::write(&path, line.trim_end().replacen("{\"", "{ \"", 1)).unwrap();
        let (mut file, games) = open(&path, &header()).unwrap();
        assert!(games.is_empty());
        file.append(&game(1)).unwrap();
        drop(file);
        assert_eq!(open(&path, &header()).unwrap().1, [game(1)]);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_first_line_that_was_cut_off_is_begun_anew_with_another_seed() {
        let path = scratch("cut");
        let mut other = header();
        other.seed = 77_777;
        let line = header_line(&other);
        for length in 0..line.len() {
            std::fs::write(&path, &line[..length]).unwrap();
            let (_, games) =
                open(&path, &header()).unwrap_or_else(|error| panic!("{length}: {error}"));
            assert!(games.is_empty());
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(text, header_line(&header()), "{length}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_refused_stays_byte_for_byte() {
        let path = scratch("refused");
        let whole = record(&[1, 2]).text();
        let other = whole.replacen("\"seed\":1", "\"seed\":2", 1);
        assert_ne!(other, whole);
        let torn = |text: &str| text[..text.len() - 9].to_owned();
        for text in [
            "one line".to_owned(),
            "one line\n".to_owned(),
            "{\"type\":\"tour".to_owned() + "x",
            "\n".to_owned(),
            "\0\0\0".to_owned(),
            "{\"a\": 1}\n{\"b\": 2}\n".to_owned(),
            torn(header_line(&header()).as_str()) + "\n",
            other.clone(),
            torn(&other),
            // The line of a game twice, and then a torn one.
            record(&[1, 1]).text() + "{\"type\":\"game\"",
            record(&[7]).text() + "{\"type\":\"game\"",
            whole.clone() + "{\"type\":\"gam\"\n",
            whole.clone() + "a note",
        ] {
            std::fs::write(&path, &text).unwrap();
            let result = open(&path, &header());
            assert!(result.is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn devices_and_folders_are_refused_as_records() {
        for path in ["/dev/full", "/dev/zero", "/dev/null", "/tmp"] {
            let path = Path::new(path);
            if path.exists() {
                let result = open(path, &header());
                assert!(matches!(result, Err(OpenError::NotAFile(_))), "{path:?}");
                assert!(Record::read(path).is_err());
            }
        }
    }
}
