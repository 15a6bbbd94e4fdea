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
    let mut table = session.table();
    session.check_clock(&mut table);
    // The place that the page shows from now on, and whether the game itself has changed and not only its variations and comments.
    let (path, is_altered) = match action {
        Action::Vary { place, line } => {
            check_length(&place.steps)?;
            check_length(&line)?;
            if is_game(&table, &place.path) {
                (extend(&mut table, &place.steps, &line)?, true)
            } else {
                (table.game.vary(&place, &line)?, false)
            }
        }
        Action::Promote { path } => {
            if path.leaves_the_game() {
                refuse_if_played(&table)?;
            }
            let place = table.game.promote(&path)?;
            if path.leaves_the_game() {
                start_clock(&mut table);
            }
            (place, path.leaves_the_game())
        }
        Action::Delete { path } => {
            if path.is_main() {
                refuse_if_played(&table)?;
            }
            let place = table.game.delete(&path)?;
            if path.is_main() {
                start_clock(&mut table);
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
            table.game.annotate(&path, &what)?;
            (path, false)
        }
        _ => return not("This action does not change the game tree."),
    };
    if is_altered {
        table.stop_review();
        session.changed(&mut table);
    } else {
        session.noted(&mut table);
    }
    json(Changed {
        state: session.state(&table),
        path,
    })
}

/// Whether a turn at this place belongs to the game itself: at its end, while people play it and it goes on.
fn is_game(table: &GameState, path: &Path) -> bool {
    let people = table.players == PEOPLE;
    people
        && !table.is_live
        && *path == Path::main(table.game.turns().len())
        && table.end().is_none()
}

/// Plays turns in the game itself, without the steps of its unfinished turn.
fn extend(table: &mut GameState, steps: &[String], line: &[String]) -> Result<Path, Refusal> {
    // All turns or none.
    let mut trial = table.game.copy();
    while trial.undo_step() {}
    let whole = (!steps.is_empty()).then(|| steps.join(","));
    for turn in whole.iter().chain(line) {
        trial.turn(turn)?;
    }
    while table.game.undo_step() {}
    for turn in whole.iter().chain(line) {
        let side = table.game.side();
        table.game.turn(turn)?;
        crate::think::turn_made(table, side);
    }
    Ok(Path::main(table.game.turns().len()))
}

/// A game against the engine that is not over is played, not edited.
fn refuse_if_played(table: &GameState) -> Result<(), Refusal> {
    if table.is_live {
        return not(LIVE);
    }
    if table.players != PEOPLE && table.end().is_none() {
        return not("The game is being played: take turns back instead.");
    }
    Ok(())
}
