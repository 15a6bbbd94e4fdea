//! Command-line parsing: without a subcommand the program speaks its protocols; each subcommand does one job.

#[cfg(feature = "tune")]
use crate::commands::tune;
use crate::commands::{
    Games, analyse, bench, board, completions, endgames, legal, man, merge, perft, play, rate,
    rules, solve, tournament, verify, watch,
};
use crate::compiler::VERSION;
use crate::signals::{Ending, on_end};
use crate::terminal::{PrintError, Printer};
use crate::wire::protocol_loop;
use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use fauve_engine::Variant;
use std::process::ExitCode;

/// Arguments of the program.
#[derive(Parser, Debug)]
#[command(
    name = "fauve",
    version = VERSION,
    about = "A search engine for chess, Superchess, two-move chess, DiceChess and Cubes 4D",
    long_about = "A search engine for chess, Superchess, two-move chess, DiceChess and Cubes 4D.\n\n\
        Without a subcommand it speaks UCI on standard input and output: start it from a GUI, or type `help`.",
    after_help = "Examples:\n  \
        fauve play superchess          play Superchess in the terminal\n  \
        fauve board                    play any game in the browser\n  \
        fauve rules superchess         read the rules of Superchess\n  \
        fauve analyse game.pgn         analyse a game turn by turn\n  \
        fauve --variant superchess     speak UCI, starting with Superchess"
)]
pub struct Cli {
    /// Game; without it chess, unless the command or a file that it reads decides
    #[arg(long, value_parser = Games, value_name = "GAME", global = true)]
    pub variant: Option<Variant>,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Subcommands, one file each under `commands/`.
#[derive(Subcommand, Debug)]
enum Command {
    /// Analyse a position, or a game turn by turn
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Arguments),
    /// Search fixed positions and count nodes
    Bench(bench::Arguments),
    /// Play and explore all games on a page in the browser
    Board(board::Arguments),
    /// Print completions for a shell
    Completions(completions::Arguments),
    /// Compute endgame tables of DiceChess
    #[command(alias = "endings")]
    Endgames(endgames::Arguments),
    /// List the legal turns of a position
    Legal(legal::Arguments),
    /// Print the manual page of the program or of a command
    Man(man::Arguments),
    /// Run matches and tournaments between engines
    Match(Box<tournament::Arguments>),
    /// Join the records of shards, and report on a record
    Merge(merge::Arguments),
    /// Count the sequences of turns from a position
    Perft(perft::Arguments),
    /// Play against the engine in the terminal
    Play(play::Arguments),
    /// Rate players from many matches on one Elo scale
    Rate(rate::Arguments),
    /// Print the rules of a game, or list the games
    Rules(rules::Arguments),
    /// Solve a mate problem: all keys, each with its main line
    Solve(solve::Arguments),
    /// Tune search parameters by self-play (SPSA)
    #[cfg(feature = "tune")]
    Tune(Box<tune::Arguments>),
    /// Check every turn and roll of recorded games
    Verify(verify::Arguments),
    /// Watch a tournament whose shards write their records to one folder.
    Watch(watch::Arguments),
}

/// Parses the command line and runs the subcommand, or the protocol loop without one. Returns a failure status when the
/// answer of the subcommand is "no", such as a problem without a solution.
///
/// # Errors
/// The message for standard error.
pub fn run() -> Result<ExitCode> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mistake) if mistake.use_stderr() => mistake.exit(),
        // Help and version are errors of clap, printed to standard output.
        Err(text) => {
            text.print().map_err(PrintError::from)?;
            Printer::default().flush()?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    let Some(command) = cli.command else {
        protocol_loop::run(cli.variant.unwrap_or_default())?;
        return Ok(ExitCode::SUCCESS);
    };
    on_end(Ending::GiveUp);
    let status = command.run(cli.variant)?;
    Printer::default().flush()?;
    Ok(status)
}

impl Command {
    fn run(self, chosen: Option<Variant>) -> Result<ExitCode> {
        let variant = chosen.unwrap_or_default();
        match self {
            Self::Analyse(arguments) => arguments.run(variant)?,
            Self::Bench(arguments) => arguments.run(chosen)?,
            Self::Board(arguments) => arguments.run(variant)?,
            Self::Completions(arguments) => arguments.run(Cli::command())?,
            Self::Endgames(arguments) => arguments.run(chosen)?,
            Self::Legal(arguments) => arguments.run(variant)?,
            Self::Man(arguments) => arguments.run(Cli::command())?,
            Self::Perft(arguments) => arguments.run(variant)?,
            Self::Play(arguments) => arguments.run(chosen)?,
            Self::Rate(arguments) => arguments.run()?,
            Self::Rules(arguments) => arguments.run(chosen)?,
            Self::Solve(arguments) if !arguments.run(variant)? => {
                return Ok(ExitCode::FAILURE);
            }
            Self::Solve(_) => {}
            Self::Match(arguments) => return arguments.run(variant),
            Self::Merge(arguments) => arguments.run()?,
            #[cfg(feature = "tune")]
            Self::Tune(arguments) => arguments.run(variant)?,
            Self::Verify(arguments) => arguments.run()?,
            Self::Watch(arguments) => arguments.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
