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
use std::io::Write;
use std::process::ExitCode;

/// The whole program: the processor, signals, command line, exit status.
pub fn main() -> ExitCode {
    if let Some(reason) = compiler::missing() {
        let _ = std::io::stderr().write_all(reason.as_bytes());
        return ExitCode::FAILURE;
    }
    run()
}

/// What the processor was asked for. Not inlined, so that nothing of it is done before.
#[inline(never)]
fn run() -> ExitCode {
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
