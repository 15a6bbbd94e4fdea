//! Makes Fauve's networks: plays games, trains on them, measures the result. See README.md beside this crate.

mod data;
mod game;
mod generate;
mod random;
mod record;
mod selfplay;
#[cfg(test)]
mod tests;

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
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Generate(command) => command.run(),
    }
}
