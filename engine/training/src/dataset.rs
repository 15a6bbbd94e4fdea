//! The positions of data files in memory, split into training and held-out ones.

use crate::data::Reader;
use crate::game::Trainable;
use crate::record::{Packed, Record};
use anyhow::{Context, Result, bail};
use fauve_engine::core::zobrist::splitmix;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One game in this number is held out to detect overfitting. Whole games are held out, because positions of one game
/// resemble each other.
pub const HELD_OUT: u64 = 50;

/// All positions of some files.
#[derive(Default)]
pub struct Dataset {
    /// Positions for training.
    pub training: Vec<Packed>,
    /// Positions for validation.
    pub held_out: Vec<Packed>,
    /// Range of each held-out game in `held_out`.
    pub held_out_games: Vec<Range<usize>>,
}

impl Dataset {
    /// Reads files of one game, keeping the positions that its network evaluates.
    pub fn read<G: Trainable>(paths: &[PathBuf]) -> Result<Self> {
        let mut set = Self::default();
        for path in paths {
            set.add::<G>(path)
                .with_context(|| format!("cannot use {}", path.display()))?;
        }
        if set.training.is_empty() || set.held_out.is_empty() {
            bail!("too few games: one in {HELD_OUT} is held out");
        }
        Ok(set)
    }

    fn add<G: Trainable>(&mut self, path: &Path) -> Result<()> {
        let (head, mut reader) = Reader::open(path)?;
        if head.game != G::NAME {
            bail!("this is data of {}, not of {}", head.game, G::NAME);
        }
        // Reserved at once: growing by doubling would temporarily need twice the memory.
        let most = std::fs::metadata(path)?.len() / Record::BYTES as u64;
        self.training.try_reserve_exact(usize::try_from(most)?)?;
        let (mut games, mut positions) = (0, 0);
        while let Some(block) = reader.next()? {
            let records: &[Packed] = block.records().context("records of another size")?;
            let used = records.iter().copied().filter(G::asks_network);
            games += 1;
            if is_held_out(head.seed, block.id) {
                let start = self.held_out.len();
                self.held_out.extend(used);
                self.held_out_games.push(start..self.held_out.len());
                positions += self.held_out.len() - start;
            } else {
                let start = self.training.len();
                self.training.extend(used);
                positions += self.training.len() - start;
            }
        }
        let path = path.display();
        say!(
            "{path}: {games} games, {positions} positions, seed {}",
            head.seed
        );
        Ok(())
    }
}

/// Whether a game is held out: the same games in every run, and the same share of every shard.
pub fn is_held_out(seed: u64, id: u64) -> bool {
    splitmix(seed, id).is_multiple_of(HELD_OUT)
}
