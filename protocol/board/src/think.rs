//! The searches of a served game: the engine's turns, analysis, hints, and the assessment of a game.

#[cfg(feature = "server")]
use crate::lock::locked;
#[cfg(feature = "server")]
use crate::play::AnyGame;
use crate::play::{NoTurn, Place};
use crate::review::{self, Progress};
use crate::room::{Handle, Kind, NoThread};
use crate::search::{Listener, Said, Search, Task, TurnClock};
use crate::session::{GameSession, GameState};
use crate::wire::Player;
use fauve_engine::search::Instant;
use fauve_game::end::End;
use serde_json::value::RawValue;
use std::sync::Arc;
#[cfg(feature = "server")]
use std::sync::Mutex;
use std::time::Duration;

/// The least time between two turns of a game that the engine plays against itself, so that people can follow.
const PACE: Duration = Duration::from_millis(700);

/// Of the time that a player has left, at most this part passes while a turn that was found waits to be made.
const REST_SHARE: u32 = 20;

/// Lets the engine or the program think that is to move.
pub(crate) fn play(session: &Arc<GameSession>, state: &mut GameState) {
    if state.end().is_some() {
        state.dismiss();
        return;
    }
    if state.thinking.is_some() || state.stalled {
        return;
    }
    let alone = state.players.iter().all(|player| *player != Player::Human);
    if alone && !session.is_watched() {
        return;
    }
    let rest = if alone { PACE } else { session.room.pause };
    let side = state.game.side();
    let left = state.game.clock().map(|clock| clock.left(side));
    let due = Instant::now() + left.map_or(rest, |left| rest.min(left / REST_SHARE));
    match state.to_move().clone() {
        Player::Human => {}
        Player::Engine { level } => {
            let game = state.game.copy();
            let clock = state.game.clock();
            let clock = clock.map(|clock| TurnClock(clock.for_search(game.side())));
            let turn = TurnSearch::begin(session, state);
            let begun = session.room.search(Search {
                kind: Kind::Turn,
                handle: turn.handle.clone(),
                game,
                task: Task::Turn { level, clock },
                due: Some(due),
                session: Arc::clone(session),
                listener: Box::new(turn),
            });
            stall_without_thread(state, begun);
        }
        Player::Program { name } => ask_program(session, state, &name, due),
    }
}

/// Where a turn's search was refused a thread, nobody thinks: the page says why, and can ask again.
fn stall_without_thread(state: &mut GameState, begun: Result<(), NoThread>) {
    if let Err(why) = begun {
        state.thinking = None;
        state.stalled = true;
        state.notice = Some(why.to_string());
    }
}

/// Asks a program for its turn. It begins the turn anew where somebody else has begun it.
#[cfg(feature = "server")]
fn ask_program(session: &Arc<GameSession>, state: &mut GameState, name: &str, due: Instant) {
    while state.game.undo_step() {}
    let game: Box<dyn AnyGame> = state.game.copy();
    let place = &mut state.programs[game.side().index()];
    if place.is_none() {
        let Some(program) = session.room.opponents.program(name, game.variant()) else {
            return;
        };
        *place = Some(Arc::new(Mutex::new(program)));
    }
    let Some(program) = place.clone() else {
        return;
    };
    let mut turn = TurnSearch::begin(session, state);
    let (own, handle) = (Arc::clone(session), turn.handle.clone());
    let begun = session.room.run(Kind::Turn, &turn.handle.clone(), move || {
        own.surviving(|| {
            let mut program = locked(&program);
            turn.found = game.ask(&mut program, &handle.search);
            drop(program);
            own.room.rest_until(due, &handle.search);
            Box::new(turn).end();
        });
    });
    stall_without_thread(state, begun);
}

/// Without a server there are no programs.
#[cfg(not(feature = "server"))]
const fn ask_program(_: &Arc<GameSession>, _: &mut GameState, _: &str, _: Instant) {}

/// A turn that is being found, to be made in the end.
struct TurnSearch {
    session: Arc<GameSession>,
    handle: Handle,
    /// Its steps, as far as is known.
    found: Result<Vec<String>, NoTurn>,
}

impl TurnSearch {
    fn begin(session: &Arc<GameSession>, state: &mut GameState) -> Self {
        let handle = session.room.handle();
        state.thinking = Some(handle.clone());
        Self {
            session: Arc::clone(session),
            handle,
            found: Ok(Vec::new()),
        }
    }
}

impl Listener for TurnSearch {
    fn hear(&mut self, said: Said) {
        match said {
            Said::Best(steps) => self.found = Ok(steps),
            Said::Trouble(why) => self.found = Err(NoTurn::Trouble(why)),
            _ => {}
        }
    }

    fn end(self: Box<Self>) {
        let session = &self.session;
        let mut state = session.lock();
        session.check_clock(&mut state);
        if !self.handle.is_wanted() || state.end().is_some() {
            return;
        }
        state.thinking = None;
        let side = state.game.side();
        match self.found {
            Ok(steps) => {
                for step in steps {
                    if state.game.step(&step).is_err() {
                        break;
                    }
                }
                turn_made(&mut state, side);
            }
            Err(NoTurn::Resigns) => state.finish(End::resignation(side)),
            Err(NoTurn::Trouble(why)) => {
                state.stalled = true;
                state.notice = Some(why);
                session.noted(&mut state);
                return;
            }
        }
        session.changed(&mut state);
    }
}

/// A turn of this side is complete: the other clock runs.
pub(crate) fn turn_made(state: &mut GameState, side: fauve_engine::core::Color) {
    state.game.press_clock(side);
    state.notice = None;
}

/// Analyses the position that is wanted if somebody looks and the rules have not ended the game there.
pub(crate) fn analyse(session: &Arc<GameSession>, state: &mut GameState) {
    if !session.is_watched() {
        return;
    }
    let Some((wanted, running)) = &mut state.analysis else {
        return;
    };
    if running.is_some() {
        return;
    }
    let wanted = wanted.clone();
    let game = match &wanted.place {
        Some(place) => state.game.at(place),
        None => Ok(state.game.copy()),
    };
    session.put_lines(wanted.place.as_ref(), &[]);
    // A place that is no longer in the game has no position to search.
    let Some(game) = game.ok().filter(|game| !game.is_decided()) else {
        return;
    };
    let handle = session.room.handle();
    *running = Some(handle.clone());
    let begun = session.room.search(Search {
        kind: Kind::Analysis,
        handle: handle.clone(),
        game,
        task: Task::Analysis {
            lines: wanted.lines,
            threads: wanted.threads,
            hash: wanted.hash,
        },
        due: None,
        session: Arc::clone(session),
        listener: Box::new(AnalysisSearch {
            session: Arc::clone(session),
            handle,
            place: wanted.place,
            lines: vec![None; wanted.lines],
        }),
    });
    if let Err(why) = begun {
        state.analysis = None;
        state.notice = Some(why.to_string());
    }
}

/// An analysis that runs.
struct AnalysisSearch {
    session: Arc<GameSession>,
    handle: Handle,
    place: Option<Place>,
    /// What was found so far.
    lines: Vec<Option<Box<RawValue>>>,
}

impl Listener for AnalysisSearch {
    fn hear(&mut self, said: Said) {
        // Locked first, so that nothing is shown of an analysis that is stopped at this moment.
        let mut state = self.session.lock();
        if !self.handle.is_wanted() {
            return;
        }
        match said {
            Said::Line { number, line } => {
                if let Some(place) = self.lines.get_mut(number.wrapping_sub(1)) {
                    *place = Some(line);
                }
                self.session.put_lines(self.place.as_ref(), &self.lines);
            }
            Said::Trouble(why) => {
                state.analysis = None;
                state.notice = Some(why);
                self.session.noted(&mut state);
            }
            _ => {}
        }
    }
}

/// Assesses the game turn by turn, and writes beside the turns what was found.
pub(crate) fn review(session: &Arc<GameSession>, state: &mut GameState, nodes: u64) {
    state.stop_review();
    if nodes == 0 {
        return;
    }
    let handle = session.room.handle();
    state.review = Some(handle.clone());
    // The marks that stand beside the turns are an annotator's only without those of the assessment before.
    let before = std::mem::take(&mut state.assessed);
    state.game.remove_marks(&before);
    let game = state.game.copy();
    let turns = game.turns().len();
    let begun = session.room.search(Search {
        kind: Kind::Review,
        handle: handle.clone(),
        game,
        task: Task::Review { nodes },
        due: None,
        session: Arc::clone(session),
        listener: Box::new(ReviewSearch {
            session: Arc::clone(session),
            handle,
            turns,
        }),
    });
    if let Err(why) = begun {
        state.review = None;
        state.notice = Some(why.to_string());
    }
}

/// A game that is being assessed.
struct ReviewSearch {
    session: Arc<GameSession>,
    handle: Handle,
    /// How many turns it has.
    turns: usize,
}

impl Listener for ReviewSearch {
    fn hear(&mut self, said: Said) {
        let Said::Assessed { assessed, of, eval } = said else {
            return;
        };
        let mut state = self.session.lock();
        if !self.handle.is_wanted() {
            return;
        }
        let mut assessed = assessed.completed(of, eval);
        state.game.note_assessed(&mut assessed);
        state.assessed.push(assessed);
        let report = review::report(&state.assessed, state.game.turns());
        if let Some(assessed) = report.turns.last() {
            let sides = report.sides;
            self.session.tell("review", &Progress { assessed, sides });
        }
    }

    fn end(self: Box<Self>) {
        let mut state = self.session.lock();
        if !self.handle.is_wanted() {
            return;
        }
        state.review = None;
        state.game.show_turns();
        self.session.noted(&mut state);
        self.session.tell("reviewed", &self.turns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Games;
    use crate::room::EngineRoom;
    use crate::wire::{Analysis, NewGame};

    #[test]
    fn where_there_is_no_thread_nobody_seems_to_think() {
        let games = Games::new(EngineRoom::exhausted());
        let new: NewGame = serde_json::from_str(
            r#"{ "variant": "chess", "turns": ["e2e4"], "black": { "kind": "engine", "level": 1 } }"#,
        )
        .unwrap();
        let session = games.begin(&new).unwrap();
        let state = session.current_page_state();
        let why = NoThread.to_string();
        assert_eq!((state.thinking, state.stalled), (false, true));
        assert_eq!(state.notice.as_ref(), Some(&why));
        let _page = session.watch(|| {});
        let mut state = session.lock();
        state.notice = None;
        state.analysis = Some((Analysis::smallest(), None));
        analyse(&session, &mut state);
        assert!(state.analysis.is_none());
        assert_eq!(state.notice.take().as_ref(), Some(&why));
        review(&session, &mut state, 1);
        assert!(state.review.is_none());
        assert_eq!(state.notice.take(), Some(why));
    }
}
