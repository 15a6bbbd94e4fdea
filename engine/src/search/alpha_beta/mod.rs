//! Search of the deterministic games: iterative deepening with principal variation search
//! (<https://www.chessprogramming.org/Principal_Variation_Search>) and aspiration windows (<https://www.chessprogramming.org/Aspiration_Windows>).
//!
//! A turn may have several steps. The window is negated only where the side to move changes, and depth counts turns, so
//! that the steps within a turn use up no depth. Threads share the table (lazy SMP, <https://www.chessprogramming.org/Lazy_SMP>); an
//! iteration ends for all threads once one has finished it.

mod aspiration;
mod cuts;
mod driver;
mod history;
mod line;
mod mating;
mod node;
mod past;
mod picker;
mod prologue;
mod quiescence;
mod reductions;
mod reply;
mod root_node_counts;
mod selective;
mod shared_iteration;
mod tt_move;
mod twomove;
mod unfinished;
mod window;
mod worker;

pub use driver::MAX_DEPTH;
pub use worker::Searchable;

use super::clock::{SearchClock, StopConditions};
use super::engine::{Search, Searcher};
use super::limits::{Limits, Settings};
#[cfg(feature = "tune")]
use super::parameters::Parameters;
use super::policy::{Full, Policy};
use super::report::{Answer, Bound, Info, Report, Score};
use super::strength::{deepest, take_time};
use super::table::Table;
use super::time::Budget;
use super::value::ILLEGAL;
use crate::eval::Evaluate;
use crate::rules::{Chance, Draws, Game, Turn, legal_steps};
use crate::search::Instant;
use aspiration::aspiration_search;
use driver::Driver;
use line::Line;
use shared_iteration::SharedIteration;
use std::sync::RwLock;
use worker::Worker;

impl<G: Searchable> Search for G {
    fn search(
        searcher: Searcher<'_>,
        game: &Game<G>,
        limits: &Limits<G>,
        report: &mut dyn FnMut(Report<G>),
    ) -> Answer<G> {
        searcher.run_with::<G, Full>(game, limits, report)
    }

    #[cfg(feature = "tune")]
    fn parameters(settings: &Settings) -> Option<Parameters> {
        Some(settings.parameters.of::<G>())
    }
}

impl Searcher<'_> {
    /// [`Searcher::run`] of a deterministic game under the policy `P`, compiled where it is called.
    pub fn run_with<G: Searchable, P: Policy>(
        self,
        game: &Game<G>,
        limits: &Limits<G>,
        report: &mut dyn FnMut(Report<G>),
    ) -> Answer<G> {
        let start = Instant::now();
        let known = score_without_turn(game);
        // A weakened search starts with an empty table each time: results found at another strength would raise its own.
        let own = self
            .settings
            .strength_limit
            .and_then(|_| Table::new(1).ok());
        let table = own.as_ref().unwrap_or(self.table);
        let searcher = Searcher::new(table, self.settings, self.control);
        let answer = match known {
            Some(score) => answer_without_turn(score, start, table, report),
            None => searcher.search_root::<G, P>(game, limits, report, start),
        };
        self.control
            .wait_for_release(limits.infinite, limits.ponder);
        if known.is_none() {
            take_time(game.position(), limits, self.settings, start, self.control);
        }
        answer
    }

    /// Starts the threads of a search and drives it to its end.
    fn search_root<G: Searchable, P: Policy>(
        self,
        game: &Game<G>,
        limits: &Limits<G>,
        report: &mut dyn FnMut(Report<G>),
        start: Instant,
    ) -> Answer<G> {
        let Self {
            table,
            settings,
            control,
        } = self;
        let strength_limit = settings.strength_limit;
        let threads = if strength_limit.is_some() {
            1
        } else {
            settings.threads.max(1)
        };
        let budget = limits
            .clock
            .map(|clock| Budget::new(&clock, settings.move_overhead));
        let maximum = budget.map(|budget| budget.maximum);
        let ends = StopConditions::of(limits, strength_limit.as_ref(), maximum);
        let clock = &SearchClock::new(control, start, threads, ends);
        let allowed = &allowed_turns(game, limits);
        if let Some(answer) = prologue::answer(game, allowed, settings, start, report) {
            return answer;
        }
        table.age();

        let team = &Team {
            game,
            limits,
            settings,
            allowed,
            table,
            clock,
            shared: &SharedIteration::new(clock),
        };
        let gate = &RwLock::new(());
        // Helpers wait until all of them are awake: threads that already search would take the processors from the waking
        // thread.
        let waking = gate.write();
        let helpers = (1..threads).map(|id| {
            move || {
                drop(gate.read());
                team.help::<P>(id);
            }
        });
        table.pool().run(helpers, || {
            drop(waking);
            let _guard = clock.stop_on_panic();
            let mut worker = team.worker::<P>(0);
            worker.strength_limit = strength_limit;
            worker.report = Some(report);
            let answer = Driver::new(team, budget, worker).run(control);
            clock.stop();
            answer
        })
    }
}

/// The score of a position without a turn to play; `None` where there is one. Draws (by repetition, by a counter, of a dead
/// position) do not count: the caller may not detect them and still needs a turn.
fn score_without_turn<G: Draws + Chance>(game: &Game<G>) -> Option<Score> {
    let position = game.position();
    if let Some(winner) = position.winner() {
        return Some(Score::Mate(i32::from(winner == position.side_to_move())));
    }
    (!position.has_turn()).then(|| {
        if position.lost_without_turn() {
            Score::Mate(0)
        } else {
            Score::Cp(0)
        }
    })
}

/// Report of a line that was found without search (a forced or recorded line); its depth is its length.
fn info_without_search<G: Evaluate>(
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
        wdl: score.wdl(G::WIN_CURVE),
        win_chance: None,
        nodes: 0,
        time: start.elapsed(),
        hashfull: 0,
        pv,
    }
}

fn answer_without_turn<G: Evaluate>(
    score: Score,
    start: Instant,
    table: &Table,
    report: &mut dyn FnMut(Report<G>),
) -> Answer<G> {
    report(Report::Pv(Info {
        hashfull: table.hashfull(),
        ..info_without_search(1, score, start, Vec::new())
    }));
    Answer {
        best: None,
        ponder: None,
        score,
        bound: Bound::Exact,
        win_chance: None,
        nodes: 0,
    }
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

/// State that the threads of a search share.
struct Team<'a, G: Searchable> {
    game: &'a Game<G>,
    limits: &'a Limits<G>,
    settings: &'a Settings,
    allowed: &'a [Turn<G::Step>],
    table: &'a Table,
    clock: &'a SearchClock<'a>,
    shared: &'a SharedIteration<'a, G::Step>,
}

impl<'a, G: Searchable> Team<'a, G> {
    fn worker<P: Policy>(&self, id: usize) -> Worker<'a, G, P> {
        let mut worker = Worker::new(self.game, self.settings, self.table, self.clock, id);
        worker.allowed = self.allowed.to_vec();
        worker
    }

    /// Main loop of a helper thread: deepens until it is stopped. When another thread has finished the iteration, the
    /// helper joins the next one, because the rest of a finished iteration gains little while threads at the same iteration
    /// share their work. An iteration that a helper finishes first is finished for all, except in multi-PV search.
    fn help<P: Policy>(&self, id: usize) {
        let Self { clock, shared, .. } = *self;
        if clock.is_over() {
            return;
        }
        let position = self.game.position();
        let deepest = deepest(self.limits, self.settings, position.key(), MAX_DEPTH);
        let mut worker = self.worker::<P>(id);
        let mut value = 0;
        let mut depth = 1;
        while depth <= deepest {
            worker.iteration = depth;
            worker.clock.begin(depth);
            let found = aspiration_search(&mut worker, position, depth, value, |_, _, _| {});
            if worker.clock.stopped() {
                if clock.is_over() {
                    break;
                }
            } else if found == ILLEGAL {
                break;
            } else {
                value = found;
                let steps = worker.root_line().to_vec();
                let line = Line::exact(value, depth, steps);
                if self.settings.multi_pv <= 1 {
                    shared.publish(&line);
                }
                worker.previous_pv = line.steps;
            }
            if let Some(line) = shared.take(depth) {
                (depth, value) = (line.depth, line.value);
                worker.previous_pv = line.steps;
            }
            depth += 1;
        }
        worker.save_history();
    }
}
