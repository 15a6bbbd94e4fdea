//! `fauve bench`.

use super::{Games, one_game};
use crate::bench;
use crate::terminal::Printer;
use anyhow::Result;
use fauve_engine::Variant;
use fauve_engine::search::Control;

/// Arguments of `fauve bench`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  fauve bench\n  fauve bench superchess")]
pub struct Arguments {
    /// Game to search; all games by default
    #[arg(value_parser = Games, value_name = "GAME")]
    name: Option<Variant>,
}

impl Arguments {
    /// Runs the benchmark of one game (`chosen` is the game of `--variant`) or of all; the last line is `N nodes M nps`.
    ///
    /// # Errors
    /// When the two name different games, standard output cannot be written, which ends the benchmark, or there is no memory for a table.
    pub fn run(self, chosen: Option<Variant>) -> Result<()> {
        let variants = one_game(self.name, chosen)?
            .map_or_else(|| Variant::ALL.to_vec(), |variant| vec![variant]);
        let control = Control::default();
        let mut out = Printer::default();
        let mut printed = Ok(());
        let done = bench::run(&variants, &control, &mut |line| {
            if printed.is_ok() {
                printed = writeln!(out, "{line}");
            }
            if printed.is_err() {
                control.stop();
            }
        });
        printed?;
        writeln!(out, "{}", done?)?;
        Ok(())
    }
}
