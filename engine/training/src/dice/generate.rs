//! Self-play of DiceChess by searches of one turn.

use super::position::Record;
use super::{network_of, settings};
use crate::data::{Block, DiceSettings, Head, fnv1a};
use crate::game::PoolRule;
use crate::random::Random;
use crate::run::{Run, Written};
use anyhow::{Result, ensure};
use clap::Args;
use fauve_engine::core::Color;
use fauve_engine::eval::network::HasNetwork;
use fauve_engine::rules::dice::{DiceChess, Options};
use fauve_engine::rules::{Game, Notation, Roll, Rules, Turn, for_each_turn};
use fauve_engine::search::{Control, Limits, Searcher, Settings, Table};
use std::path::PathBuf;

/// Maximum length of a game, in turns.
const LONGEST: usize = 250;
/// One turn in this number is random, unless the command line says otherwise.
pub const RANDOM_TURN: usize = 20;
/// Table size of each thread, in megabytes.
const TABLE: usize = 1;

/// Play games of DiceChess and record every position before a roll with the result.
#[derive(Args)]
pub struct Generate {
    /// Search depth, in turns
    #[arg(long, default_value_t = 1)]
    pub depth: u32,
    /// One turn in this number is random; 0: only those of the opening, as calibration requires (its games must be played
    /// as well as the search assumes)
    #[arg(long, default_value_t = RANDOM_TURN)]
    pub random_turn: usize,
    /// Network of the players [default: the engine's own]
    #[arg(long)]
    pub network: Option<PathBuf>,
    #[command(flatten)]
    pub run: Run,
}

impl Generate {
    /// Runs the command.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn run(&self) -> Result<Written> {
        ensure!(self.depth > 0, "the depth must be at least 1");
        let settings = settings(network_of(self.network.as_deref())?);
        let head = self.head_of(&settings)?;
        self.run.play(&head, TABLE, |id, table| {
            self.game(self.run.seed, id, &settings, table)
        })
    }

    /// What the file begins with.
    pub fn head(&self) -> Result<Head> {
        self.head_of(&settings(network_of(self.network.as_deref())?))
    }

    fn head_of(&self, settings: &Settings) -> Result<Head> {
        let sample = self.game(0, u64::MAX, settings, &Table::new(TABLE)?);
        Ok(Head {
            game: DiceChess::NAME.to_owned(),
            seed: self.run.seed,
            shard: self.run.shard.number,
            shards: self.run.shard.of,
            nodes: 0,
            pool: PoolRule::Mixed,
            engine: fnv1a(&sample.bytes()),
            dice: Some(DiceSettings {
                depth: self.depth,
                random_turn: self.random_turn,
            }),
        })
    }

    fn game(&self, seed: u64, id: u64, settings: &Settings, table: &Table) -> Block {
        table.clear();
        let records = self.play(seed, id, settings, table);
        let packed: Vec<_> = records.into_iter().map(Record::to_bytes).collect();
        Block::new(id, &packed)
    }

    /// Plays one game: one to six random turns, then searched turns with an occasional random one.
    fn play(&self, seed: u64, id: u64, settings: &Settings, table: &Table) -> Vec<Record> {
        let mut random = Random::new(seed, id);
        let options = Options::default();
        let mut game = Game::new(DiceChess::start(&options), options);
        let opening = 1 + random.below(6);
        let mut positions: Vec<DiceChess> = Vec::new();
        let limits = Limits {
            depth: Some(self.depth),
            ..Limits::default()
        };
        for turn in 0..LONGEST {
            if game.outcome().is_some() {
                break;
            }
            positions.push(*game.position());
            let mut face = || random.below(6) as u8 + 1;
            let Some(roll) = Roll::new([face(), face(), face()]) else {
                break;
            };
            game.set_roll(roll);
            let any = turn < opening || self.random_turn > 0 && random.one_in(self.random_turn);
            let best = if any && !game.position().can_take_king() {
                random_turn(game.position(), &mut random)
            } else {
                let control = Control::default();
                Searcher::new(table, settings, &control)
                    .run(&game, &limits, &mut |_| {})
                    .best
            };
            let Some(best) = best else { break };
            best.iter().for_each(|&step| game.play(step));
        }
        let winner = game.position().winner();
        positions
            .iter()
            .skip(opening)
            .map(|position| Record::new(position, result(position.side_to_move(), winner)))
            .collect()
    }
}

/// The result for a side: 0 lost, 1 drawn, 2 won.
fn result(side: Color, winner: Option<Color>) -> u8 {
    match winner {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    }
}

fn random_turn(
    position: &DiceChess,
    random: &mut Random,
) -> Option<Turn<<DiceChess as Rules>::Step>> {
    let mut chosen = None;
    let mut seen = 0;
    for_each_turn(position, &mut |turn, _| {
        seen += 1;
        if random.one_in(seen) {
            chosen = Some(Turn::from_slice(turn));
        }
    });
    chosen
}
