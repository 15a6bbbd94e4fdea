//! The subcommands, a file each: `Arguments` says what may follow, `run` does the job.

pub mod analyse;
pub mod bench;
pub mod completions;
pub mod legal;
pub mod merge;
pub mod perft;
pub mod play;
pub mod solve;
pub mod tournament;
pub mod verify;

use anyhow::{Context, Result};
use fauve_engine::rules::{Notation, Switches};
use std::io::{ErrorKind, Write, stdout};

/// Writes to standard output. A reader that has read enough (`| head`) is no error, a full disk is one.
///
/// # Errors
/// What the system says.
fn say(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write the output")
        }
        _ => Ok(()),
    }
}

/// The position that the words of a command line mean: none (or `startpos`) is the start position. What was dropped
/// from a FEN is said on standard error.
///
/// # Errors
/// When the words are no position of the game.
pub fn position<G: Notation>(words: &[String], switches: &Switches) -> Result<G> {
    let text = words.join(" ");
    if text.is_empty() || text == "startpos" {
        return Ok(G::start(switches));
    }
    if let Some(position) = G::named_start(&text, switches) {
        return Ok(position);
    }
    let parsed = G::from_fen(&text, switches).with_context(|| {
        format!(
            "'{}' is no position of this game",
            crate::wire::output::printable(&text)
        )
    })?;
    for warning in parsed.warnings {
        eprintln!("{warning}");
    }
    Ok(parsed.position)
}
