//! `generate`: self-play of the engine on all processors, into a file that can be resumed.

use crate::data::{Block, Head, fnv1a};
use crate::game::{GameName, PoolRule, Trainable, with_game};
use crate::quantised::read_network;
use crate::run::{Run, Written};
use crate::selfplay::{self, Play};
use anyhow::Result;
use clap::Args;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::search::Table;
use std::path::PathBuf;

/// Table size of each thread, in megabytes.
const TABLE: usize = 8;

/// Play games and write their quiet positions.
#[derive(Args)]
pub struct Generate {
    /// Game to play
    pub game: GameName,
    /// Nodes per search
    #[arg(long, default_value_t = 1000)]
    pub nodes: u64,
    /// Promotion pool of Superchess
    #[arg(long, value_enum, default_value_t = PoolRule::Mixed)]
    pub pool: PoolRule,
    /// Network to evaluate with, for the second round and later ones
    #[arg(long)]
    pub network: Option<PathBuf>,
    #[command(flatten)]
    pub run: Run,
}

impl Generate {
    /// Runs the command.
    pub fn run(&self) -> Result<Written> {
        with_game!(self.game, G => self.generate::<G>())
    }

    /// What the file begins with.
    pub fn head(&self) -> Result<Head> {
        with_game!(self.game, G => self.head_of::<G>(&self.play_of::<G>()?))
    }

    fn generate<G: Trainable>(&self) -> Result<Written> {
        let play = self.play_of::<G>()?;
        let head = self.head_of::<G>(&play)?;
        self.run.play(&head, TABLE, |id, table| {
            game::<G>(&play, self.run.seed, id, table)
        })
    }

    fn play_of<G: Trainable>(&self) -> Result<Play> {
        Ok(Play {
            nodes: self.nodes,
            pool: self.pool,
            network: self
                .network
                .as_deref()
                .map(read_network::<G>)
                .transpose()?
                .map(SharedNetwork::from),
        })
    }

    fn head_of<G: Trainable>(&self, play: &Play) -> Result<Head> {
        Ok(Head {
            game: G::NAME.to_owned(),
            seed: self.run.seed,
            shard: self.run.shard.number,
            shards: self.run.shard.of,
            nodes: self.nodes,
            pool: self.pool,
            engine: fingerprint::<G>(play)?,
            dice: None,
        })
    }
}

fn game<G: Trainable>(play: &Play, seed: u64, id: u64, table: &Table) -> Block {
    Block::new(id, &selfplay::play::<G>(play, seed, id, table))
}

/// Hash of a sample game that no file contains.
fn fingerprint<G: Trainable>(play: &Play) -> Result<u64> {
    let block = game::<G>(play, 0, u64::MAX, &Table::new(TABLE)?);
    Ok(fnv1a(&block.bytes()))
}
