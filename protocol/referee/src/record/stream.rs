//! Reading a record game by game: what is not kept needs no memory, however long the record is.

use crate::input::open;
use crate::record::game::GameRecord;
use crate::record::header::{FORMAT, Header};
use crate::record::lines::{
    Entry, GameFault, LineFault, ReadError, TextError, check_game, is_torn,
};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The games of a record file (or of what comes through a pipe), one after the other. Each is checked to be the tournament's, and
/// there once. A last line that was not finished is passed over.
#[derive(Debug)]
pub struct Stream<R = BufReader<File>> {
    path: PathBuf,
    input: R,
    header: Header,
    seen: HashSet<u64>,
    line: Vec<u8>,
    number: usize,
}

impl Stream {
    /// Opens a record and reads its first line.
    ///
    /// # Errors
    /// With the path, what is wrong.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = open(path).map_err(|error| system(path, error))?;
        Self::of(path, BufReader::new(file))
    }
}

impl<R: BufRead> Stream<R> {
    /// The games of an open record; the path is for what is said of it.
    ///
    /// # Errors
    /// With the path, what is wrong.
    pub fn of(path: &Path, mut input: R) -> Result<Self, ReadError> {
        let mut line = Vec::new();
        input
            .read_until(b'\n', &mut line)
            .map_err(|error| system(path, error))?;
        let fail = |error| ReadError::Text {
            path: path.to_owned(),
            error,
        };
        if line.is_empty() {
            return Err(fail(TextError::Empty));
        }
        let fault = match serde_json::from_slice(&line) {
            Ok(Entry::Tournament(header)) if header.format == FORMAT => {
                return Ok(Self {
                    path: path.to_owned(),
                    input,
                    header,
                    seen: HashSet::new(),
                    line,
                    number: 1,
                });
            }
            Ok(Entry::Tournament(header)) => LineFault::Format(header.format),
            Ok(Entry::Game(_)) => LineFault::OutOfPlace,
            Err(error) => error.into(),
        };
        Err(fail(TextError::Line { number: 1, fault }))
    }

    /// The tournament.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    fn read(&mut self) -> Result<Option<GameRecord>, ReadError> {
        self.line.clear();
        self.number += 1;
        let read = self.input.read_until(b'\n', &mut self.line);
        if read.map_err(|error| system(&self.path, error))? == 0 {
            return Ok(None);
        }
        if !self.line.ends_with(b"\n") && is_torn(&self.line) {
            return Ok(None);
        }
        let fault = match serde_json::from_slice(&self.line) {
            Ok(Entry::Game(game)) => match check_game(&self.header, &game) {
                Ok(()) if self.seen.insert(game.game) => return Ok(Some(game)),
                Ok(()) => GameFault::Twice(game.game).into(),
                Err(fault) => fault.into(),
            },
            Ok(Entry::Tournament(_)) => LineFault::OutOfPlace,
            Err(error) => error.into(),
        };
        Err(ReadError::Text {
            path: self.path.clone(),
            error: TextError::Line {
                number: self.number,
                fault,
            },
        })
    }
}

impl<R: BufRead> Iterator for Stream<R> {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn system(path: &Path, error: io::Error) -> ReadError {
    ReadError::System {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use crate::record::lines::parse;
    use crate::record::samples::record;

    fn streamed(text: &[u8]) -> Result<Record, String> {
        let stream = Stream::of(Path::new("x"), text).map_err(|error| error.to_string())?;
        let header = stream.header().clone();
        let games: Result<Vec<GameRecord>, ReadError> = stream.collect();
        let games = games.map_err(|error| error.to_string())?;
        Ok(Record { header, games })
    }

    #[test]
    fn a_record_read_game_by_game_is_the_record_read_whole() {
        let text = record(&[2, 1, 4]).text().into_bytes();
        assert_eq!(streamed(&text), Ok(record(&[2, 1, 4])));
        let end = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for length in end..text.len() {
            let torn = &text[..length];
            assert_eq!(streamed(torn), Ok(parse(torn).unwrap().record), "{length}");
        }
        let mut damaged = text.clone();
        damaged[end + 3] = b'!';
        for (text, part) in [
            (&damaged[..], "line 2: "),
            (b"", "no record in it"),
            (&text[end..], "line 1: a line out of place"),
            (
                record(&[1, 2, 1]).text().as_bytes(),
                "line 4: game 1 is there twice",
            ),
            (
                record(&[7]).text().as_bytes(),
                "line 2: the tournament has no game 7",
            ),
        ] {
            let error = streamed(text).unwrap_err();
            assert!(error.starts_with("x: ") && error.contains(part), "{error}");
        }
    }
}
