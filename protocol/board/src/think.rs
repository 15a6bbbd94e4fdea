//! The searches of a served game, each on a thread of its own: the engine's turns, analysis, hints, and the assessment of a
//! game.

use crate::play::{AnyGame, Line, Think};
use crate::session::{GameSession, GameState};
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
/// The nodes of the search for a hint.
const HINT_NODES: u64 = 250_000;

/// Runs a search on a thread, once there is a place for it. One that breaks down is told to the pages.
fn spawn(
    seat: &Arc<GameSession>,
    control: &Arc<Control>,
    work: impl FnOnce(&Arc<GameSession>, &Control) + Send + 'static,
) {
    let (seat, control) = (Arc::clone(seat), Arc::clone(control));
    let run = move || {
        let slots = Arc::clone(&seat.slots);
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
    table.thinking = Some(Arc::clone(&control));
    let game = table.game.copy();
    let version = table.version;
    let clock = table
        .game
        .clock()
        .map(|clock| clock.for_search(game.side()));
    let partial_turn = Instant::now();
    spawn(seat, &control, move |seat, control| {
        let Ok(transpositions) = Transpositions::new(HASH) else {
            return;
        };
        let think = Think::Level(level, clock);
        let (steps, _) = game.search(think, &transpositions, control, &mut |_| {});
        if alone {
            while partial_turn.elapsed() < PACE && !control.is_stopped() {
                thread::sleep(Duration::from_millis(10));
            }
        }
        let mut table = seat.table();
        table.tick();
        if table.version != version || control.is_stopped() || table.end().is_some() {
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

/// Analyses the position if that is wanted and somebody looks.
pub(crate) fn analyse(seat: &Arc<GameSession>, table: &mut GameState) {
    if table.end().is_some() || !seat.is_watched() {
        return;
    }
    let Some((wanted, running)) = &mut table.analysis else {
        return;
    };
    if running.is_some() {
        return;
    }
    let control = Arc::new(Control::default());
    *running = Some(Arc::clone(&control));
    let wanted = *wanted;
    let game = table.game.copy();
    seat.put_lines(&[]);
    spawn(seat, &control, move |seat, control| {
        let Ok(transpositions) = Transpositions::new(wanted.hash) else {
            let mut table = seat.table();
            table.analysis = None;
            table.notice = Some(format!(
                "There is no memory for a table of {} megabytes.",
                wanted.hash
            ));
            seat.changed(&mut table);
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
            seat.put_lines(&lines);
        });
    });
}

/// Assesses the game turn by turn.
pub(crate) fn review(seat: &Arc<GameSession>, table: &mut GameState, nodes: u64) {
    table.stop_review();
    if nodes == 0 {
        return;
    }
    let control = Arc::new(Control::default());
    table.review = Some(Arc::clone(&control));
    let game = table.game.copy();
    spawn(seat, &control, move |seat, control| {
        game.review(nodes, control, &mut |assessed| {
            seat.tell("review", &assessed);
        });
        if !control.is_stopped() {
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
