//! The program `fauve`: protocols and subcommands around the engine library.

pub mod bench;
pub mod cli;
pub mod commands;
pub mod compiler;
pub mod signals;
pub mod terminal;
pub mod variants;
pub mod wire;

use crate::terminal::{PrintError, warn};
use std::process::ExitCode;

/// The whole program: the processor, signals, command line, exit status.
pub fn main() -> ExitCode {
    // On Linux it was asked for before.
    #[cfg(not(target_os = "linux"))]
    if let Some(reason) = compiler::missing() {
        warn(reason.trim_end());
        return ExitCode::FAILURE;
    }
    signals::watch();
    match cli::run() {
        Ok(status) => status,
        Err(error) if matches!(error.downcast_ref(), Some(PrintError::Closed)) => ExitCode::SUCCESS,
        Err(error) => {
            warn(format_args!("fauve: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
