//! A record as text and back, line by line.

use crate::input::read_whole;
use crate::record::game::GameRecord;
use crate::record::header::{FORMAT, FORMATS, Header};
use crate::record::stream::{LinesError, Stream};
use fauve_engine::rules::printable;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// The longest line that is read, in bytes: in old records a tournament has its book in it.
const LONGEST_LINE: u64 = 64 << 20;

/// How the line of a game begins, whatever the game.
const GAME_LINE: &[u8] = b"{\"type\":\"game\",";

/// A line of the record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(super) enum Entry {
    Tournament(Header),
    Game(GameRecord),
}

/// A whole record.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The tournament.
    pub header: Header,
    /// Its finished games, in the order of the file.
    pub games: Vec<GameRecord>,
}

/// Why a game does not belong into a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameFault {
    /// The tournament (or its share) has no game of this number.
    #[error("the tournament has no game {0}")]
    Unknown(u64),
    /// Somebody else plays this game.
    #[error(
        "{} does not play game {game}, {} does",
        printable(name),
        printable(due)
    )]
    Player {
        /// The game.
        game: u64,
        /// Who is said to play it.
        name: String,
        /// Who does.
        due: String,
    },
    /// It is there already.
    #[error("game {0} is there twice")]
    Twice(u64),
}

/// What is wrong with a line of a record.
#[derive(Debug, thiserror::Error)]
pub enum LineFault {
    /// It is no line of a record.
    #[error(transparent)]
    Unreadable(#[from] serde_json::Error),
    /// A record of a format that is not ours; ours comes second.
    #[error("the record has format {0}, and this program reads formats up to {1}")]
    Format(u32, u32),
    /// A second tournament, or a game before the first.
    #[error("a line out of place")]
    OutOfPlace,
    /// It is longer than any line of a record.
    #[error("no line of a record is longer than {} MB", LONGEST_LINE >> 20)]
    TooLong,
    /// The game.
    #[error(transparent)]
    Game(#[from] GameFault),
}

/// What is wrong with a record's text.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// There is nothing, or only the beginning of a tournament.
    #[error("no record in it")]
    Empty,
    /// A line, by its number from 1.
    #[error("line {number}: {fault}")]
    Line {
        /// The number of the line.
        number: usize,
        /// Its fault.
        fault: LineFault,
    },
}

/// Why a file was not read as a record.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// What the system says.
    #[error("{}: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// What is in it.
    #[error("{}: {error}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The error.
        error: TextError,
    },
}

impl ReadError {
    /// The error of a file.
    pub(super) fn of(path: &Path, error: LinesError) -> Self {
        let path = path.to_owned();
        match error {
            LinesError::System(error) => Self::System { path, error },
            LinesError::Text(error) => Self::Text { path, error },
        }
    }
}

/// A record's text, read as far as it is whole.
#[derive(Debug)]
pub struct Parsed {
    /// The record.
    pub record: Record,
    /// The number of bytes that are good: a last line that was not finished is left out.
    pub good: usize,
}

/// Reads a record from text, and checks that its games are the tournament's, each once.
///
/// # Errors
/// The first line that is wrong. Only a last line that was not finished is passed over.
pub fn parse(text: &[u8]) -> Result<Parsed, TextError> {
    let read = || -> Result<Parsed, ReadError> {
        let mut stream = Stream::of(Path::new(""), text)?;
        let header = stream.header().clone();
        let games = stream.by_ref().collect::<Result<_, _>>()?;
        Ok(Parsed {
            record: Record { header, games },
            good: stream.lines().good() as usize,
        })
    };
    read().map_err(|error| match error {
        ReadError::Text { error, .. } => error,
        ReadError::System { error, .. } => unreachable!("memory can be read: {error}"),
    })
}

/// Whether a last line without its end is what is left of a game: the machine stopped while it was written. Some file
/// systems leave zeros.
pub(super) fn is_torn(line: &[u8]) -> bool {
    line.starts_with(GAME_LINE) || GAME_LINE.starts_with(line) || line.iter().all(|&byte| byte == 0)
}

/// Checks that a record has a format that this program reads.
///
/// # Errors
/// Its format.
pub(super) fn check_header(header: &Header) -> Result<(), LineFault> {
    if FORMATS.contains(&header.format) {
        Ok(())
    } else {
        Err(LineFault::Format(header.format, FORMAT))
    }
}

/// Checks that a game is one of the tournament's, played by those who are to play it.
///
/// # Errors
/// What is wrong with it.
pub fn check_game(header: &Header, game: &GameRecord) -> Result<(), GameFault> {
    let plan = header
        .plan(game.game)
        .ok_or(GameFault::Unknown(game.game))?;
    for (index, name) in [(plan.white, &game.white), (plan.black, &game.black)] {
        let due = &header.engines[index].name;
        if due != name {
            return Err(GameFault::Player {
                game: game.game,
                name: name.clone(),
                due: due.clone(),
            });
        }
    }
    Ok(())
}

impl Record {
    /// Reads a record file (or what comes through a pipe) and checks that its games are the tournament's, each once.
    ///
    /// # Errors
    /// With the path, what is wrong.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let stream = Stream::open(path)?;
        let header = stream.header().clone();
        let games = stream.collect::<Result<_, _>>()?;
        Ok(Self { header, games })
    }

    /// The record as text.
    pub fn text(&self) -> String {
        let mut text = header_line(&self.header);
        for game in &self.games {
            text.push_str(&game_line(game));
        }
        text
    }
}

/// Reads the next line with its end into `line`, in the place of what was there. It stays empty at the end of the input.
///
/// # Errors
/// The system's.
pub(super) fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
) -> io::Result<Result<(), LineFault>> {
    line.clear();
    // One byte more shows that a line is too long.
    let length = input.take(LONGEST_LINE + 1).read_until(b'\n', line)?;
    Ok(if length as u64 > LONGEST_LINE {
        Err(LineFault::TooLong)
    } else {
        Ok(())
    })
}

/// The tournament of a record file, whatever its games are; `None` if it is no record.
pub fn read_header(path: &Path) -> Option<Header> {
    // To open a pipe or a device can wait for ever.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut input = BufReader::new(File::open(path).ok()?);
    let mut line = Vec::new();
    read_line(&mut input, &mut line).ok()?.ok()?;
    match serde_json::from_slice(&line).ok()? {
        Entry::Tournament(header) => Some(header),
        Entry::Game(_) => None,
    }
}

/// Reads a file or a pipe to its end. Devices have none.
///
/// # Errors
/// With the path, the system's error, or that it is none of the two.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    read_whole(path).map_err(|error| ReadError::System {
        path: path.to_owned(),
        error,
    })
}

/// The first line of a record.
pub fn header_line(header: &Header) -> String {
    line(&Entry::Tournament(header.clone()))
}

/// The line of a game.
pub fn game_line(game: &GameRecord) -> String {
    line(&Entry::Game(game.clone()))
}

fn line(entry: &Entry) -> String {
    let mut line = serde_json::to_string(entry).expect("a record is plain data");
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::{game, record};
    use crate::record::stream::Lines;

    #[test]
    fn a_record_torn_at_any_byte_is_read_up_to_the_last_whole_line() {
        let text = record(&[1, 2]).text().into_bytes();
        let ends: Vec<usize> = (0..text.len())
            .filter(|&i| text[i] == b'\n')
            .map(|i| i + 1)
            .collect();
        assert_eq!(ends.len(), 3);
        for length in ends[0]..=text.len() {
            let parsed = parse(&text[..length]).unwrap();
            let lines = ends.iter().filter(|&&end| end <= length).count();
            assert_eq!(parsed.good, ends[lines - 1]);
            assert_eq!(parsed.record.games.len() + 1, lines);
        }
        let mut zeros = text.clone();
        zeros.extend_from_slice(&[0; 100]);
        assert_eq!(parse(&zeros).unwrap().good, text.len());
        let mut damaged = text.clone();
        damaged[ends[0] + 3] = b'!';
        assert!(
            parse(&damaged).is_err(),
            "damage in the middle is not passed over"
        );
        let mut damaged = text.clone();
        damaged[ends[1] + 3] = b'!';
        assert!(
            parse(&damaged).is_err(),
            "a whole last line is not passed over"
        );
        let mut noted = text.clone();
        noted.extend_from_slice(b"a note");
        assert!(parse(&noted).is_err(), "nor is what nobody has torn");
        assert!(parse(b"{}\n").is_err());
        assert!(matches!(parse(b""), Err(TextError::Empty)));
    }

    #[test]
    fn a_line_that_does_not_end_is_read_so_far_and_no_further() {
        let endless = || io::repeat(b' ').take(LONGEST_LINE + (1 << 20));
        let header = header_line(&record(&[]).header);
        for (begin, number) in [("", 1), (&*header, 2)] {
            let mut input = BufReader::new(begin.as_bytes().chain(endless()));
            let read = Lines::of(&mut input).and_then(|mut lines| lines.next_game().map(drop));
            let text = format!("line {number}: no line of a record is longer than 64 MB");
            assert_eq!(read.unwrap_err().to_string(), text);
            let mut rest = Vec::new();
            input.read_to_end(&mut rest).unwrap();
            assert_eq!(rest.len(), (1 << 20) - 1);
        }
    }

    #[test]
    fn lines_that_are_not_the_tournaments_are_refused_by_number() {
        let read = |record: &Record| parse(record.text().as_bytes());
        let line = |record: &Record| match read(record) {
            Err(TextError::Line { number, fault }) => (number, fault.to_string()),
            other => panic!("{other:?}"),
        };
        read(&record(&[2, 1, 4])).unwrap();
        assert_eq!(
            line(&record(&[1, 2, 1])),
            (4, "game 1 is there twice".to_owned())
        );
        assert_eq!(
            line(&record(&[1, 5])),
            (3, "the tournament has no game 5".to_owned())
        );
        assert_eq!(line(&record(&[0])).0, 2);
        let mut stranger = record(&[1]);
        stranger.games[0].black = "c".to_owned();
        assert_eq!(
            line(&stranger),
            (2, "c does not play game 1, b does".to_owned())
        );
        let mut share = record(&[1, 2]);
        share.header.shard = Some((1, 2));
        read(&share).unwrap();
        share.games.push(game(3));
        assert_eq!(line(&share).0, 4);
    }
}
