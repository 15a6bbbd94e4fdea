//! The program `fauve`: protocols and subcommands around the engine library.

pub mod bench;
pub mod cli;
pub mod commands;
pub mod compiler;
pub mod terminal;
pub mod variants;
pub mod wire;

use crate::terminal::{PrintError, warn};
use std::process::ExitCode;

/// The whole program: signals, command line, exit status.
pub fn main() -> ExitCode {
    // A GUI that ends us is obeyed; ending by a signal is no failure. This comes first: a signal that arrives before
    // it, while the system is still loading the program, ends the process by the signal, and no program can help that.
    // The players of a match are in groups of their own, which a terminal's Ctrl-C does not reach.
    let watched = ctrlc::set_handler(|| {
        fauve_referee::player::group::end_all();
        std::process::exit(0)
    });
    if let Err(error) = watched {
        warn(format_args!("fauve: signals are not watched: {error}"));
    }
    match cli::run() {
        Ok(status) => status,
        Err(error) if matches!(error.downcast_ref(), Some(PrintError::Closed)) => ExitCode::SUCCESS,
        Err(error) => {
            warn(format_args!("fauve: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
