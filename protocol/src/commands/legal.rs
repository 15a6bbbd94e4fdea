//! `fauve legal`.

use crate::terminal::Printer;
use crate::variants::with_game;
use anyhow::{Result, bail};
use fauve_engine::Variant;
use fauve_engine::rules::{Notation, for_each_turn, turn_token};

/// What may follow `fauve legal`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve legal\n  \
    fauve legal --variant twomove --prefix d2d4, rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2\n  \
    fauve legal --variant dicechess 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NBQ'")]
pub struct Arguments {
    /// Only turns whose token begins so.
    #[arg(long, default_value = "")]
    prefix: String,
    /// The position, `startpos` by default.
    fen: Vec<String>,
}

impl Arguments {
    /// Prints the tokens of the legal turns, one a line.
    ///
    /// # Errors
    /// When the position cannot be read, its dice are not rolled, or standard output takes no more.
    pub fn run(&self, variant: Variant) -> Result<()> {
        with_game!(variant, G => self.list::<G>())
    }

    fn list<G: Notation>(&self) -> Result<()> {
        let position: G = super::position(&self.fen, &G::Options::default())?;
        if position.awaits_roll() {
            bail!("the dice are not rolled: give them as the seventh field of the FEN, `PNB`");
        }
        let mut out = Printer::default();
        let mut result = Ok(());
        for_each_turn(&position, &mut |turn, _| {
            let token = turn_token(&position, turn);
            if token.starts_with(&self.prefix) && result.is_ok() {
                result = writeln!(out, "{token}");
            }
        });
        Ok(result?)
    }
}
