//! Data files: a head that describes how the games were played, followed by the games.
//!
//! All numbers are little endian. The head is the magic `FAUVEGM1`, a `u32` length and this number of bytes of JSON
//! ([`Head`]). Each game is a block: `u64` number of the game, `u32` number of positions, the positions (in the order of the
//! game; all records of a file have the same size, which depends on the game: [`Head::record_bytes`]), and a `u64` FNV-1a hash
//! of these bytes. If a run was killed, its last block may be
//! truncated: readers stop before it, and a resumed run removes it.

use crate::game::PoolRule;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: &[u8; 8] = b"FAUVEGM1";
/// Maximum length of a head, in bytes; a longer one is invalid.
const LONGEST_HEAD: usize = 1 << 16;
/// Maximum number of positions of a game.
const MOST_POSITIONS: usize = 1 << 12;

/// How the games of a file were played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Name of the game.
    pub game: String,
    /// Seed of all games.
    pub seed: u64,
    /// Number of this file, from 1. It has the games `shard - 1`, `shard - 1 + shards`, ...
    pub shard: u64,
    /// Number of files that the games are divided into.
    pub shards: u64,
    /// Nodes per search; 0 in DiceChess, whose searches have a depth instead.
    pub nodes: u64,
    /// Superchess: the promotion pool.
    pub pool: PoolRule,
    /// Hash of a sample game played by the engine, which differs for another engine or network.
    pub engine: u64,
    /// DiceChess: how turns are chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<DiceSettings>,
}

/// How turns of DiceChess are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceSettings {
    /// Search depth, in turns.
    pub depth: u32,
    /// One turn in this number is random; 0: none but those of the opening.
    pub random_turn: usize,
}

impl Head {
    /// Size of a record of this game, in bytes.
    pub const fn record_bytes(&self) -> usize {
        if self.dice.is_some() {
            crate::dice::RECORD_BYTES
        } else {
            crate::record::Record::BYTES
        }
    }
}

/// Reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Input or output error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not start with the magic.
    #[error("not a data file")]
    NotData,
    /// The head is truncated or invalid.
    #[error("the head is damaged")]
    Head,
    /// The file belongs to a run with other settings.
    #[error("the file has other settings: {found}, not {wanted}")]
    OtherSettings {
        /// Settings of the file.
        found: String,
        /// Settings of this run.
        wanted: String,
    },
    /// The block at this byte is complete, but its hash does not match.
    #[error("the game at byte {0} is damaged")]
    Damaged(u64),
    /// Another process is writing the file.
    #[error("another run is writing this file")]
    Locked,
}

/// A game of a file.
pub struct Block {
    /// Number of the game.
    pub id: u64,
    /// The records of its positions, one after the other.
    pub records: Vec<u8>,
    /// Number of its positions.
    pub positions: usize,
}

impl Block {
    /// Packs the records of a game.
    pub fn new<const BYTES: usize>(id: u64, records: &[[u8; BYTES]]) -> Self {
        Self {
            id,
            records: records.as_flattened().to_vec(),
            positions: records.len(),
        }
    }

    /// The records, if they have this size.
    pub fn records<const BYTES: usize>(&self) -> Option<&[[u8; BYTES]]> {
        let (records, rest) = self.records.as_chunks();
        (rest.is_empty() && records.len() == self.positions).then_some(records)
    }

    /// The bytes of the block.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(20 + self.records.len());
        bytes.extend(self.id.to_le_bytes());
        bytes.extend((self.positions as u32).to_le_bytes());
        bytes.extend(&self.records);
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

/// Reads the games of a file in order.
pub struct Reader<R> {
    input: R,
    /// Size of a record.
    bytes: usize,
    /// Number of bytes read so far that are valid.
    at: u64,
}

/// Whether a file that is read from its beginning ends within its head.
fn ends_in_head(mut file: &File) -> io::Result<bool> {
    let mut start = Vec::new();
    file.take(12).read_to_end(&mut start)?;
    file.rewind()?;
    let Ok::<[u8; 12], _>(start) = start.as_slice().try_into() else {
        return Ok(MAGIC.starts_with(&start[..start.len().min(MAGIC.len())]));
    };
    let length = u32::from_le_bytes([start[8], start[9], start[10], start[11]]);
    let is_head = start[..8] == *MAGIC && length as usize <= LONGEST_HEAD;
    Ok(is_head && file.metadata()?.len() < 12 + u64::from(length))
}

impl Reader<BufReader<File>> {
    /// Whether a file ends within its head, as one does whose writer was killed right after creating it. [`Writer::open`] starts such a
    /// file again.
    pub fn is_barely_begun(path: &Path) -> io::Result<bool> {
        ends_in_head(&File::open(path)?)
    }

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
        let head: Head = serde_json::from_slice(&text).map_err(|_| DataError::Head)?;
        let reader = Self {
            input,
            bytes: head.record_bytes(),
            at: 12 + length as u64,
        };
        Ok((head, reader))
    }

    /// Returns the next game; `None` at the end of the file or at a truncated last game.
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
        let mut records = vec![0; count * self.bytes];
        let mut hash = [0; 8];
        if !fill(&mut self.input, &mut records)? || !fill(&mut self.input, &mut hash)? {
            return Ok(None);
        }
        let block = Block {
            id,
            records,
            positions: count,
        };
        let bytes = block.bytes();
        if !bytes.ends_with(&hash) {
            return Err(DataError::Damaged(self.at));
        }
        self.at += bytes.len() as u64;
        Ok(Some(block))
    }

    /// Number of bytes up to the end of the last complete game.
    pub const fn whole(&self) -> u64 {
        self.at
    }
}

/// Fills a buffer; returns `false` if the input ends before.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Appends games to a file.
pub struct Writer {
    file: File,
    /// Number of complete games in the file.
    pub games: u64,
    /// Number of their positions.
    pub positions: u64,
}

impl Writer {
    /// Creates a file, or opens an existing one with the same settings and truncates it after the last complete game.
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
        if ends_in_head(&file)? {
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
            positions += block.positions as u64;
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

    /// Appends a game.
    pub fn add(&mut self, block: &Block) -> Result<(), DataError> {
        self.file.write_all(&block.bytes())?;
        self.games += 1;
        self.positions += block.positions as u64;
        Ok(())
    }
}
