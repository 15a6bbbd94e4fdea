//! `fauve play`: a person against the engine in the terminal.

mod game;
mod keyboard;
mod side;

use crate::terminal::Printer;
use crate::variants::with_game;
use anyhow::{Context, Result};
use fauve_engine::Variant;
use fauve_engine::rules::{DiceSeed, Game};
use fauve_engine::search::{Engine, Table};
use game::Play;
use side::Side;
use std::hash::{BuildHasher, RandomState};

/// What may follow `fauve play`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve play\n  \
    fauve play --variant superchess --side black --level 4\n  \
    fauve play --variant dicechess --seed 2a\n\n\
    Type a turn (`e2e4`, `Nf3`, `e2e4,g1f3`), or: hint, undo, moves [PREFIX], board, fen, level N, side, new, quit.")]
pub struct Arguments {
    /// The person's side: white, black, or both for two people at one keyboard.
    #[arg(long, default_value = "white")]
    side: Side,
    /// The engine's strength, 1 to 10: each level thinks four times as long as the one below.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// Seed of the dice, hexadecimal; random by default.
    #[arg(long, value_parser = |text: &str| text.parse::<DiceSeed>())]
    seed: Option<DiceSeed>,
    /// The position, `startpos` by default.
    #[arg(trailing_var_arg = true)]
    fen: Vec<String>,
}

impl Arguments {
    /// Plays until the game is over and the person leaves.
    ///
    /// # Errors
    /// When the position cannot be read, the keyboard is gone, or standard output takes no more.
    pub fn run(&self, variant: Variant) -> Result<()> {
        with_game!(variant, G => self.play::<G>())
    }

    fn play<G: Engine>(&self) -> Result<()> {
        let options = G::Options::default();
        let start: G = super::position(&self.fen, &options)?;
        let table = Table::new(64).context("no memory for the transposition table")?;
        let mut play = Play {
            game: Game::new(start, options),
            start,
            side: self.side,
            level: self.level,
            seed: self
                .seed
                .unwrap_or_else(|| DiceSeed(RandomState::new().hash_one("dice"))),
            out: Printer::default(),
            table: &table,
        };
        if G::HAS_CHANCE {
            writeln!(play.out, "dice seed {}", play.seed)?;
        }
        play.run()
    }
}
