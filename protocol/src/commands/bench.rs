//! `fauve bench`.

use super::game;
use crate::bench;
use crate::terminal::Printer;
use anyhow::Result;
use fauve_engine::Variant;
use fauve_engine::search::Control;

/// What may follow `fauve bench`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  fauve bench\n  fauve bench superchess")]
pub struct Arguments {
    /// Only this game.
    #[arg(value_parser = game)]
    name: Option<Variant>,
}

impl Arguments {
    /// Runs the benchmark; the last line is `N nodes M nps`.
    ///
    /// # Errors
    /// When standard output takes no more; the benchmark ends there.
    pub fn run(self) -> Result<()> {
        let variants = self
            .name
            .map_or_else(|| Variant::ALL.to_vec(), |variant| vec![variant]);
        let control = Control::default();
        let mut out = Printer::default();
        let mut printed = Ok(());
        bench::run(&variants, &control, &mut |line| {
            if printed.is_ok() {
                printed = writeln!(out, "{line}");
            }
            if printed.is_err() {
                control.stop();
            }
        });
        Ok(printed?)
    }
}
