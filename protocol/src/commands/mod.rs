//! The subcommands, a file each: `Arguments` says what may follow, `run` does the job.

pub mod analyse;
pub mod bench;
pub mod completions;
pub mod legal;
pub mod merge;
pub mod perft;
pub mod play;
pub mod rules;
pub mod solve;
pub mod tournament;
pub mod verify;

use anyhow::{Context, Result};
use fauve_engine::rules::Notation;

/// The position that the words of a command line mean: none (or `startpos`) is the start position. What was dropped
/// from a FEN is said on standard error.
///
/// # Errors
/// When the words are no position of the game.
pub fn position<G: Notation>(words: &[String], switches: &G::Options) -> Result<G> {
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
