//! The search of the deterministic games: iterative deepening over one window that narrows round the expected value.
//!
//! A turn may have several steps; the window is turned round only where the side to move changes, and depth counts
//! turns, so that the steps inside a turn cost nothing. Threads share the table alone (lazy SMP).

mod aspiration;
mod commuting;
mod cuts;
mod driver;
mod effort;
mod history;
mod line;
mod lurking;
mod mating;
mod node;
mod picker;
mod prologue;
mod quiescence;
mod reductions;
mod selective;
mod tag;
mod window;
mod worker;

pub use driver::MAX_DEPTH;
pub use worker::Searchable;

use super::control::Control;
use super::engine::Search;
use super::limits::{Limits, Settings};
#[cfg(feature = "tune")]
use super::parameters::Parameters;
use super::policy::{Full, Policy};
use super::report::{Answer, Bound, Info, Report, Score};
use super::strength::take_time;
use super::table::Table;
use super::time::Budget;
use super::value::ILLEGAL;
use super::watch::{Ends, Watch};
use crate::rules::{Chance, Draws, Game, Rules, Turn, has_turn, legal_steps};
use aspiration::aspire;
use driver::Driver;
use std::sync::RwLock;
use std::time::Instant;
use worker::Worker;

impl<G: Searchable> Search for G {
    fn search(
        game: &Game<G>,
        limits: &Limits<G>,
        settings: &Settings,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Report<G>),
    ) -> Answer<G> {
        search_with::<G, Full>(game, limits, settings, table, control, report)
    }

    #[cfg(feature = "tune")]
    fn parameters(settings: &Settings) -> Option<Parameters> {
        Some(settings.parameters.of::<G>())
    }
}

/// Searches a deterministic game with a choice of parts; [`Search::search`] has them all.
pub fn search_with<G: Searchable, P: Policy>(
    game: &Game<G>,
    limits: &Limits<G>,
    settings: &Settings,
    table: &Table,
    control: &Control,
    report: &mut dyn FnMut(Report<G>),
) -> Answer<G> {
    let start = Instant::now();
    let known = score_without_turn(game);
    // What was found at another strength must not help: a weakened search begins from nothing, each time.
    let own = settings.handicap.and_then(|_| Table::new(1).ok());
    let table = own.as_ref().unwrap_or(table);
    let answer = match known {
        Some(score) => answer_without_turn(score, start, table, report),
        None => think::<G, P>(game, limits, settings, table, control, report, start),
    };
    control.wait_for_release(limits.infinite, limits.ponder);
    if known.is_none() {
        take_time(game.position(), limits, settings, start, control);
    }
    answer
}

/// The score of a position in which there is no turn to give. Draws (by repetition, by a counter, of a dead position) do
/// not count: there a turn is still asked for, because who runs the game may not know of them.
fn score_without_turn<G: Draws + Chance>(game: &Game<G>) -> Option<Score> {
    let position = game.position();
    if let Some(winner) = position.decided() {
        return Some(Score::Mate(i32::from(winner == position.side_to_move())));
    }
    (!has_turn(position)).then(|| {
        if position.lost_without_turn() {
            Score::Mate(0)
        } else {
            Score::Cp(0)
        }
    })
}

/// What is known without a search, with the best play of both sides as far as it is known.
fn unsearched<G: Rules>(
    multipv: usize,
    score: Score,
    start: Instant,
    pv: Vec<Turn<G::Step>>,
) -> Info<G> {
    let depth = pv.len() as u32;
    Info {
        depth,
        seldepth: depth,
        multipv,
        score,
        bound: Bound::Exact,
        wdl: score.wdl(),
        win_chance: None,
        nodes: 0,
        time: start.elapsed(),
        hashfull: 0,
        pv,
    }
}

fn answer_without_turn<G: Rules>(
    score: Score,
    start: Instant,
    table: &Table,
    report: &mut dyn FnMut(Report<G>),
) -> Answer<G> {
    report(Report::Pv(Info {
        hashfull: table.hashfull(),
        ..unsearched(1, score, start, Vec::new())
    }));
    Answer {
        best: None,
        ponder: None,
        score,
        win_chance: None,
        nodes: 0,
    }
}

/// Sets the threads of a search to work and drives it to its end.
fn think<G: Searchable, P: Policy>(
    game: &Game<G>,
    limits: &Limits<G>,
    settings: &Settings,
    table: &Table,
    control: &Control,
    report: &mut dyn FnMut(Report<G>),
    start: Instant,
) -> Answer<G> {
    let handicap = settings.handicap;
    let threads = if handicap.is_some() {
        1
    } else {
        settings.threads.max(1)
    };
    let budget = limits
        .clock
        .map(|clock| Budget::new(&clock, settings.move_overhead));
    let maximum = budget.map(|budget| budget.maximum);
    let most_nodes = handicap.map(|handicap| handicap.nodes);
    let ends = Ends {
        nodes: limits.nodes.into_iter().chain(most_nodes).min(),
        time: limits.movetime.into_iter().chain(maximum).min(),
        cpu_time: limits.cputime,
        ponder: limits.ponder,
    };
    let watch = &Watch::new(control, start, threads, ends);
    let allowed = &allowed_turns(game, limits);
    if let Some(answer) = prologue::answer(game, allowed, settings, start, report) {
        return answer;
    }
    table.age();

    let gate = &RwLock::new(());
    // Threads that searched already would take the processors from the one that wakes the others.
    let waking = gate.write();
    let helpers = (1..threads).map(|id| {
        move || {
            drop(gate.read());
            help::<G, P>(game, settings, allowed, table, watch, id);
        }
    });
    table.crew().run(helpers, || {
        drop(waking);
        let mut worker = Worker::<G, P>::new(game, settings, table, watch, 0);
        worker.allowed.clone_from(allowed);
        worker.handicap = handicap;
        worker.report = Some(report);
        let answer = Driver::new(game, limits, settings, budget, worker).run(control);
        watch.stop();
        answer
    })
}

/// The `searchmoves` that some legal turn begins with; if there is none, no restriction.
fn allowed_turns<G: Draws + Chance>(game: &Game<G>, limits: &Limits<G>) -> Vec<Turn<G::Step>> {
    let mut allowed = limits.searchmoves.clone();
    allowed.retain(|prefix| {
        let mut position = *game.position();
        for (i, step) in prefix.iter().enumerate() {
            if i > 0 && !position.is_mid_turn() || !legal_steps(&position).contains(step) {
                return false;
            }
            position.play(*step);
        }
        true
    });
    allowed
}

/// What a helping thread does: deepen until it is stopped. It does not stay behind the main thread: what is left of an iteration that
/// is done teaches the next one little, where a thread at the same iteration shares its work.
fn help<G: Searchable, P: Policy>(
    game: &Game<G>,
    settings: &Settings,
    allowed: &[Turn<G::Step>],
    table: &Table,
    watch: &Watch,
    id: usize,
) {
    if watch.is_over() {
        return;
    }
    let mut worker = Worker::<G, P>::new(game, settings, table, watch, id);
    worker.allowed = allowed.to_vec();
    let (mut depth, mut value) = (1, 0);
    while depth <= MAX_DEPTH {
        worker.iteration = depth;
        worker.watch.help_with(depth);
        let found = aspire(&mut worker, game.position(), depth, value, |_, _, _| {});
        if worker.watch.stopped() {
            if watch.is_over() {
                break;
            }
        } else if found == ILLEGAL {
            break;
        } else {
            value = found;
            worker.hint = worker.root_line().to_vec();
        }
        depth = (depth + 1).max(watch.iteration());
    }
    worker.retire();
}
