//! Self-play of DiceChess by searches of one turn.

use super::file::{MAGIC, pack};
use super::position::Record;
use super::{network_of, settings};
use crate::random::Random;
use anyhow::{Context, Result, ensure};
use clap::Args;
use fauve_engine::core::Color;
use fauve_engine::rules::dice::{DiceChess, Options};
use fauve_engine::rules::{Game, Notation, Roll, Rules, Turn, for_each_turn};
use fauve_engine::search::{Control, Limits, Searcher, Settings, Table};
use rayon::prelude::*;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// Number of games played between writes.
const PORTION: u64 = 1_024;
/// Maximum length of a game, in turns.
const LONGEST: usize = 250;

/// Play games of DiceChess and record every position before a roll with the result.
#[derive(Args)]
pub struct Generate {
    /// Number of games
    #[arg(long, default_value_t = 100_000)]
    pub games: u64,
    /// Seed; each game depends only on it and on its number
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Search depth, in turns
    #[arg(long, default_value_t = 1)]
    pub depth: u32,
    /// One turn in this number is random; 0: only those of the opening, as calibration requires (its games must be played
    /// as well as the search assumes)
    #[arg(long, default_value_t = 20)]
    pub random_turn: usize,
    /// Network of the players [default: the engine's own]
    #[arg(long)]
    pub network: Option<PathBuf>,
    /// Output file; an existing one is replaced
    #[arg(long)]
    pub out: PathBuf,
}

impl Generate {
    /// Runs the command.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn run(self) -> Result<()> {
        let name = self.out.display().to_string();
        ensure!(self.depth > 0, "the depth must be at least 1");
        let settings = settings(network_of(self.network.as_deref())?);
        let mut file = File::create(&self.out).with_context(|| name.clone())?;
        file.write_all(&MAGIC).with_context(|| name.clone())?;
        let (mut done, mut positions) = (0, 0);
        while done < self.games {
            let portion = done..(done + PORTION).min(self.games);
            done = portion.end;
            let games: Vec<Vec<Record>> = portion
                .into_par_iter()
                .map_init(
                    || Table::new(1),
                    |table, number| match table {
                        Ok(table) => self.play(number, &settings, table),
                        Err(_) => Vec::new(),
                    },
                )
                .collect();
            for game in &games {
                positions += game.len();
                file.write_all(&pack(game)).with_context(|| name.clone())?;
            }
        }
        say!("{name}: {done} games, {positions} positions");
        Ok(())
    }

    /// Plays one game: one to six random turns, then searched turns with an occasional random one.
    fn play(&self, number: u64, settings: &Settings, table: &Table) -> Vec<Record> {
        let mut random = Random::new(self.seed, number);
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
