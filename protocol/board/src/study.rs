//! What a page does with the tree of a game: variations, comments, signs.

use crate::actions::{LIVE, Refusal, check_length, json, not, start_clock};
use crate::session::{GameSession, GameState};
use crate::wire::{Action, Changed, PEOPLE};
use fauve_game::tree::Path;
use serde_json::Value;
use std::sync::Arc;

/// The longest comment, in characters.
const LONGEST_COMMENT: usize = 8192;
/// The most signs, and the most arrows and circles, of a turn.
const MOST_SIGNS: usize = 64;

/// Changes the tree; the answer is the game, with the place that the page shows from now on.
pub(crate) fn act(session: &Arc<GameSession>, action: Action) -> Result<Value, Refusal> {
    let mut state = session.lock();
    session.check_clock(&mut state);
    // The place that the page shows from now on, and whether the game itself has changed and not only its variations and comments.
    let (path, is_altered) = match action {
        Action::Vary { place, line } => {
            check_length(&place.steps)?;
            check_length(&line)?;
            if is_game(&state, &place.path) {
                (extend(&mut state, &place.steps, &line)?, true)
            } else {
                (state.game.vary(&place, &line)?, false)
            }
        }
        Action::Promote { path } => {
            if path.leaves_the_game() {
                refuse_if_played(&state)?;
            }
            let place = state.game.promote(&path)?;
            if path.leaves_the_game() {
                start_clock(&mut state);
            }
            (place, path.leaves_the_game())
        }
        Action::Delete { path } => {
            if path.is_main() {
                refuse_if_played(&state)?;
            }
            let place = state.game.delete(&path)?;
            if path.is_main() {
                start_clock(&mut state);
            }
            (place, path.is_main())
        }
        Action::Annotate { path, what } => {
            let signs = what.nags.as_ref().map_or(0, Vec::len);
            let shapes = what.shapes.as_ref().map_or(0, Vec::len);
            if signs.max(shapes) > MOST_SIGNS {
                return Err(Refusal::Bad(format!("up to {MOST_SIGNS} signs")));
            }
            let comment = what.comment.as_deref().unwrap_or_default();
            if comment.chars().count() > LONGEST_COMMENT {
                let limit = format!("a comment has up to {LONGEST_COMMENT} characters");
                return Err(Refusal::Bad(limit));
            }
            state.game.annotate(&path, &what)?;
            (path, false)
        }
        _ => return not("This action does not change the game tree."),
    };
    if is_altered {
        state.stop_review();
        session.changed(&mut state);
    } else {
        session.noted(&mut state);
    }
    json(Changed {
        state: session.page_state(&state),
        path,
    })
}

/// Whether a turn at this place belongs to the game itself: at its end, while people play it and it goes on.
fn is_game(state: &GameState, path: &Path) -> bool {
    let people = state.players == PEOPLE;
    people
        && !state.is_live
        && *path == Path::main(state.game.turns().len())
        && state.end().is_none()
}

/// Plays turns in the game itself, without the steps of its unfinished turn.
fn extend(state: &mut GameState, steps: &[String], line: &[String]) -> Result<Path, Refusal> {
    // All turns or none.
    let mut trial = state.game.copy();
    while trial.undo_step() {}
    let whole = (!steps.is_empty()).then(|| steps.join(","));
    for turn in whole.iter().chain(line) {
        trial.turn(turn)?;
    }
    while state.game.undo_step() {}
    for turn in whole.iter().chain(line) {
        let side = state.game.side();
        state.game.turn(turn)?;
        crate::think::turn_made(state, side);
    }
    Ok(Path::main(state.game.turns().len()))
}

/// A game against the engine that is not over is played, not edited.
fn refuse_if_played(state: &GameState) -> Result<(), Refusal> {
    if state.is_live {
        return not(LIVE);
    }
    if state.players != PEOPLE && state.end().is_none() {
        return not("The game is being played: take turns back instead.");
    }
    Ok(())
}
