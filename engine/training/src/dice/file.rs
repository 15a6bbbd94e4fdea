//! Reads the games of DiceChess from data files.

use super::position::Record;
use crate::data::{Head, Reader};
use anyhow::{Context, Result, ensure};
use fauve_engine::eval::network::HasNetwork;
use fauve_engine::rules::dice::DiceChess;
use std::path::Path;

/// A game of a file.
pub struct RecordedGame {
    /// Its number.
    pub id: u64,
    /// The positions before its rolls, in their order.
    pub records: Vec<Record>,
}

/// Reads the games of a file, except a truncated last one.
///
/// # Errors
/// If the file cannot be read, is of another game, or contains invalid positions.
pub fn read(path: &Path) -> Result<(Head, Vec<RecordedGame>)> {
    read_games(path).with_context(|| format!("cannot use {}", path.display()))
}

fn read_games(path: &Path) -> Result<(Head, Vec<RecordedGame>)> {
    let (head, mut reader) = Reader::open(path)?;
    ensure!(
        head.game == DiceChess::NAME,
        "this is data of {}, not of {}",
        head.game,
        DiceChess::NAME
    );
    let mut games = Vec::new();
    while let Some(block) = reader.next()? {
        let packed = block.records().context("records of another size")?;
        let records: Vec<_> = packed
            .iter()
            .copied()
            .filter_map(Record::from_bytes)
            .collect();
        ensure!(
            records.len() == packed.len(),
            "an invalid position in game {}",
            block.id
        );
        games.push(RecordedGame {
            id: block.id,
            records,
        });
    }
    Ok((head, games))
}
