//! Trains Fauve's networks: plays games, trains on them, evaluates the result. See README.md beside this crate.

#[macro_use]
mod say;

mod chart;
mod collect;
mod cubes;
mod data;
mod dataset;
mod dice;
mod game;
mod generate;
mod measure;
mod network;
mod optimiser;
mod quantised;
mod random;
mod record;
mod run;
mod schedule;
mod selfplay;
#[cfg(test)]
mod tests;
mod train;
mod views;

use anyhow::Context;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about, version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::Generate),
    Collect(collect::Collect),
    List(collect::List),
    Train(train::Train),
    Measure(measure::Measure),
    DiceGenerate(dice::Generate),
    DiceTrain(dice::Train),
    DiceMeasure(dice::Measure),
}

fn main() -> anyhow::Result<()> {
    run(Cli::parse())?;
    say::all_was_said().context("standard output")
}

/// Number of threads: as requested, otherwise the number of processors.
fn processors(asked: Option<usize>) -> std::io::Result<usize> {
    match asked {
        Some(threads) => Ok(threads.max(1)),
        None => Ok(std::thread::available_parallelism()?.get()),
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Generate(command) => command.run().map(drop),
        Command::Collect(command) => command.run(),
        Command::List(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Measure(command) => command.run(),
        Command::DiceGenerate(command) => command.run().map(drop),
        Command::DiceTrain(command) => command.run(),
        Command::DiceMeasure(command) => command.run(),
    }
}
