//! Files of DiceChess positions: the magic `FAUVEDC1`, then games: one byte with the number of positions, and the
//! positions.

use super::position::{BYTES, Record};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;

/// Magic at the start of a file.
pub const MAGIC: [u8; 8] = *b"FAUVEDC1";

/// Packs a game for a file.
pub fn pack(game: &[Record]) -> Vec<u8> {
    let game = &game[..game.len().min(255)];
    let mut bytes = vec![game.len() as u8];
    for record in game {
        bytes.extend(record.to_bytes());
    }
    bytes
}

/// Reads the games of a file, except a truncated last one.
///
/// # Errors
/// If the file cannot be read, or contains invalid positions.
pub fn read(path: &Path) -> Result<Vec<Vec<Record>>> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| name.to_string())?;
    let Some(mut rest) = bytes.strip_prefix(&MAGIC) else {
        bail!("{name} is no file of DiceChess positions");
    };
    let mut games = Vec::new();
    while let Some((&count, body)) = rest.split_first() {
        let length = usize::from(count) * BYTES;
        if body.len() < length {
            break;
        }
        let (game, after) = body.split_at(length);
        let records: Vec<Record> = game
            .as_chunks::<BYTES>()
            .0
            .iter()
            .filter_map(|&bytes| Record::from_bytes(bytes))
            .collect();
        ensure!(
            records.len() == usize::from(count),
            "{name} is damaged in game {}",
            games.len() + 1
        );
        games.push(records);
        rest = after;
    }
    Ok(games)
}
