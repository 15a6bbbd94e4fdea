//! The record that a run writes and goes on from.

use crate::record::game::GameRecord;
use crate::record::header::Header;
use crate::record::lines::{Parsed, TextError, check_games, game_line, header_line, parse};
use crate::record::save::open_regular;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a record cannot be gone on with. The file is as it was.
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
        "{}: it is the record of another tournament; give the same settings to go on with it, or another --record",
        .0.display()
    )]
    OtherTournament(PathBuf),
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
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(OpenError::Locked(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(fail(error)),
    }
}

/// A game that could not be recorded.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the record: {0}")]
pub struct AppendError(io::Error);

/// A record that grows with the run. It is locked against a second run.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
}

impl RecordFile {
    /// Opens or begins the record of a tournament and gives the games that it already holds. A last line that was not
    /// finished is cut off; a file that is refused stays byte for byte as it is.
    ///
    /// # Errors
    /// When the file cannot be used, holds anything else, or another run writes to it.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Vec<GameRecord>), OpenError> {
        let fail = |error: io::Error| OpenError::System {
            path: path.to_owned(),
            error,
        };
        let mut file = open_regular(path)
            .map_err(fail)?
            .ok_or_else(|| OpenError::NotAFile(path.to_owned()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(fail(error)),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fail)?;
        let line = header_line(header);
        let is_new = line.as_bytes().starts_with(&text) && text.len() < line.len();
        let (games, good) = if is_new {
            (Vec::new(), 0)
        } else {
            let Parsed { record, good } =
                parse(&text).map_err(|error| not_readable(path, error))?;
            if record.header != *header {
                return Err(OpenError::OtherTournament(path.to_owned()));
            }
            check_games(&record).map_err(|error| OpenError::Damaged {
                path: path.to_owned(),
                error,
            })?;
            (record.games, good)
        };
        file.set_len(good as u64).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let mut this = Self { file };
        if is_new {
            this.write(&line).map_err(fail)?;
        }
        Ok((this, games))
    }

    /// Adds a game; when this returns it is on the disk.
    ///
    /// # Errors
    /// What the system says.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), AppendError> {
        self.write(&game_line(game)).map_err(AppendError)
    }

    /// Writes a line, or leaves the file as it was: a part of a line with another line behind it would be damage.
    fn write(&mut self, line: &str) -> io::Result<()> {
        let end = self.file.stream_position()?;
        let written = self
            .file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.sync_data());
        if written.is_err() {
            // What went wrong first is what is told.
            let _ = self.file.set_len(end);
            let _ = self.file.seek(SeekFrom::Start(end));
        }
        written
    }
}

/// A file whose first line is no tournament is no record; one with such a line is a damaged record.
fn not_readable(path: &Path, error: TextError) -> OpenError {
    let path = path.to_owned();
    match error {
        TextError::Line { number: 2.., .. } => OpenError::Damaged { path, error },
        _ => OpenError::NoRecord { path, error },
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

    #[test]
    fn a_file_goes_on_after_a_torn_line_and_refuses_other_tournaments() {
        let path = scratch("torn");
        {
            let (mut file, games) = RecordFile::open(&path, &header()).unwrap();
            assert!(games.is_empty());
            file.append(&game(1)).unwrap();
            let second = RecordFile::open(&path, &header());
            assert!(matches!(second, Err(OpenError::Locked(_))));
            assert!(matches!(hold(&path), Err(OpenError::Locked(_))));
        }
        let mut text = std::fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"type\":\"game\",\"ga");
        std::fs::write(&path, text).unwrap();
        {
            let (mut file, games) = RecordFile::open(&path, &header()).unwrap();
            assert_eq!(games, [game(1)]);
            file.append(&game(2)).unwrap();
        }
        assert_eq!(Record::read(&path).unwrap().games, [game(1), game(2)]);
        assert!(matches!(hold(&path), Ok(Some(_))));
        let later = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, later.replacen("\"format\":1", "\"format\":2", 1)).unwrap();
        let error = Record::read(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("line 1: the record has format 2, and this program reads format 1"),
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
            let (_, games) = RecordFile::open(&path, &header()).unwrap();
            assert!(games.is_empty());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), line);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn fault_02_what_is_refused_stays_byte_for_byte() {
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
            let result = RecordFile::open(&path, &header());
            assert!(result.is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn fault_09_devices_and_folders_are_refused_as_records() {
        for path in ["/dev/full", "/dev/zero", "/dev/null", "/tmp"] {
            let path = Path::new(path);
            if path.exists() {
                let result = RecordFile::open(path, &header());
                assert!(matches!(result, Err(OpenError::NotAFile(_))), "{path:?}");
                assert!(Record::read(path).is_err());
            }
        }
    }
}
