//! The program `fauve`: protocols and subcommands around the engine library.

pub mod bench;
pub mod cli;
pub mod commands;
pub mod compiler;
pub mod memory;
pub mod signals;
pub mod terminal;
pub mod variants;
pub mod wire;

use crate::commands::Misuse;
use crate::terminal::{PrintError, warn};
use std::process::ExitCode;

/// The status after a mistake on the command line.
const MISUSE: u8 = 2;

/// The whole program: the processor, signals, command line, exit status.
pub fn main() -> ExitCode {
    // On Linux and Windows it was asked for before.
    #[cfg(not(any(target_os = "linux", windows)))]
    if let Some(reason) = compiler::missing() {
        warn(reason.trim_end());
        return ExitCode::FAILURE;
    }
    // Older consoles of Windows show colours and move the cursor only when they are asked to; those that cannot are older than any that
    // the standard library runs on.
    #[cfg(windows)]
    let _ = anstyle_query::windows::enable_ansi_colors();
    signals::watch();
    match cli::run() {
        Ok(status) => status,
        Err(error) if matches!(error.downcast_ref(), Some(PrintError::Closed)) => ExitCode::SUCCESS,
        Err(error) => {
            warn(format_args!("fauve: {error:#}"));
            if error.is::<Misuse>() {
                ExitCode::from(MISUSE)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}
