//! The searches of a served game: the engine's turns, analysis, hints, and the assessment of a game.

use crate::play::{AnyGame, Line, NoTurn, PlayError, Think};
use crate::review::{self, Progress, Tried};
use crate::room::{Handle, Kind};
use crate::session::{GameSession, GameState};
use crate::view::{Arrow, Step};
use crate::wire::{Analysis, Hint, PEOPLE, Player};
use fauve_engine::search::{Control, Instant, Table as Transpositions};
use fauve_game::end::End;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
#[cfg(feature = "server")]
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Megabytes of the transposition table of a turn or a hint.
const HASH: usize = 16;
/// The least time between two turns of a game that the engine plays against itself, so that people can follow.
const PACE: Duration = Duration::from_millis(700);
/// The nodes of the search for a hint.
const HINT_NODES: u64 = 250_000;
/// The first and the longest piece of an analysis that has to be cut.
const FIRST_PIECE: Duration = Duration::from_millis(100);
const LONGEST_PIECE: Duration = Duration::from_secs(1);

/// Runs a search by and by. One that breaks down is reported to the pages.
fn spawn(
    seat: &Arc<GameSession>,
    handle: &Handle,
    kind: Kind,
    work: impl FnOnce(&Arc<GameSession>, &Handle) + Send + 'static,
) {
    let (own_seat, own_handle) = (Arc::clone(seat), handle.clone());
    seat.room.run(kind, handle, move || {
        let (seat, handle) = (own_seat, own_handle);
        let done = catch_unwind(AssertUnwindSafe(|| work(&seat, &handle)));
        if done.is_err() {
            let mut table = seat.table();
            table.notice = Some("The search broke down; please report the position.".to_owned());
            table.players = PEOPLE;
            table.analysis = None;
            table.thinking = None;
            seat.changed(&mut table);
        }
    });
}

/// Finds a turn, as steps; a search that is stopped gives what it has.
type FindTurn = Box<dyn FnOnce(&Control) -> Result<Vec<String>, NoTurn> + Send>;

/// How the side to move finds its turn; nothing where a person is to move.
fn finder(seat: &GameSession, table: &mut GameState) -> Option<FindTurn> {
    match table.to_move().clone() {
        Player::Human => None,
        Player::Engine { level } => {
            let game = table.game.copy();
            let clock = table.game.clock();
            let think = Think::Level(level, clock.map(|clock| clock.for_search(game.side())));
            Some(Box::new(move |control| {
                let table = Transpositions::new(HASH)
                    .map_err(|_| NoTurn::Trouble("There is no memory for a search.".to_owned()))?;
                Ok(game.search(think, &table, control, &mut |_| {}).0)
            }))
        }
        Player::Program { name } => program(seat, table, &name),
    }
}

/// How a program finds its turn. It begins the turn anew where somebody else has begun it.
#[cfg(feature = "server")]
fn program(seat: &GameSession, table: &mut GameState, name: &str) -> Option<FindTurn> {
    while table.game.undo_step() {}
    let game = table.game.copy();
    let place = &mut table.programs[game.side().index()];
    if place.is_none() {
        let program = seat.room.opponents.program(name, game.variant())?;
        *place = Some(Arc::new(Mutex::new(program)));
    }
    let program = place.clone()?;
    Some(Box::new(move |control| {
        let mut program = program.lock().unwrap_or_else(PoisonError::into_inner);
        game.ask(&mut program, control)
    }))
}

/// Without a server there are no programs.
#[cfg(not(feature = "server"))]
const fn program(_: &GameSession, _: &mut GameState, _: &str) -> Option<FindTurn> {
    None
}

/// Lets the engine or the program think that is to move.
pub(crate) fn play(seat: &Arc<GameSession>, table: &mut GameState) {
    if table.end().is_some() {
        table.dismiss();
        return;
    }
    if table.thinking.is_some() || table.stalled {
        return;
    }
    let alone = table.players.iter().all(|player| *player != Player::Human);
    if alone && !seat.is_watched() {
        return;
    }
    let Some(find) = finder(seat, table) else {
        return;
    };
    let handle = seat.room.handle();
    table.thinking = Some(handle.clone());
    let pause = if alone { PACE } else { seat.room.pause };
    let due = Instant::now() + pause;
    spawn(seat, &handle, Kind::Turn, move |seat, handle| {
        let found = find(&handle.search);
        seat.room.rest_until(due, &handle.search);
        let mut table = seat.table();
        table.tick();
        if !handle.is_wanted() || table.end().is_some() {
            return;
        }
        table.thinking = None;
        let side = table.game.side();
        match found {
            Ok(steps) => {
                for step in steps {
                    if table.game.step(&step).is_err() {
                        break;
                    }
                }
                turn_made(&mut table, side);
            }
            Err(NoTurn::Resigns) => table.finish(End::resignation(side)),
            Err(NoTurn::Trouble(why)) => {
                table.stalled = true;
                table.notice = Some(why);
                seat.noted(&mut table);
                return;
            }
        }
        seat.changed(&mut table);
    });
}

/// A turn of this side is complete: the other clock runs.
pub(crate) fn turn_made(table: &mut GameState, side: fauve_engine::core::Color) {
    table.game.press_clock(side);
    table.notice = None;
}

/// Analyses the position that is wanted if somebody looks and the rules have not ended the game there.
pub(crate) fn analyse(seat: &Arc<GameSession>, table: &mut GameState) {
    if !seat.is_watched() {
        return;
    }
    let Some((wanted, running)) = &mut table.analysis else {
        return;
    };
    if running.is_some() {
        return;
    }
    let wanted = wanted.clone();
    let place = wanted.place.clone();
    let game = match &place {
        Some(place) => table.game.at(place),
        None => Ok(table.game.copy()),
    };
    seat.put_lines(place.as_ref(), &[]);
    // A place that is no longer in the game has no position to search.
    let Some(game) = game.ok().filter(|game| !game.is_decided()) else {
        return;
    };
    let handle = seat.room.handle();
    *running = Some(handle.clone());
    spawn(seat, &handle, Kind::Analysis, move |seat, handle| {
        let Ok(transpositions) = Transpositions::new(wanted.hash) else {
            let mut table = seat.table();
            table.analysis = None;
            table.notice = Some(format!(
                "There is no memory for a table of {} megabytes.",
                wanted.hash
            ));
            seat.noted(&mut table);
            return;
        };
        let search = AnalysisSearch {
            lines: vec![None; wanted.lines],
            game,
            transpositions,
            wanted,
        };
        if seat.room.is_blocked_by_searches() {
            search.run_in_pieces(seat, handle, FIRST_PIECE);
        } else {
            search.run(seat, handle);
        }
    });
}

/// An analysis that runs.
struct AnalysisSearch {
    game: Box<dyn AnyGame>,
    wanted: Analysis,
    transpositions: Transpositions,
    /// What was found so far.
    lines: Vec<Option<Line>>,
}

impl AnalysisSearch {
    /// Searches until it is stopped.
    fn run(mut self, seat: &GameSession, handle: &Handle) {
        let think = Think::Endless {
            lines: self.wanted.lines,
            threads: self.wanted.threads,
        };
        self.search(think, seat, handle);
    }

    /// Searches for a while, lets the other searches and requests have their turn, and goes on for longer with what the table knows.
    fn run_in_pieces(mut self, seat: &Arc<GameSession>, handle: &Handle, time: Duration) {
        let think = Think::Piece {
            lines: self.wanted.lines,
            time,
        };
        self.search(think, seat, handle);
        if handle.is_wanted() {
            spawn(seat, handle, Kind::Analysis, move |seat, handle| {
                self.run_in_pieces(seat, handle, (time * 3 / 2).min(LONGEST_PIECE));
            });
        }
    }

    fn search(&mut self, think: Think, seat: &GameSession, handle: &Handle) {
        let Self {
            game,
            wanted,
            transpositions,
            lines,
        } = self;
        game.search(think, transpositions, &handle.search, &mut |line| {
            if !handle.is_wanted() {
                return;
            }
            if let Some(place) = lines.get_mut(line.number - 1) {
                // A piece of an analysis begins with what the one before has found long ago.
                if place.as_ref().is_some_and(|known| known.depth > line.depth) {
                    return;
                }
                *place = Some(line);
            }
            seat.put_lines(wanted.place.as_ref(), lines);
        });
    }
}

/// Assesses the game turn by turn, and writes beside the turns what was found.
pub(crate) fn review(seat: &Arc<GameSession>, table: &mut GameState, nodes: u64) {
    table.stop_review();
    if nodes == 0 {
        return;
    }
    let handle = seat.room.handle();
    table.review = Some(handle.clone());
    table.assessed.clear();
    let game = table.game.copy();
    let turns = if seat.room.is_blocked_by_searches() {
        1
    } else {
        game.turns().len()
    };
    review_from(seat, &handle, game, nodes, 0, turns);
}

/// Assesses a number of turns, and then as many more, until all are done.
fn review_from(
    seat: &Arc<GameSession>,
    handle: &Handle,
    game: Box<dyn AnyGame>,
    nodes: u64,
    first: usize,
    count: usize,
) {
    spawn(seat, handle, Kind::Review, move |seat, handle| {
        let turns = first..first + count;
        game.review(turns.clone(), nodes, &handle.search, &mut |assessed| {
            let mut table = seat.table();
            if !handle.is_wanted() {
                return;
            }
            table.game.note_assessed(assessed.turn, &assessed);
            table.assessed.push(assessed);
            let report = review::report(&table.assessed, table.game.turns());
            if let Some(assessed) = report.turns.last() {
                let sides = report.sides;
                seat.tell("review", &Progress { assessed, sides });
            }
        });
        if !handle.is_wanted() {
            return;
        }
        if turns.end < game.turns().len() {
            review_from(seat, handle, game, nodes, turns.end, count);
            return;
        }
        let mut table = seat.table();
        table.review = None;
        table.game.show_turns();
        seat.noted(&mut table);
        seat.tell("reviewed", &game.turns().len());
    });
}

/// What the engine would play; waits for it.
pub(crate) fn hint(seat: &GameSession, game: &dyn AnyGame) -> Option<Hint> {
    let mut best: Option<Line> = None;
    let (steps, white) = seat.room.now(|control| {
        let transpositions = Transpositions::new(HASH).ok()?;
        let think = Think::Nodes(HINT_NODES);
        Some(game.search(think, &transpositions, control, &mut |line| {
            best = Some(line);
        }))
    })??;
    let line = best?;
    let turn = line.turns.first()?;
    Some(Hint {
        steps,
        san: turn.san.clone(),
        score: line.score.clone(),
        white,
        arrows: arrows(&turn.steps),
    })
}

/// What a turn is worth beside the best one; waits for the searches.
pub(crate) fn weigh(
    seat: &GameSession,
    game: &dyn AnyGame,
    turn: &str,
    nodes: u64,
) -> Result<Option<Tried>, PlayError> {
    let weighed = seat.room.now(|control| game.weigh(turn, nodes, control));
    weighed.unwrap_or(Ok(None))
}

/// The arrows of steps that go from one square to another.
fn arrows(steps: &[Step]) -> Vec<Arrow> {
    steps
        .iter()
        .filter_map(|step| Some([step.from.clone()?, step.to.clone()?]))
        .collect()
}

/// Whether the engine accepts a draw. Waits for a short search.
pub(crate) fn accepts_draw(
    seat: &GameSession,
    game: &dyn AnyGame,
    engine: fauve_engine::core::Color,
) -> bool {
    let answer = |control: &Control| {
        Transpositions::new(HASH).is_ok_and(|table| game.accepts_draw(engine, &table, control))
    };
    seat.room.now(answer).unwrap_or(false)
}
