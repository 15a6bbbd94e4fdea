//! A player of whole games inside of the engine: the search of a turn without limits and reports.

use super::probability;
use super::worker::Worker;
use crate::eval::dice::{CERTAIN, DiceEvaluator};
use crate::eval::endgames::Endgames;
use crate::rules::Roll;
use crate::rules::dice::DiceChess;
use crate::search::Instant;
use crate::search::clock::{SearchClock, StopConditions};
use crate::search::control::Control;
use crate::search::table::Table;
use std::collections::TryReserveError;

/// Plays turns of fixed depth with one thread.
pub struct Player<'a>(Worker<'a>);

impl Player<'_> {
    /// Does something with a player, whose table is small and forgotten afterwards.
    ///
    /// # Errors
    /// When there is no memory for the table.
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

    /// The chance to win, 0 to 1, of the side that rolls next, as the evaluation sees it.
    pub fn chance(&mut self, position: &DiceChess) -> f64 {
        probability(self.0.chance(position, 0, -1, CERTAIN + 1))
    }

    /// The position after the best turn with a roll. After a stop some turn.
    pub fn play(&mut self, position: &DiceChess, roll: Roll, depth: u32) -> DiceChess {
        if let Some((_, found, memory)) = self.0.best_turn(position, roll, depth.max(1)) {
            return memory.walker.position(&found);
        }
        let mut next = *position;
        next.skip_turn();
        next
    }
}
