//! Search of DiceChess: expectimax with Star1 and Star2 bounds.
//!
//! Values are winning probabilities in fixed point, with the tight bounds 0 and 1, so that a chance node is cut off as soon
//! as the bounds of its rolls put it outside the window: Star1 (Ballard, "The *-minimax search procedure for trees
//! containing chance nodes", Artificial Intelligence 21, 1983). One good reply to each roll, remembered from sibling nodes,
//! bounds most nodes before any turn is generated (Star2). Rolls that differ only in dice that cannot be used are merged.
//! Depth counts turns. Rolls that capture the king are computed in advance and count as 1.
//!
//! At the root and below every roll, the distinct results of a turn are searched, not its ordered lines. The leaves below a
//! roll are visited in the order of an upper bound (the network's score alone, as if the opponent's next roll could not
//! capture the king), which spares most of them the expensive part of the evaluation.

mod bounds;
mod doubling;
mod driver;
mod iteration;
mod memory;
mod player;
mod replies;
mod rollout;
mod star;
mod worker;

#[cfg(test)]
mod tests;

use super::clock::{SearchClock, StopConditions};
use super::engine::{Search, Searcher};
use super::limits::{Limits, Settings};
#[cfg(feature = "tune")]
use super::parameters::Parameters;
use super::report::{Answer, Bound, Info, Report, Score};
use super::strength::{self, take_time};
use super::table::Table;
use super::time::Budget;
use crate::eval::dice::{CERTAIN, DiceEvaluator, centipawns, chance_of};
use crate::rules::dice::{DiceChess, Step};
use crate::rules::{Chance, Game, Rules, Turn};
use crate::search::Instant;
use driver::Driver;
use std::sync::Arc;
use worker::Worker;

pub use doubling::{Cube, Equities, chance_before_roll};
pub use rollout::{Estimate, Rollout};

/// Greatest iteration depth, in turns.
const MAX_DEPTH: u32 = 32;

impl Search for DiceChess {
    fn search(
        searcher: Searcher<'_>,
        game: &Game<Self>,
        limits: &Limits<Self>,
        report: &mut dyn FnMut(Report<Self>),
    ) -> Answer<Self> {
        let Searcher {
            table,
            settings,
            control,
        } = searcher;
        let start = Instant::now();
        table.age();
        let strength_limit = settings.strength_limit;
        let threads = if strength_limit.is_some() {
            1
        } else {
            settings.threads.clamp(1, 256)
        };
        let budget = limits
            .clock
            .map(|clock| Budget::new(&clock, settings.move_overhead).optimum);
        let ends = StopConditions::of(limits, strength_limit.as_ref(), budget);
        let clock = &SearchClock::new(control, start, threads, ends);
        let clock_draw = game.options().clock_draw;
        // A weakened engine does not use endgame tables.
        let endgames = settings
            .endgames
            .as_ref()
            .filter(|_| strength_limit.is_none());
        let network = DiceEvaluator::network(settings.network.as_ref());
        let worker = |id| {
            let network = Arc::clone(&network);
            Worker::new(
                table,
                clock,
                id,
                strength_limit,
                clock_draw,
                endgames,
                network,
            )
        };
        let position = game.position();
        let answer = if let Some(winner) = position.winner() {
            let wins = winner == position.side_to_move();
            let value = if wins { CERTAIN } else { 0 };
            let score = Score::Mate(i32::from(wins));
            answer_without_turn(0, score, value, table, clock, report)
        } else if position.awaits_roll() {
            let worker = worker(0);
            expectation(position, limits, settings, worker, table, clock, report)
        } else {
            let workers = (0..threads).map(worker).collect();
            Driver::new(*position, limits, settings, table, clock, workers, report).run()
        };
        control.wait_for_release(limits.infinite, limits.ponder);
        if answer.best.is_some() {
            take_time(position, limits, settings, start, control);
        }
        answer
    }

    #[cfg(feature = "tune")]
    fn parameters(_settings: &Settings) -> Option<Parameters> {
        None
    }
}

/// The chances to win, draw and lose, per mille.
fn wdl(value: i32) -> [u16; 3] {
    let win = (probability(value) * 1000.0).round() as u16;
    [win, 0, 1000 - win]
}

/// Converts a search value to a probability, 0 to 1.
fn probability(value: i32) -> f64 {
    f64::from(value) / f64::from(CERTAIN)
}

/// Reports and answers a position without a turn to play.
fn answer_without_turn(
    depth: u32,
    score: Score,
    value: i32,
    table: &Table,
    clock: &SearchClock,
    report: &mut dyn FnMut(Report<DiceChess>),
) -> Answer<DiceChess> {
    let nodes = clock.nodes();
    let win_chance = Some(probability(value));
    report(Report::Pv(Info {
        depth,
        seldepth: depth,
        multipv: 1,
        score,
        bound: Bound::Exact,
        wdl: wdl(value),
        win_chance,
        nodes,
        time: clock.elapsed(),
        hashfull: table.hashfull(),
        pv: Vec::new(),
    }));
    Answer {
        best: None,
        ponder: None,
        score,
        bound: Bound::Exact,
        win_chance,
        nodes,
    }
}

/// Greatest iteration depth of a search with these limits in the position with this key.
fn deepest(limits: &Limits<DiceChess>, settings: &Settings, key: u64) -> u32 {
    let deepest = strength::deepest(limits, settings, key, MAX_DEPTH);
    // Only the capture of a king in this turn is ever proven.
    limits.mate.map_or(deepest, |mate| {
        deepest.min(mate.saturating_mul(2).saturating_sub(1).max(1))
    })
}

/// The value of a position that awaits its roll: the mean over the 216 throws.
fn expectation(
    position: &DiceChess,
    limits: &Limits<DiceChess>,
    settings: &Settings,
    mut worker: Worker,
    table: &Table,
    clock: &SearchClock,
    report: &mut dyn FnMut(Report<DiceChess>),
) -> Answer<DiceChess> {
    report(Report::Message(
        "no dice given: expectation over all rolls".to_owned(),
    ));
    let mut value = worker.chance(position, 0, -1, CERTAIN + 1);
    if worker.clock.stopped() {
        value = chance_of(worker.network.evaluate(position));
    }
    let mut reached = 0;
    let mut rolls = Vec::new();
    // With a clock there is no turn to find.
    let deepest = match (limits.depth, limits.clock) {
        (None, Some(_)) => 1,
        _ => deepest(limits, settings, position.key()),
    };
    for depth in 1..=deepest {
        worker.selective = depth > 2;
        let Some(found) = each_roll(&mut worker, position, depth) else {
            break;
        };
        let sum = |(weight, value, _): &(u32, i32, _)| i64::from(*weight) * i64::from(*value);
        value = (found.iter().map(sum).sum::<i64>() / 216) as i32;
        (reached, rolls) = (depth, found);
    }
    for (&(roll, _), (weight, value, turn)) in DiceChess::rolls().iter().zip(rolls) {
        report(Report::Roll {
            roll,
            weight,
            win_chance: probability(value),
            turn,
        });
    }
    worker.clock.publish();
    let score = Score::Cp(centipawns(value));
    answer_without_turn(reached, score, value, table, clock, report)
}

/// Weight, value and best turn of each of the 56 rolls, searched `depth` turns deep; `None` when the search is over before
/// that.
fn each_roll(
    worker: &mut Worker,
    position: &DiceChess,
    depth: u32,
) -> Option<Vec<(u32, i32, Turn<Step>)>> {
    DiceChess::rolls()
        .iter()
        .map(|&(roll, weight)| {
            let (value, found, memory) = worker.best_turn(position, roll, depth)?;
            let mut rolled = *position;
            rolled.set_roll(roll);
            Some((weight, value, memory.walker.turn(&rolled, &found)))
        })
        .collect()
}
