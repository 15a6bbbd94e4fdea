//! The searches of a served game, each on a thread of its own: the engine's turns, analysis, hints, and the assessment of a
//! game.

use crate::play::{AnyGame, Line, Think};
use crate::session::{GameSession, GameState, Thinking};
use crate::view::{Arrow, Step};
use crate::wire::{Hint, Player};
use fauve_engine::search::{Control, Table as Transpositions};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Megabytes of the transposition table of a turn or a hint.
const HASH: usize = 16;
/// The least time between two turns of a game that the engine plays against itself, so that people can follow.
const PACE: Duration = Duration::from_millis(700);
/// How often a turn that is being computed is asked whether it is wanted still.
const TICK: Duration = Duration::from_millis(10);
/// The nodes of the search for a hint.
const HINT_NODES: u64 = 250_000;

/// What a search is for. Both have places of their own: pages that analyse for hours do not keep games from being played.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A turn of the engine.
    Turn,
    /// An analysis or assessment.
    Analysis,
}

/// Runs a search on a thread, once there is a place for it. One that breaks down is reported to the pages.
fn spawn(
    seat: &Arc<GameSession>,
    control: &Arc<Control>,
    kind: Kind,
    work: impl FnOnce(&Arc<GameSession>, &Control) + Send + 'static,
) {
    let (seat, control) = (Arc::clone(seat), Arc::clone(control));
    let run = move || {
        let slots = match kind {
            Kind::Turn => Arc::clone(&seat.slots),
            Kind::Analysis => Arc::clone(&seat.analysis_slots),
        };
        let Some(_slot) = slots.wait(&control) else {
            return;
        };
        let done = catch_unwind(AssertUnwindSafe(|| work(&seat, &control)));
        if done.is_err() {
            let mut table = seat.table();
            table.notice = Some("The search broke down; please report the position.".to_owned());
            table.players = [Player::Human; 2];
            table.analysis = None;
            table.thinking = None;
            seat.changed(&mut table);
        }
    };
    // Without a thread there is no search; the page can ask again.
    let _ = thread::Builder::new().name("search".to_owned()).spawn(run);
}

/// Lets the engine think if it is to move.
pub(crate) fn play(seat: &Arc<GameSession>, table: &mut GameState) {
    let Player::Engine { level } = table.to_move() else {
        return;
    };
    if table.thinking.is_some() || table.end().is_some() {
        return;
    }
    let alone = table.players.iter().all(|player| *player != Player::Human);
    if alone && !seat.is_watched() {
        return;
    }
    let control = Arc::new(Control::default());
    let thinking = Thinking {
        control: Arc::clone(&control),
        search: Arc::default(),
    };
    let search = Arc::clone(&thinking.search);
    table.thinking = Some(thinking);
    let game = table.game.copy();
    let clock = table
        .game
        .clock()
        .map(|clock| clock.for_search(game.side()));
    let pause = if alone { PACE } else { seat.pause };
    let begun = Instant::now();
    spawn(seat, &control, Kind::Turn, move |seat, control| {
        let Ok(transpositions) = Transpositions::new(HASH) else {
            return;
        };
        let think = Think::Level(level, clock);
        let (steps, _) = game.search(think, &transpositions, &search, &mut |_| {});
        while begun.elapsed() < pause && !search.is_stopped() {
            thread::sleep(TICK);
        }
        let mut table = seat.table();
        table.tick();
        if control.is_stopped() || table.end().is_some() {
            return;
        }
        table.thinking = None;
        let side = table.game.side();
        for step in steps {
            if table.game.step(&step).is_err() {
                break;
            }
        }
        turn_made(&mut table, side);
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
    let control = Arc::new(Control::default());
    *running = Some(Arc::clone(&control));
    spawn(seat, &control, Kind::Analysis, move |seat, control| {
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
        let mut lines: Vec<Option<Line>> = vec![None; wanted.lines];
        let think = Think::Endless {
            lines: wanted.lines,
            threads: wanted.threads,
        };
        game.search(think, &transpositions, control, &mut |line| {
            if control.is_stopped() {
                return;
            }
            if let Some(place) = lines.get_mut(line.number - 1) {
                *place = Some(line);
            }
            seat.put_lines(place.as_ref(), &lines);
        });
    });
}

/// Assesses the game turn by turn, and writes beside the turns what was found.
pub(crate) fn review(seat: &Arc<GameSession>, table: &mut GameState, nodes: u64) {
    table.stop_review();
    if nodes == 0 {
        return;
    }
    let control = Arc::new(Control::default());
    table.review = Some(Arc::clone(&control));
    let game = table.game.copy();
    spawn(seat, &control, Kind::Analysis, move |seat, control| {
        game.review(nodes, control, &mut |assessed| {
            let mut table = seat.table();
            if control.is_stopped() {
                return;
            }
            table.game.note_assessed(assessed.turn, &assessed);
            drop(table);
            seat.tell("review", &assessed);
        });
        if !control.is_stopped() {
            let mut table = seat.table();
            table.review = None;
            table.game.show_turns();
            seat.noted(&mut table);
            seat.tell("reviewed", &game.turns().len());
        }
    });
}

/// What the engine would play; waits for it.
pub(crate) fn hint(seat: &GameSession, game: &dyn AnyGame) -> Option<Hint> {
    let control = Control::default();
    let _slot = seat.slots.wait(&control)?;
    let transpositions = Transpositions::new(HASH).ok()?;
    let mut best: Option<Line> = None;
    let think = Think::Nodes(HINT_NODES);
    let (steps, white) = game.search(think, &transpositions, &control, &mut |line| {
        best = Some(line);
    });
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
    let control = Control::default();
    let Some(_slot) = seat.slots.wait(&control) else {
        return false;
    };
    Transpositions::new(HASH).is_ok_and(|table| game.accepts_draw(engine, &table, &control))
}
