//! A run of a tuner, from batch to batch.

use crate::matches::progress::Progress;
use crate::player::internal::Configuration;
use crate::tuning::batch::advance;
use crate::tuning::games::{GameError, Games};
use crate::tuning::state::{State, StateError};
use fauve_engine::Variant;
use fauve_engine::search::Engine;
use std::io;
use std::path::Path;

/// How a tuner is run; nothing of this changes what it finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run<'a> {
    /// Games at the same time, at least 1.
    pub concurrency: usize,
    /// The file that keeps the state.
    pub file: Option<&'a Path>,
    /// Whether nothing is said in between.
    pub quiet: bool,
}

/// Why a tuner cannot go on. What is learnt so far is in its file.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// A game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The file.
    #[error(transparent)]
    State(#[from] StateError),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// Tunes from a state on to the end. `base` is what all players are set to, except for the parameters.
///
/// # Errors
/// Why it cannot go on; what is learnt so far is in the file.
pub fn tune<G: Engine>(
    mut state: State,
    variant: Variant,
    options: &G::Options,
    base: &Configuration,
    run: Run<'_>,
) -> Result<State, TuneError> {
    let settings = state.settings.clone();
    let games: Games<'_, G> = Games {
        settings: &settings,
        variant,
        options,
        base,
    };
    let openings = &settings.games.openings;
    openings
        .check::<G>(variant, options)
        .map_err(GameError::from)?;
    let all = settings.schedule.pairs;
    let progress = Progress::new(2 * all, 2 * state.pairs as usize, run.quiet, 1);
    if state.pairs > 0 {
        progress.say(&format!("Going on after {} of {all} pairs", state.pairs))?;
    }
    // A file that cannot be written is known before games are played for it.
    if let Some(file) = run.file {
        state.save(file)?;
    }
    while !state.is_finished() {
        let before = state.pairs;
        advance(&mut state, run.concurrency, &|meeting| games.play(meeting))?;
        if let Some(file) = run.file {
            state.save(file)?;
        }
        let line = format!("pair {}/{all}: {}", state.pairs, state.brief());
        progress.say_advanced(2 * (state.pairs - before), &line)?;
    }
    progress.finish();
    Ok(state)
}
