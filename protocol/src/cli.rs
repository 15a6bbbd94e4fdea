//! The command line: without a subcommand the program speaks its protocols, a subcommand does one job.

#[cfg(feature = "tune")]
use crate::commands::tune;
use crate::commands::{
    Games, analyse, bench, board, completions, endgames, legal, man, merge, perft, play, rate,
    rules, solve, tournament, verify,
};
use crate::compiler::VERSION;
use crate::signals::{Ending, on_end};
use crate::terminal::{PrintError, Printer};
use crate::wire::protocol_loop;
use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use fauve_engine::Variant;
use std::process::ExitCode;

/// The command line.
#[derive(Parser, Debug)]
#[command(
    name = "fauve",
    version = VERSION,
    about = "A search engine for chess, Superchess, two-move chess, DiceChess and Cubes 4D",
    long_about = "A search engine for chess, Superchess, two-move chess, DiceChess and Cubes 4D.\n\n\
        Without a subcommand it speaks UCI on standard input and output: start it from a GUI, or type `help`.",
    after_help = "Examples:\n  \
        fauve play superchess          a game in the terminal\n  \
        fauve board                    all games on a page in the browser\n  \
        fauve rules superchess         the rules of Superchess, in full\n  \
        fauve analyse game.pgn         a game, turn by turn\n  \
        fauve --variant superchess     speak UCI; without --variant chess is the default"
)]
pub struct Cli {
    /// The game; chess by default.
    #[arg(long, value_parser = Games, value_name = "GAME", global = true)]
    pub variant: Option<Variant>,
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
    /// Shows and plays all games on a page in the browser.
    Board(board::Arguments),
    /// Prints completions for a shell.
    Completions(completions::Arguments),
    /// Makes the tables of the endgames of DiceChess, or of two-move chess.
    Endgames(endgames::Arguments),
    /// Lists the legal turns of a position.
    Legal(legal::Arguments),
    /// Prints the manual page.
    #[command(hide = true)]
    Man(man::Arguments),
    /// Plays matches and tournaments between engines.
    Match(Box<tournament::Arguments>),
    /// Joins the records of shards, and reports on a record.
    Merge(merge::Arguments),
    /// Counts the sequences of turns from a position.
    Perft(perft::Arguments),
    /// Plays against a person in the terminal.
    Play(play::Arguments),
    /// Puts the players of many matches on one scale of Elo.
    Rate(rate::Arguments),
    /// Prints the rules of a game, or lists the games.
    Rules(rules::Arguments),
    /// Solves a mate problem: all keys, and a refutation of every other turn.
    Solve(solve::Arguments),
    /// Tunes parameters of the search by games of the engine against itself (SPSA).
    #[cfg(feature = "tune")]
    Tune(Box<tune::Arguments>),
    /// Replays every turn and roll of recorded games.
    Verify(verify::Arguments),
}

/// Does what the command line asks for; the status is a failure where the job's answer is "no".
///
/// # Errors
/// What a person should read on standard error.
pub fn run() -> Result<ExitCode> {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mistake) if mistake.use_stderr() => mistake.exit(),
        // Help or the version, which were asked for.
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
            Self::Endgames(arguments) => arguments.run(variant)?,
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
        }
        Ok(ExitCode::SUCCESS)
    }
}
