//! `fauve bench`.

use crate::bench;
use crate::cli::variant;
use crate::wire::output::Output;
use fauve_engine::Variant;
use fauve_engine::search::Control;

/// What may follow `fauve bench`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  fauve bench\n  fauve bench superchess")]
pub struct Arguments {
    /// Only this game.
    #[arg(value_parser = variant)]
    name: Option<Variant>,
}

impl Arguments {
    /// Runs the benchmark; the last line is `N nodes M nps`.
    pub fn run(self) {
        let variants = self
            .name
            .map_or_else(|| Variant::ALL.to_vec(), |variant| vec![variant]);
        let output = Output::default();
        bench::run(&variants, &Control::default(), &mut |line| output.say(line));
    }
}
