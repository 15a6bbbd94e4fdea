//! Data files: a head that says how the games were played, then the games.
//!
//! All numbers are little endian. The head is the magic `FAUVEGM1`, a `u32` length and so many bytes of JSON
//! ([`Head`]). Each game is a block of its own: `u64` number of the game, `u32` number of positions, the positions
//! ([`Record::BYTES`] each, in the order of the game), and a `u64` FNV-1a hash of these bytes. A run that was killed
//! leaves a last block that is cut; it is dropped when the run goes on, and readers stop there.

use crate::game::PoolRule;
use crate::record::{Packed, Record};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"FAUVEGM1";
/// Longer heads are not ours.
const LONGEST_HEAD: usize = 1 << 16;
/// No game is longer.
const MOST_POSITIONS: usize = 1 << 12;

/// How the games of a file were played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The game.
    pub game: String,
    /// The seed of all games.
    pub seed: u64,
    /// The numbers of the games: `shard - 1`, `shard - 1 + shards`, ...
    pub shard: u64,
    /// Into how many files the games are divided.
    pub shards: u64,
    /// Nodes of a search.
    pub nodes: u64,
    /// Superchess: the promotion pool.
    pub pool: PoolRule,
    /// A hash of a game that the engine played before it began: another engine, or another network, plays another one.
    pub engine: u64,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first bytes are not those of a data file.
    #[error("not a data file")]
    NotData,
    /// The head ends early, or is no head.
    #[error("the head is damaged")]
    Head,
    /// The file belongs to a run with other settings.
    #[error("the file was begun with other settings: {found}; these are {wanted}")]
    OtherSettings {
        /// Those of the file.
        found: String,
        /// Those of this run.
        wanted: String,
    },
    /// A block is there to its end, but its bytes are not those that were written.
    #[error("the game at byte {0} is damaged")]
    Damaged(u64),
    /// Another process is writing.
    #[error("another run is writing this file")]
    Locked,
}

/// A game of a file.
pub struct Block {
    /// Its number.
    pub id: u64,
    /// Its positions.
    pub records: Vec<Packed>,
}

impl Block {
    /// The bytes of the block.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(20 + self.records.len() * Record::BYTES);
        bytes.extend(self.id.to_le_bytes());
        bytes.extend((self.records.len() as u32).to_le_bytes());
        bytes.extend(self.records.as_flattened());
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }
}

/// The 64-bit FNV-1a hash.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Reads the games of a file one after the other.
pub struct Reader<R> {
    input: R,
    /// Bytes that were read and understood.
    at: u64,
}

impl Reader<BufReader<File>> {
    /// Opens a file and reads its head.
    pub fn open(path: &Path) -> Result<(Head, Self), DataError> {
        Reader::new(BufReader::with_capacity(1 << 20, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads the head.
    pub fn new(mut input: R) -> Result<(Head, Self), DataError> {
        let mut start = [0; 12];
        if !fill(&mut input, &mut start)? || start[..8] != *MAGIC {
            return Err(DataError::NotData);
        }
        let length = u32::from_le_bytes([start[8], start[9], start[10], start[11]]) as usize;
        if length > LONGEST_HEAD {
            return Err(DataError::Head);
        }
        let mut text = vec![0; length];
        if !fill(&mut input, &mut text)? {
            return Err(DataError::Head);
        }
        let head = serde_json::from_slice(&text).map_err(|_| DataError::Head)?;
        let at = 12 + length as u64;
        Ok((head, Self { input, at }))
    }

    /// The next game; `None` at the end of the file or where the last game is cut.
    pub fn next(&mut self) -> Result<Option<Block>, DataError> {
        let mut start = [0; 12];
        if !fill(&mut self.input, &mut start)? {
            return Ok(None);
        }
        let (id, count) = start.split_at(8);
        let id = u64::from_le_bytes(id.try_into().expect("8 bytes"));
        let count = u32::from_le_bytes(count.try_into().expect("4 bytes")) as usize;
        if count > MOST_POSITIONS {
            return Err(DataError::Damaged(self.at));
        }
        let mut records = vec![[0; Record::BYTES]; count];
        let mut hash = [0; 8];
        if !fill(&mut self.input, records.as_flattened_mut())? || !fill(&mut self.input, &mut hash)?
        {
            return Ok(None);
        }
        let block = Block { id, records };
        let bytes = block.bytes();
        if !bytes.ends_with(&hash) {
            return Err(DataError::Damaged(self.at));
        }
        self.at += bytes.len() as u64;
        Ok(Some(block))
    }

    /// The bytes up to the end of the last whole game.
    pub const fn whole(&self) -> u64 {
        self.at
    }
}

/// Fills a buffer; `false` if the input ends before.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// A file that games are added to.
pub struct Writer {
    file: File,
    /// Whole games in the file.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
}

impl Writer {
    /// Begins a file, or goes on with the one that is there: its settings must be the same, and what is behind the last
    /// whole game is cut off.
    pub fn open(path: &Path, head: &Head) -> Result<Self, DataError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        file.try_lock().map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => DataError::Locked,
            std::fs::TryLockError::Error(error) => DataError::Io(error),
        })?;
        let text = serde_json::to_string(head).map_err(io::Error::from)?;
        let mut start = MAGIC.to_vec();
        start.extend((text.len() as u32).to_le_bytes());
        start.extend(text.as_bytes());
        let mut found = Vec::new();
        (&file).take(start.len() as u64).read_to_end(&mut found)?;
        // Also a file whose head was cut off while it was written begins anew.
        if found.len() < start.len() && start.starts_with(&found) {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&start)?;
            return Ok(Self {
                file,
                games: 0,
                positions: 0,
            });
        }
        file.rewind()?;
        let (old, mut reader) = Reader::new(BufReader::with_capacity(1 << 20, &file))?;
        if old != *head {
            return Err(DataError::OtherSettings {
                found: serde_json::to_string(&old).map_err(io::Error::from)?,
                wanted: text,
            });
        }
        let (mut games, mut positions) = (0, 0);
        while let Some(block) = reader.next()? {
            games += 1;
            positions += block.records.len() as u64;
        }
        let whole = reader.whole();
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        Ok(Self {
            file,
            games,
            positions,
        })
    }

    /// Adds a game.
    pub fn add(&mut self, block: &Block) -> Result<(), DataError> {
        self.file.write_all(&block.bytes())?;
        self.games += 1;
        self.positions += block.records.len() as u64;
        Ok(())
    }
}
