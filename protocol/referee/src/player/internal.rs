//! The player that lives in this process: the engine's library, asked without a protocol. Players with different
//! settings, networks or (with the cargo feature `tune`) parameters of the search meet each other at the speed of the
//! search alone, one thread a game, and count what they may spend in nodes or in processor time.

use crate::player::failure::Failure;
use crate::player::group;
use crate::player::moment::Moment;
use crate::player::move_request::{Doubling, MoveReply, MoveRequest, Player};
use crate::record::game::Bound;
use fauve_engine::core::Color;
use fauve_engine::eval;
use fauve_engine::rules::{panic_text, turn_token};
use fauve_engine::search::{
    self, Clock, Control, Engine, Info, Limits, Report, Score, Searcher, Settings, Table,
    chance_before_roll, thread_time,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// What such a player is set to.
#[derive(Clone, PartialEq, Debug)]
pub struct Configuration {
    /// The settings of its searches.
    pub settings: Settings,
    /// The size of its table, in megabytes.
    pub hash: usize,
}

/// A player in this process, with a table of its own.
#[derive(Debug)]
pub struct Internal {
    settings: Settings,
    table: Table,
}

impl Internal {
    /// A player of a configuration.
    ///
    /// # Errors
    /// When there is no memory for its table.
    pub fn start(configuration: &Configuration) -> Result<Self, Failure> {
        let hash = configuration.hash;
        let table = Table::new(hash)
            .map_err(|error| Failure::Unfit(format!("its Hash of {hash} MB: {error}")))?;
        Ok(Self {
            settings: Settings {
                always_reply: false,
                ..configuration.settings.clone()
            },
            table,
        })
    }
}

impl<G: Engine> Player<G> for Internal {
    fn new_game(&mut self) -> Result<(), Failure> {
        eval::load::<G>();
        self.table.clear_mut();
        Ok(())
    }

    fn think(&mut self, request: &MoveRequest<'_, G>) -> Result<MoveReply, Failure> {
        let limits = limits(request);
        let mut thought = MoveReply::default();
        let mut listen = |report: Report<G>| {
            if let Report::Pv(info) = report
                && info.multipv == 1
            {
                thought.update(of_line(&info));
            }
        };
        // Asking for processor time is a call of the system: only where that is what counts.
        let cpu_begin = request.limit.cputime.map(|_| thread_time());
        let begin = Moment::now();
        let answer = guarded(|| {
            // It ends with the match, as programs do.
            let control = Control::asking(group::is_stopping);
            let (settings, table) = (&self.settings, &self.table);
            Searcher::new(table, settings, &control).run(request.game, &limits, &mut listen)
        })?;
        let elapsed = begin.elapsed();
        let used = cpu_begin.map(|begin| thread_time().saturating_sub(begin));
        let position = request.game.position();
        Ok(MoveReply {
            token: answer
                .best
                .map_or_else(String::new, |best| turn_token(position, &best)),
            elapsed,
            used,
            nodes: Some(answer.nodes),
            ..thought
        })
    }

    fn decide(&mut self, question: &Doubling<'_, G>) -> Result<bool, Failure> {
        let chance = guarded(|| chance_before_roll(question.game, &self.settings, &self.table))?;
        let side = question.game.position().side_to_move();
        Ok(if question.is_offered {
            question.cube.is_taken(side, chance)
        } else {
            question.cube.doubles(side, chance)
        })
    }

    fn table(&mut self) -> Option<&mut Table> {
        Some(&mut self.table)
    }
}

/// What a reported line says of the depth and the value.
fn of_line<G: Engine>(info: &Info<G>) -> MoveReply {
    let (cp, mate) = match info.score {
        Score::Cp(value) => (Some(value), None),
        Score::Mate(turns) => (None, Some(turns)),
    };
    let bound = match info.bound {
        search::Bound::Exact => None,
        search::Bound::Lower => Some(Bound::Lower),
        search::Bound::Upper => Some(Bound::Upper),
    };
    MoveReply {
        cp,
        mate,
        bound,
        depth: Some(info.depth),
        seldepth: Some(info.seldepth),
        nodes: Some(info.nodes),
        ..MoveReply::default()
    }
}

/// The limits of a search. Only the end of the match interrupts it, so that the timeout of the referee is one of them.
fn limits<G: Engine>(request: &MoveRequest<'_, G>) -> Limits<G> {
    let limit = request.limit;
    let mover = if request.white_to_move {
        Color::White
    } else {
        Color::Black
    };
    let own = mover.index();
    let movetime = limit.movetime.map(Duration::from_millis);
    Limits {
        depth: limit.depth,
        nodes: limit.nodes,
        movetime: Some(movetime.unwrap_or(request.timeout).min(request.timeout)),
        cputime: limit.cputime.map(Duration::from_millis),
        clock: limit.clock.map(|_| Clock {
            left: request.left[own],
            increment: request.increments[own],
            turns_to_go: request.turns_to_go,
        }),
        ..Limits::default()
    }
}

/// Does something that may panic: that is a crash of the player, not of the match.
fn guarded<T>(think: impl FnOnce() -> T) -> Result<T, Failure> {
    // After a panic the seat drops the player, with everything that could be broken.
    catch_unwind(AssertUnwindSafe(think)).map_err(|panic| {
        Failure::Crashed(format!("the search broke down: {}", panic_text(&*panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_crash_with_its_words() {
        assert_eq!(guarded(|| 7), Ok(7));
        let crash = guarded(|| -> u8 { panic!("no step {}", 3) });
        let words = "the search broke down: no step 3".to_owned();
        assert_eq!(crash, Err(Failure::Crashed(words)));
    }
}
