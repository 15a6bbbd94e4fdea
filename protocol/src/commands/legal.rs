//! `fauve legal`.

use super::Misuse;
use crate::terminal::{Printer, warn};
use crate::variants::with_game;
use anyhow::{Result, bail};
use fauve_engine::Variant;
use fauve_engine::rules::{Notation, for_each_turn, printable, turn_token};

/// Arguments of `fauve legal`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve legal\n  \
    fauve legal --variant twomove --prefix d2d4, rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 2\n  \
    fauve legal --variant dicechess 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NBQ'")]
pub struct Arguments {
    /// List only turns that begin with this, such as e2
    #[arg(long, default_value = "")]
    prefix: String,
    /// Position; `startpos` by default
    fen: Vec<String>,
}

impl Arguments {
    /// Prints the legal turns in protocol notation, one per line.
    ///
    /// # Errors
    /// When the position is invalid, its dice are not rolled, or standard output cannot be written.
    pub fn run(&self, variant: Variant) -> Result<()> {
        with_game!(variant, G => self.list::<G>())
    }

    fn list<G: Notation>(&self) -> Result<()> {
        let position: G = super::position(&self.fen, &G::Options::default())?;
        if position.awaits_roll() {
            bail!(Misuse(
                "the dice are not rolled; add them as the seventh field of the FEN, such as PNB"
                    .to_owned()
            ));
        }
        let mut out = Printer::default();
        let mut result = Ok(());
        let mut is_empty = true;
        for_each_turn(&position, &mut |turn, _| {
            let token = turn_token(&position, turn);
            if token.starts_with(&self.prefix) && result.is_ok() {
                is_empty = false;
                result = writeln!(out, "{token}");
            }
        });
        if is_empty && !self.prefix.is_empty() {
            warn(format_args!(
                "note: no legal turn begins with '{}'",
                printable(&self.prefix)
            ));
        }
        Ok(result?)
    }
}
