//! The command line: without a subcommand the program speaks its protocols, a subcommand does one job.

use crate::commands::{
    analyse, bench, completions, legal, merge, perft, play, rules, solve, tournament, verify,
};
use crate::wire::listener;
use anyhow::{Result, anyhow};
use clap::{Parser, Subcommand};
use fauve_engine::Variant;
use std::process::ExitCode;

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
        fauve rules superchess         the rules of Superchess, in full\n  \
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
    /// Analyses a position, or a game turn by turn.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Arguments),
    /// Searches fixed positions and counts nodes.
    Bench(bench::Arguments),
    /// Prints completions for a shell.
    Completions(completions::Arguments),
    /// Lists the legal turns of a position.
    Legal(legal::Arguments),
    /// Plays matches and tournaments between engines.
    Match(Box<tournament::Arguments>),
    /// Joins the records of shards, and reports on a record.
    Merge(merge::Arguments),
    /// Counts the sequences of turns from a position.
    Perft(perft::Arguments),
    /// Plays against a person in the terminal.
    Play(play::Arguments),
    /// Prints the rules of a game, or lists the games.
    Rules(rules::Arguments),
    /// Solves a mate problem: all keys, and a refutation of every other turn.
    Solve(solve::Arguments),
    /// Replays every turn and roll of recorded games.
    Verify(verify::Arguments),
}

/// Does what the command line asks for; the status is a failure where the job's answer is "no".
///
/// # Errors
/// What a person should read on standard error.
pub fn run() -> Result<ExitCode> {
    let cli = Cli::parse();
    let variant = cli.variant;
    match cli.command {
        None => listener::run(variant)?,
        Some(Command::Analyse(arguments)) => arguments.run(variant)?,
        Some(Command::Bench(arguments)) => arguments.run(),
        Some(Command::Completions(arguments)) => arguments.run(),
        Some(Command::Legal(arguments)) => arguments.run(variant)?,
        Some(Command::Perft(arguments)) => arguments.run(variant)?,
        Some(Command::Play(arguments)) => arguments.run(variant)?,
        Some(Command::Rules(arguments)) => arguments.run(variant)?,
        Some(Command::Solve(arguments)) if !arguments.run(variant)? => {
            return Ok(ExitCode::FAILURE);
        }
        Some(Command::Solve(_)) => {}
        Some(Command::Match(arguments)) => arguments.run(variant)?,
        Some(Command::Merge(arguments)) => arguments.run()?,
        Some(Command::Verify(arguments)) => arguments.run()?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the name of a game.
pub fn variant(name: &str) -> Result<Variant> {
    Variant::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        anyhow!("the games are {}", names.join(", "))
    })
}
