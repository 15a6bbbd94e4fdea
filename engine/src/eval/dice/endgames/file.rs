//! The file of the tables: `FAUVEDT1`, then the values of the first classes as a zlib stream (RFC 1950), which ends with a checksum.
//!
//! Before they are compressed the values, 16 bits each, are replaced by their differences from the one before, and those are
//! split into all low and all high bytes: neighbours are alike, so that most high bytes are 0 or 255.

use super::Endgames;
use super::class::{OFFSETS, TOTAL};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use std::error::Error;
use std::fmt;

/// How a file begins.
const MAGIC: [u8; 8] = *b"FAUVEDT1";
const LEVEL: u8 = 6;
/// No file is longer: what cannot be compressed grows by a few bytes in each 32,768.
pub const MAX_BYTES: usize = 2 * TOTAL + TOTAL / 1_000;

/// Why bytes are no tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndgamesError {
    /// They do not begin as a table file does.
    NotTables,
    /// They are cut, changed or continued, or no whole number of classes.
    Damaged,
}

impl fmt::Display for EndgamesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotTables => "not a file of DiceChess endgames",
            Self::Damaged => "damaged: its end or its checksum is wrong",
        })
    }
}

impl Error for EndgamesError {}

impl Endgames {
    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut low = Vec::with_capacity(2 * self.0.len());
        let mut high = Vec::with_capacity(self.0.len());
        let mut before = 0u16;
        for &value in self.0.iter() {
            let [first, second] = value.wrapping_sub(before).to_le_bytes();
            low.push(first);
            high.push(second);
            before = value;
        }
        low.append(&mut high);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(compress_to_vec_zlib(&low, LEVEL));
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is none, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EndgamesError> {
        let packed = bytes.strip_prefix(&MAGIC).ok_or(EndgamesError::NotTables)?;
        let plain = unpack(packed, 2 * TOTAL)
            .filter(|plain| OFFSETS[1..].iter().any(|&end| 2 * end == plain.len()))
            .ok_or(EndgamesError::Damaged)?;
        let (low, high) = plain.split_at(plain.len() / 2);
        let mut before = 0u16;
        let values = low.iter().zip(high).map(|(&low, &high)| {
            before = before.wrapping_add(u16::from_le_bytes([low, high]));
            before
        });
        Ok(Self(values.collect()))
    }
}

/// What a zlib stream contains, at most `limit` bytes; nothing if the stream is damaged or anything stands behind it, which the
/// library's own function would pass over.
fn unpack(mut packed: &[u8], limit: usize) -> Option<Vec<u8>> {
    const FLAGS: u32 = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut state = Box::<DecompressorOxide>::default();
    let mut plain = vec![0; packed.len().saturating_mul(2).min(limit)];
    let mut length = 0;
    loop {
        let (status, read, written) = decompress(&mut state, packed, &mut plain, length, FLAGS);
        packed = packed.get(read..)?;
        length += written;
        match status {
            TINFLStatus::Done if packed.is_empty() => {
                plain.truncate(length);
                return Some(plain);
            }
            TINFLStatus::HasMoreOutput if plain.len() < limit => {
                plain.resize(plain.len().saturating_mul(2).min(limit), 0);
            }
            _ => return None,
        }
    }
}
