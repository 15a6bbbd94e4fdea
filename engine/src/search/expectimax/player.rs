//! A player for whole games inside the engine: searches turns without limits and reports.

use super::probability;
use super::worker::Worker;
use crate::eval::dice::endgames::Endgames;
use crate::eval::dice::{CERTAIN, DiceEvaluator};
use crate::rules::Roll;
use crate::rules::dice::DiceChess;
use crate::search::Instant;
use crate::search::clock::{SearchClock, StopConditions};
use crate::search::control::Control;
use crate::search::table::Table;
use std::collections::TryReserveError;

/// Plays turns at a fixed depth with one thread.
pub struct Player<'a>(Worker<'a>);

impl Player<'_> {
    /// Calls a function with a player, whose small table is dropped afterwards.
    ///
    /// # Errors
    /// If the table's memory cannot be allocated.
    pub fn with<T>(
        control: &Control,
        endgames: Option<&Endgames>,
        clock_draw: bool,
        work: impl FnOnce(&mut Player<'_>) -> T,
    ) -> Result<T, TryReserveError> {
        let network = DiceEvaluator::network(None);
        let table = Table::new(1)?;
        let clock = SearchClock::new(control, Instant::now(), 1, StopConditions::default());
        let worker = Worker::new(&table, &clock, 0, None, clock_draw, endgames, network);
        Ok(work(&mut Player(worker)))
    }

    /// Winning probability, 0 to 1, of the side that rolls next, by the evaluation.
    pub fn chance(&mut self, position: &DiceChess) -> f64 {
        probability(self.0.chance(position, 0, -1, CERTAIN + 1))
    }

    /// The position after the best turn with a roll; after some legal turn if the search is stopped.
    pub fn play(&mut self, position: &DiceChess, roll: Roll, depth: u32) -> DiceChess {
        if let Some((_, found, memory)) = self.0.best_turn(position, roll, depth.max(1)) {
            return memory.walker.position(&found);
        }
        let mut next = *position;
        next.skip_turn();
        next
    }
}
