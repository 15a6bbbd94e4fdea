//! A record that another run writes to, read as far as it has grown.

use crate::record::game::GameRecord;
use crate::record::header::Header;
use crate::record::lines::{Entry, LineFault, check_game, check_header, read_line};
use crate::record::speed::Speed;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A record that is read again and again from where it stopped.
#[derive(Debug)]
pub struct Growing {
    path: PathBuf,
    header: Option<Header>,
    /// The line of the tournament as it was read: another one stands there when the record has been written anew.
    first: Vec<u8>,
    /// Up to where it was read: only whole lines are.
    read: u64,
    games: u64,
    speed: Speed,
    /// The lines that were read.
    lines: u64,
    /// How many games the run plays that writes it.
    planned: u64,
    /// When the file was written to last.
    modified: SystemTime,
}

impl Growing {
    /// A record of which nothing is read yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            header: None,
            first: Vec::new(),
            read: 0,
            games: 0,
            speed: Speed::default(),
            lines: 0,
            planned: 0,
            modified: SystemTime::now(),
        }
    }

    /// The tournament; `None` until its line is there.
    pub const fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The games that were read.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The speed of the machine that writes it.
    pub const fn speed(&self) -> &Speed {
        &self.speed
    }

    /// Whether all games of its run are there.
    pub const fn is_complete(&self) -> bool {
        self.header.is_some() && self.games >= self.planned
    }

    /// For how long nothing has been written to it.
    pub fn silence(&self) -> Duration {
        // Clocks of machines that share a folder may differ.
        self.modified.elapsed().unwrap_or_default()
    }

    /// Reads what has come since, and hands over the games. A record that was written anew (it is shorter, or of another
    /// tournament, as when the tournament was prolonged) is read from its beginning, and its games are handed over again.
    ///
    /// # Errors
    /// The system's, or a line that is none of a record's.
    pub fn poll(&mut self, each: &mut dyn FnMut(&Header, GameRecord)) -> io::Result<()> {
        self.poll_up_to(u64::MAX, &mut |header, game, _| each(header, game))?;
        Ok(())
    }

    /// Reads what has come since, but no more than this number of bytes and the line in which they end; hands over the games, each with
    /// the bytes of the file that hold it. Whether there is more to be read at once.
    ///
    /// # Errors
    /// The system's, or a line that is none of a record's.
    pub fn poll_up_to(
        &mut self,
        bytes: u64,
        each: &mut dyn FnMut(&Header, GameRecord, Range<u64>),
    ) -> io::Result<bool> {
        let mut input = BufReader::new(File::open(&self.path)?);
        let metadata = input.get_ref().metadata()?;
        let mut first = vec![0; self.first.len()];
        if metadata.len() < self.read || {
            input.read_exact(&mut first)?;
            first != self.first
        } {
            *self = Self::new(&self.path);
        }
        self.modified = metadata.modified()?;
        input.seek(SeekFrom::Start(self.read))?;
        let begin = self.read;
        let mut line = Vec::new();
        while self.read - begin < bytes {
            let whole = read_line(&mut input, &mut line)?;
            if whole.is_ok() && line.last() != Some(&b'\n') {
                return Ok(false);
            }
            whole
                .and_then(|()| self.take(&line, each))
                .map_err(|fault| {
                    let number = self.lines + 1;
                    io::Error::new(
                        io::ErrorKind::InvalidData,
                        format!("line {number}: {fault}"),
                    )
                })?;
            self.read += line.len() as u64;
            self.lines += 1;
        }
        Ok(true)
    }

    fn take(
        &mut self,
        line: &[u8],
        each: &mut dyn FnMut(&Header, GameRecord, Range<u64>),
    ) -> Result<(), LineFault> {
        match (serde_json::from_slice(line)?, &self.header) {
            (Entry::Tournament(header), None) => {
                check_header(&header)?;
                self.planned = header.planned();
                self.first = line.to_vec();
                self.header = Some(header);
            }
            (Entry::Game(game), Some(header)) => {
                check_game(header, &game)?;
                self.games += 1;
                self.speed.add(header, &game);
                each(header, game, self.read..self.read + line.len() as u64);
            }
            _ => return Err(LineFault::OutOfPlace),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::record;

    #[test]
    fn a_growing_record_is_read_from_where_it_stopped() {
        let path = std::env::temp_dir().join(format!("fauve-growing-{}", std::process::id()));
        let text = record(&[1, 2, 3]).text();
        let mut growing = Growing::new(&path);
        let mut games = Vec::new();
        // Cut anywhere, in the middle of a line as well.
        for length in (0..=text.len()).step_by(7).chain([text.len()]) {
            std::fs::write(&path, &text[..length]).unwrap();
            growing.poll(&mut |_, game| games.push(game.game)).unwrap();
        }
        assert_eq!(games, [1, 2, 3]);
        assert!(!growing.is_complete());
        std::fs::write(&path, record(&[4]).text()).unwrap();
        growing.poll(&mut |_, game| games.push(game.game)).unwrap();
        assert_eq!(games, [1, 2, 3, 4]);
        // Prolonged, and longer than before: every game is handed over again, and none is misread.
        let mut prolonged = record(&[1, 2, 3, 4, 5]);
        prolonged.header.rounds += 1000;
        std::fs::write(&path, prolonged.text()).unwrap();
        growing.poll(&mut |_, game| games.push(game.game)).unwrap();
        assert_eq!(games[4..], [1, 2, 3, 4, 5]);
        std::fs::write(&path, text.clone() + "a note\n").unwrap();
        let error = growing
            .poll(&mut |_, _| {})
            .expect_err("no line of a record");
        assert!(error.to_string().starts_with("line 5: "), "{error}");
        // Piece by piece, each game from the bytes that hold it.
        std::fs::write(&path, &text).unwrap();
        let mut growing = Growing::new(&path);
        let mut read = Vec::new();
        let mut polls = 1;
        while growing
            .poll_up_to(1, &mut |_, _, bytes| read.push(bytes))
            .unwrap()
        {
            polls += 1;
        }
        assert_eq!((read.len(), polls), (3, 5));
        for bytes in read {
            let line = &text[bytes.start as usize..bytes.end as usize];
            assert!(line.starts_with("{\"type\":\"game\"") && line.ends_with('\n'));
        }
        std::fs::remove_file(&path).unwrap();
    }
}
