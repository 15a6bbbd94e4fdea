//! The command line: without a subcommand the program speaks its protocols, a subcommand does one job.

use crate::commands::{bench, legal, merge, perft, tournament, verify};
use crate::listener;
use crate::variants::{self, PLAYABLE};
use anyhow::{Result, anyhow};
use clap::{Parser, Subcommand};
use fauve_engine::Variant;

/// The command line.
#[derive(Parser, Debug)]
#[command(
    name = "fauve",
    version,
    about = "A search engine for chess, Superchess, two-move chess, DiceChess and Cubes 4D",
    long_about = "A search engine for chess, Superchess, two-move chess, DiceChess and Cubes 4D.\n\n\
        Without a subcommand it speaks UCI on standard input and output: start it from a GUI, or type `help`.",
    after_help = "Examples:\n  \
        fauve                          speak UCI, chess by default\n  \
        fauve --variant superchess     the same, Superchess by default\n  \
        fauve perft 5                  count the turn sequences of chess\n  \
        fauve bench                    the benchmark of all games"
)]
pub struct Cli {
    /// The game: chess, superchess, twomove, dicechess or cubes4d.
    #[arg(long, value_parser = variant, default_value = "chess", global = true)]
    pub variant: Variant,
    #[command(subcommand)]
    command: Option<Command>,
}

/// One job each; a file per subcommand under `commands/`.
#[derive(Subcommand, Debug)]
enum Command {
    /// Searches fixed positions and counts nodes.
    Bench(bench::Arguments),
    /// Lists the legal turns of a position.
    Legal(legal::Arguments),
    /// Plays matches and tournaments between engines.
    Match(Box<tournament::Arguments>),
    /// Joins the records of shards, and reports on a record.
    Merge(merge::Arguments),
    /// Counts the sequences of turns from a position.
    Perft(perft::Arguments),
    /// Replays every turn and roll of recorded games.
    Verify(verify::Arguments),
}

/// Does what the command line asks for.
///
/// # Errors
/// What a person should read on standard error.
pub fn run() -> Result<()> {
    let cli = Cli::parse();
    match cli.command {
        None => Ok(listener::run(cli.variant)?),
        Some(Command::Bench(arguments)) => {
            arguments.run();
            Ok(())
        }
        Some(Command::Legal(arguments)) => arguments.run(cli.variant),
        Some(Command::Match(arguments)) => arguments.run(cli.variant),
        Some(Command::Merge(arguments)) => arguments.run(),
        Some(Command::Perft(arguments)) => arguments.run(cli.variant),
        Some(Command::Verify(arguments)) => arguments.run(),
    }
}

/// Reads the name of a game.
pub fn variant(name: &str) -> Result<Variant> {
    variants::from_name(name).ok_or_else(|| {
        let names: Vec<_> = PLAYABLE.iter().map(|variant| variant.name()).collect();
        anyhow!("the games are {}", names.join(", "))
    })
}
