//! The program `fauve`: protocols and subcommands around the engine library.

pub mod arena;
pub mod bench;
pub mod cecp;
pub mod cli;
pub mod commands;
pub mod compiler;
pub mod flip;
pub mod go;
pub mod input;
pub mod listener;
pub mod options;
pub mod output;
pub mod report;
pub mod session;
pub mod shell;
pub mod terminal;
pub mod uci;
pub mod ugi;
pub mod variants;
pub mod worker;

use std::process::ExitCode;

/// The whole program: signals, command line, exit status.
pub fn main() -> ExitCode {
    // A GUI that ends us is obeyed; ending by a signal is no failure.
    let watched = ctrlc::set_handler(|| std::process::exit(0));
    if let Err(error) = watched {
        eprintln!("fauve: signals are not watched: {error}");
    }
    match cli::run() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("fauve: {error:#}");
            ExitCode::FAILURE
        }
    }
}
