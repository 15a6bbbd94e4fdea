//! Reading a record game by game: what is not kept needs no memory, however long the record is.

use crate::input::open;
use crate::record::game::GameRecord;
use crate::record::header::Header;
use crate::record::lines::{
    Entry, GameFault, LineFault, ReadError, TextError, check_game, check_header, is_torn, read_line,
};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Why no line can be read any more.
#[derive(Debug, thiserror::Error)]
pub enum LinesError {
    /// The error of the system.
    #[error(transparent)]
    System(#[from] io::Error),
    /// A line that is none of a record's.
    #[error(transparent)]
    Text(#[from] TextError),
}

/// The lines of a record: the tournament, and then its games as they are written, unchecked. Every reader of records goes
/// through here, but for [`Growing`](crate::record::growing::Growing), which waits for what comes. A last line that was not
/// finished is left out.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    header: Header,
    line: Vec<u8>,
    number: usize,
    begin: u64,
    good: u64,
}

impl<R: BufRead> Lines<R> {
    /// Reads the tournament in the first line.
    ///
    /// # Errors
    /// The system's, or a first line that is no tournament of a format that this program reads.
    pub fn of(mut input: R) -> Result<Self, LinesError> {
        let mut line = Vec::new();
        let read = read_line(&mut input, &mut line)?;
        if line.is_empty() {
            return Err(TextError::Empty.into());
        }
        let entry = read.and_then(|()| Ok(serde_json::from_slice(&line)?));
        let fault = match entry {
            Ok(Entry::Tournament(header)) => match check_header(&header) {
                Ok(()) => {
                    let good = line.len() as u64;
                    return Ok(Self {
                        input,
                        header,
                        line,
                        number: 1,
                        begin: 0,
                        good,
                    });
                }
                Err(fault) => fault,
            },
            Ok(Entry::Game(_)) => LineFault::OutOfPlace,
            Err(fault) => fault,
        };
        Err(TextError::Line { number: 1, fault }.into())
    }

    /// The tournament.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The next game; `None` at the end.
    ///
    /// # Errors
    /// The system's, or a line that is not that of a game.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, LinesError> {
        self.number += 1;
        let read = read_line(&mut self.input, &mut self.line)?;
        // At the end of the input the line is empty.
        if read.is_ok() && !self.line.ends_with(b"\n") && is_torn(&self.line) {
            return Ok(None);
        }
        self.begin = self.good;
        let entry = read.and_then(|()| Ok(serde_json::from_slice(&self.line)?));
        let fault = match entry {
            Ok(Entry::Game(game)) => {
                self.good += self.line.len() as u64;
                return Ok(Some(game));
            }
            Ok(Entry::Tournament(_)) => LineFault::OutOfPlace,
            Err(fault) => fault,
        };
        Err(self.fault(fault).into())
    }

    /// What is wrong with the line that was read last.
    fn fault(&self, fault: LineFault) -> TextError {
        TextError::Line {
            number: self.number,
            fault,
        }
    }

    /// Where the game that was read last begins, in bytes.
    pub const fn begin(&self) -> u64 {
        self.begin
    }

    /// The bytes that are good so far: all whole lines that were read.
    pub const fn good(&self) -> u64 {
        self.good
    }
}

/// The games of a record, one after the other. Each is checked to be the tournament's, and there once.
#[derive(Debug)]
pub struct Stream<R = BufReader<File>> {
    path: PathBuf,
    lines: Lines<R>,
    seen: HashSet<u64>,
}

impl Stream {
    /// Opens a record file (or what comes through a pipe) and reads its first line.
    ///
    /// # Errors
    /// With the path, what is wrong.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let file = open(path).map_err(|error| ReadError::of(path, error.into()))?;
        Self::of(path, BufReader::new(file))
    }
}

impl<R: BufRead> Stream<R> {
    /// The games of an open record; the path is for error messages.
    ///
    /// # Errors
    /// With the path, what is wrong.
    pub fn of(path: &Path, input: R) -> Result<Self, ReadError> {
        Ok(Self {
            lines: Lines::of(input).map_err(|error| ReadError::of(path, error))?,
            path: path.to_owned(),
            seen: HashSet::new(),
        })
    }

    /// The tournament.
    pub const fn header(&self) -> &Header {
        self.lines.header()
    }

    /// The lines below.
    pub const fn lines(&self) -> &Lines<R> {
        &self.lines
    }

    /// The lines below, for their end.
    pub fn into_lines(self) -> Lines<R> {
        self.lines
    }

    fn read(&mut self) -> Result<Option<GameRecord>, LinesError> {
        let Some(game) = self.lines.next_game()? else {
            return Ok(None);
        };
        let fault = match check_game(self.lines.header(), &game) {
            Ok(()) if self.seen.insert(game.game) => return Ok(Some(game)),
            Ok(()) => GameFault::Twice(game.game),
            Err(fault) => fault,
        };
        Err(self.lines.fault(fault.into()).into())
    }
}

impl<R: BufRead> Iterator for Stream<R> {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.read().transpose()?;
        Some(game.map_err(|error| ReadError::of(&self.path, error)))
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

    #[test]
    fn the_place_of_each_game_is_known() {
        let text = record(&[2, 1, 4]).text();
        let mut lines = Lines::of(text.as_bytes()).unwrap();
        let mut begins = Vec::new();
        while let Some(game) = lines.next_game().unwrap() {
            let rest = &text[lines.begin() as usize..];
            assert!(rest.starts_with(&format!("{{\"type\":\"game\",\"game\":{},", game.game)));
            begins.push(lines.begin());
        }
        assert_eq!((begins.len(), lines.good()), (3, text.len() as u64));
    }
}
