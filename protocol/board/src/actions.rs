//! What a page does with its game.

use crate::elsewhere::Wanted;
use crate::games::check_player;
use crate::play::{AnyGame, Place, PlayError};
use crate::review;
use crate::search::{Said, Task};
use crate::session::{GameSession, GameState};
use crate::study;
use crate::think;
use crate::wire::{Action, Analysis, Dangers, Looked, Player};
use fauve_engine::core::Color;
use fauve_engine::search::Control;
use fauve_game::end::End;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// Largest number of nodes with which each turn of a game is assessed.
const MOST_REVIEW_NODES: u64 = 10_000_000;
/// Largest number of nodes of each of the two searches with which a turn is compared with the best one while the page waits.
const MOST_WEIGH_NODES: u64 = 1_000_000;
/// The longest turn that is typed, in characters.
const LONGEST_TYPED: usize = 200;
/// Largest number of turns of a line that the page shows.
const LONGEST_LINE: usize = 256;

/// Why an action was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// A value of the request is invalid (status 422).
    #[error("{0}")]
    Bad(String),
    /// The game does not allow it (status 409).
    #[error("{0}")]
    Not(String),
    /// A search has to run elsewhere first (status 202); its text.
    #[error("a search has to run first")]
    Waits(String),
}

impl From<Wanted> for Refusal {
    fn from(wanted: Wanted) -> Self {
        Self::Waits(wanted.0)
    }
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Self {
        Self::Not(error.to_string())
    }
}

/// The refusal of a change to a game that is being played in a match.
pub(crate) const LIVE: &str =
    "This game is being played in the match: what is tried here becomes a variation.";

pub(crate) fn not<T>(why: &str) -> Result<T, Refusal> {
    Err(Refusal::Not(why.to_owned()))
}

pub(crate) fn json(what: impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(what).map_err(|why| Refusal::Not(why.to_string()))
}

/// Does what the page asks; the answer is the state of the game, or what was asked for. May take as long as a hint, which is
/// searched as long as it is wanted.
pub(crate) fn act(
    session: &Arc<GameSession>,
    action: Action,
    wanted: &Control,
) -> Result<Value, Refusal> {
    match action {
        Action::Hint { place } => {
            let game = game_at(session, place.as_ref())?;
            if place.is_none() && game.end().is_some() {
                return not("The game is over.");
            }
            match session.room.now(&*game, &Task::Hint, wanted)? {
                Some(Said::Hint(hint)) => json(hint),
                _ => not("No best turn was found."),
            }
        }
        Action::Draw {} => offer_draw(session),
        Action::MoveNow {} => move_now(session),
        Action::Look { place } => {
            let game = game_at(session, Some(&place))?;
            json(Looked {
                view: game.view(),
                end: game.end(),
                partial_turn: game.partial_turn().to_vec(),
            })
        }
        Action::Why { from, to, place } => {
            json(game_at(session, place.as_ref())?.explain(&from, &to))
        }
        Action::StaticEval { place } => json(game_at(session, place.as_ref())?.static_eval()),
        Action::Dangers { place } => {
            let dangers = game_at(session, place.as_ref())?.dangers();
            json(dangers.map(|(squares, lines)| Dangers { squares, lines }))
        }
        Action::Line { place, line } => {
            check_length(&line)?;
            json(game_at(session, place.as_ref())?.line_views(&line)?)
        }
        Action::Report {} => {
            let state = session.lock();
            json(review::report(&state.assessed, state.game.turns()))
        }
        Action::Weigh { place, nodes } => {
            if !(1..=MOST_WEIGH_NODES).contains(&nodes) {
                return Err(Refusal::Bad(format!("1 to {MOST_WEIGH_NODES} nodes")));
            }
            let Place { path, roll, steps } = place;
            check_length(&steps)?;
            let start = Place {
                path,
                roll,
                steps: Vec::new(),
            };
            let game = game_at(session, Some(&start))?;
            let turn = steps.join(",");
            let task = Task::Weigh { turn, nodes };
            match session.room.now(&*game, &task, wanted)? {
                Some(Said::Tried(tried)) => json(tried),
                Some(Said::Trouble(why)) => Err(Refusal::Not(why)),
                _ => json(()),
            }
        }
        Action::Read { text, place } => {
            if text.chars().count() > LONGEST_TYPED {
                let limit = format!("a turn has up to {LONGEST_TYPED} characters");
                return Err(Refusal::Bad(limit));
            }
            let game = game_at(session, place.as_ref())?;
            json(game.read(text.trim()).map_err(Refusal::Not)?)
        }
        Action::Review { nodes } => {
            if nodes > MOST_REVIEW_NODES {
                return Err(Refusal::Bad(format!("up to {MOST_REVIEW_NODES} nodes")));
            }
            let mut state = session.lock();
            think::review(session, &mut state, nodes);
            // Other pages show whether the game is being assessed, too.
            session.noted(&mut state);
            json(())
        }
        Action::Vary { .. }
        | Action::Promote { .. }
        | Action::Delete { .. }
        | Action::Annotate { .. } => study::act(session, action),
        Action::Analyse { .. } => {
            let mut state = session.lock();
            analyse(&mut state, action)?;
            session.noted(&mut state);
            json(session.page_state(&state))
        }
        action => {
            let mut state = session.lock();
            session.check_clock(&mut state);
            change(session, &mut state, &action)?;
            state.judge_task()?;
            session.changed(&mut state);
            json(session.page_state(&state))
        }
    }
}

/// Ends the engine's thinking with the turn that it has, or asks a program again that has made none.
fn move_now(session: &Arc<GameSession>) -> Result<Value, Refusal> {
    let mut state = session.lock();
    if state.stalled {
        state.stalled = false;
        state.notice = None;
        session.noted(&mut state);
        return json(());
    }
    match &state.thinking {
        Some(thinking) => {
            thinking.search.stop();
            json(())
        }
        None => not("The engine is not to move."),
    }
}

/// The game at a place, or as it stands.
fn game_at(session: &GameSession, place: Option<&Place>) -> Result<Box<dyn AnyGame>, Refusal> {
    let state = session.lock();
    match place {
        Some(place) => {
            check_length(&place.steps)?;
            Ok(state.game.at(place)?)
        }
        None => Ok(state.game.copy()),
    }
}

/// Refuses lines that are too long.
pub(crate) fn check_length(line: &[String]) -> Result<(), Refusal> {
    if line.len() > LONGEST_LINE {
        return Err(Refusal::Bad(format!(
            "a line has up to {LONGEST_LINE} turns"
        )));
    }
    Ok(())
}

/// Switches the analysis on, at a place or for the game as it stands, or off.
fn analyse(state: &mut GameState, action: Action) -> Result<(), Refusal> {
    let Action::Analyse {
        on,
        place,
        lines,
        threads,
        hash,
    } = action
    else {
        return Ok(());
    };
    if !(1..=8).contains(&lines) || !(1..=64).contains(&threads) || !(1..=1024).contains(&hash) {
        let limits = "1 to 8 lines, 1 to 64 threads, 1 to 1024 megabytes";
        return Err(Refusal::Bad(limits.to_owned()));
    }
    if let Some(place) = &place {
        check_length(&place.steps)?;
        state.game.at(place)?;
    }
    state.stop_analysis();
    let wanted = Analysis {
        place,
        lines,
        threads,
        hash,
    };
    state.analysis = on.then_some((wanted, None));
    Ok(())
}

/// Refuses what a game that is over does not allow.
fn refuse_if_over(state: &GameState) -> Result<(), Refusal> {
    match state.end() {
        Some(_) => not("The game is over."),
        None => Ok(()),
    }
}

/// What changes the game.
fn change(session: &GameSession, state: &mut GameState, action: &Action) -> Result<(), Refusal> {
    if state.is_live {
        return not(LIVE);
    }
    match action {
        Action::Step { token } => {
            refuse_if_over(state)?;
            if *state.to_move() != Player::Human {
                return not("It is the engine's turn.");
            }
            let side = state.game.side();
            let is_complete = state.game.step(token)?;
            state.stop_review();
            if is_complete {
                think::turn_made(state, side);
            }
        }
        Action::UndoStep {} => {
            refuse_if_over(state)?;
            if !state.game.undo_step() {
                return not("This turn has no step to take back.");
            }
        }
        Action::UndoTurn {} => undo_turn(state)?,
        Action::Players { white, black } => {
            for player in [white, black] {
                check_player(&session.room, state.game.variant(), player)
                    .map_err(|why| Refusal::Bad(why.to_string()))?;
            }
            state.dismiss();
            (state.players, state.names) = ([white.clone(), black.clone()], None);
        }
        Action::Resign {} => resign(state)?,
        _ => {}
    }
    Ok(())
}

/// Takes back the unfinished turn and, with an engine in the game, its answer too, so that a person is to move.
fn undo_turn(state: &mut GameState) -> Result<(), Refusal> {
    // What is refused leaves everything as it was, the search of the engine, too.
    if state.game.turns().is_empty() && state.game.partial_turn().is_empty() {
        return not("There is nothing to take back.");
    }
    state.stop_thinking();
    state.stop_review();
    state.game.set_ended(None);
    state.notice = None;
    while state.game.undo_turn() {
        if *state.to_move() == Player::Human {
            break;
        }
    }
    start_clock(state);
    Ok(())
}

/// Starts the clock of the side to move, after the game itself was changed. Before the first turn no clock runs, as in a new game.
pub(crate) fn start_clock(state: &mut GameState) {
    if state.game.turns().is_empty() {
        return;
    }
    let side = state.game.side();
    if let Some(clock) = state.game.clock_mut() {
        clock.start(side);
    }
}

fn resign(state: &mut GameState) -> Result<(), Refusal> {
    refuse_if_over(state)?;
    let people: Vec<Color> = Color::ALL
        .into_iter()
        .filter(|side| state.players[side.index()] == Player::Human)
        .collect();
    let loser = match people.as_slice() {
        [] => return not("Nobody here plays."),
        [only] => *only,
        _ => state.game.side(),
    };
    state.finish(End::resignation(loser));
    Ok(())
}

fn offer_draw(session: &Arc<GameSession>) -> Result<Value, Refusal> {
    let mut state = session.lock();
    session.check_clock(&mut state);
    refuse_if_over(&state)?;
    if state.is_live {
        return not(LIVE);
    }
    let engine = Color::ALL
        .into_iter()
        .find(|side| state.players[side.index()] != Player::Human);
    let game = state.game.copy();
    let asked = state.version;
    drop(state);
    let agreed = match engine {
        Some(side) => {
            let white = side == Color::White;
            // The game goes on by the answer, also where the page that asked is gone.
            let control = session.room.control();
            let answer = session.room.now(&*game, &Task::Draw { white }, &control)?;
            matches!(answer, Some(Said::Accepts(true)))
        }
        None => true,
    };
    let mut state = session.lock();
    session.check_clock(&mut state);
    refuse_if_over(&state)?;
    // The engine has answered about the position before.
    if engine.is_some() && state.version != asked {
        return not("The game has gone on.");
    }
    if agreed {
        state.finish(End::agreed_draw());
        state.notice = None;
    } else {
        state.notice = Some("The engine declines the draw.".to_owned());
    }
    session.changed(&mut state);
    json(session.page_state(&state))
}
