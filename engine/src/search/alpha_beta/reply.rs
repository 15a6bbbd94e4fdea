//! Expected turns that no search has provided: the opponent's reply where a line ends after its first turn (a line that
//! fails high on a null window has no more, and an aborted search still needs a turn to ponder on), and a turn at the root.

use super::line::{Line, turns_of};
use super::tt_move::tt_move_of;
use super::worker::{Searchable, Worker};
use crate::rules::{Game, Turn, for_each_turn, legal_steps};
use crate::search::policy::Policy;
use crate::search::value::from_table;

/// Where the reply to a line of a single turn may come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReplySource {
    /// The table and older lines: costs next to nothing.
    Known,
    /// Else the reply that evaluates best. Evaluating all of them takes milliseconds in Cubes 4D, so that this is for the last report
    /// of a search alone.
    Evaluation,
}

/// Gives a line of a single turn a reply: the one in the table, that of an older line with the same turn, or, where `source` allows
/// that, the one that evaluates best.
pub fn complete<G: Searchable, P: Policy>(
    line: &mut Line<G::Step>,
    worker: &mut Worker<'_, G, P>,
    game: &Game<G>,
    older: &[Line<G::Step>],
    source: ReplySource,
) {
    let turns = turns_of(game, &line.steps);
    let [turn] = turns.as_slice() else { return };
    let after = game.after(turn);
    if after.outcome().is_some() {
        return;
    }
    let known = best_in_table(worker, &after).or_else(|| reply_of_older(game, &after, older));
    let reply = known.or_else(|| {
        let (_, reply) = (source == ReplySource::Evaluation)
            .then(|| best_static_turn(worker, true, &after, |_, _| true))??;
        Some(reply)
    });
    line.steps.truncate(turn.len());
    line.steps.extend(reply.into_iter().flatten());
}

/// Follows the table's steps for one turn, as far as they are legal.
fn best_in_table<G: Searchable, P: Policy>(
    worker: &Worker<'_, G, P>,
    game: &Game<G>,
) -> Option<Turn<G::Step>> {
    let mut position = *game.position();
    let mut turn = Turn::new();
    loop {
        let tt_move = worker.probe_table(&position)?.tt_move;
        let mut steps = legal_steps(&position).into_iter();
        let step = steps.find(|&step| tt_move != 0 && tt_move_of::<G>(step) == tt_move)?;
        turn.push(step);
        position.play(step);
        if !position.is_mid_turn() {
            return Some(turn);
        }
    }
}

/// The reply of an older line that leads to the same position.
fn reply_of_older<G: Searchable>(
    game: &Game<G>,
    after: &Game<G>,
    older: &[Line<G::Step>],
) -> Option<Turn<G::Step>> {
    let key = after.position().key();
    older.iter().find_map(|line| {
        let turns = turns_of(game, &line.steps);
        let [turn, reply, ..] = turns.as_slice() else {
            return None;
        };
        (game.after(turn).position().key() == key).then(|| reply.clone())
    })
}

/// The turn with the best static value among the allowed ones (filtered by their steps and the key of the position after
/// them), and that value. With `recalls`, turns after which the table has an entry come first, by its value; only where there is
/// none is every turn evaluated.
pub fn best_static_turn<G: Searchable, P: Policy>(
    worker: &mut Worker<'_, G, P>,
    recalls: bool,
    game: &Game<G>,
    allows: impl Fn(&[G::Step], u64) -> bool,
) -> Option<(i32, Turn<G::Step>)> {
    let (position, options) = (game.position(), game.options());
    let static_value = |worker: &mut Worker<'_, G, P>, after: &G| {
        if after.winner().is_none() && after.is_dead(options) {
            0
        } else if after.side_to_move() == position.side_to_move() {
            worker.evaluate_elsewhere(after)
        } else {
            -worker.evaluate_elsewhere(after)
        }
    };
    let best_by = |value_of: &mut dyn FnMut(&G) -> Option<i32>| {
        let mut best: Option<(i32, G, Turn<G::Step>)> = None;
        for_each_turn(position, &mut |turn, after| {
            if allows(turn, after.key())
                && let Some(value) = value_of(after)
                && best.as_ref().is_none_or(|(highest, ..)| value > *highest)
            {
                best = Some((value, *after, Turn::from_slice(turn)));
            }
        });
        best
    };
    let mut known = None;
    if recalls {
        known = best_by(&mut |after| {
            let open = after.winner().is_none();
            let entry = open.then(|| worker.probe_table(after))??;
            Some(-from_table(entry.value, 1))
        });
    }
    let (_, after, turn) =
        known.or_else(|| best_by(&mut |after| Some(static_value(worker, after))))?;
    Some((static_value(worker, &after), turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::zobrist::splitmix;
    use crate::eval::network::Network;
    use crate::eval::network::test_support::{position, random_parameters};
    use crate::eval::{EndgameResult, EndgameTables};
    use crate::rules::chess::Chess;
    use crate::rules::twomove::TwoMove;
    use crate::rules::{Notation, Rules};
    use crate::search::Instant;
    use crate::search::clock::{SearchClock, StopConditions};
    use crate::search::control::Control;
    use crate::search::limits::Settings;
    use crate::search::policy::Full;
    use crate::search::table::Table;

    /// The position after the turn that is best by its static value.
    fn best<G: Searchable>(position: G, settings: &Settings) -> G {
        let game = Game::new(position, G::Options::default());
        let table = Table::new(1).unwrap();
        let control = Control::default();
        let clock = SearchClock::new(&control, Instant::now(), 1, StopConditions::default());
        let mut worker = Worker::<_, Full>::new(&game, settings, &table, &clock, 0);
        let (_, turn) = best_static_turn(&mut worker, false, &game, |_, _| true).unwrap();
        *game.after(&turn).position()
    }

    #[test]
    fn turns_that_no_search_has_found_are_those_of_the_network_that_is_set() {
        let start: Chess =
            position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        for seed in 1..6 {
            let parameters = random_parameters::<Chess>(32, seed);
            let network = Network::new(&parameters);
            let values = legal_steps(&start).into_iter().map(|step| {
                let mut next = start;
                next.play(step);
                network.evaluate(&next)
            });
            let least = values.min().unwrap();
            let settings = Settings {
                network: Some(Network::new(&parameters).into()),
                ..Settings::default()
            };
            assert_eq!(network.evaluate(&best(start, &settings)), least);
        }
    }

    #[test]
    fn turns_in_endgames_that_are_known_are_those_of_the_tables() {
        let options = <TwoMove as Rules>::Options::default();
        let known = |position: &TwoMove| position.probe_endgame(&options, &mut ());
        let mut decided = 0;
        for n in 0..400 {
            // King and Queen against King and Knight, somewhere.
            let mut rows = [[b'1'; 8]; 8];
            for (piece, random) in b"KQkn".iter().zip(splitmix(1, n).to_le_bytes()) {
                rows[usize::from(random >> 3 & 7)][usize::from(random & 7)] = *piece;
            }
            let board = rows.map(|row| String::from_utf8_lossy(&row).into_owned());
            let mut fen = format!("{} b - - 0 9 2", board.join("/"));
            for empty in (2..=8).rev() {
                fen = fen.replace(&"1".repeat(empty), &empty.to_string());
            }
            let Ok(start) = TwoMove::from_fen(&fen, &options) else {
                continue;
            };
            let start = start.position;
            let next = match known(&start) {
                Some(EndgameResult::Loss(turns @ 1..)) => EndgameResult::Win(turns - 1),
                Some(EndgameResult::Win(turns)) => EndgameResult::Loss(turns - 1),
                _ => continue,
            };
            decided += 1;
            let after = best(start, &Settings::default());
            assert_eq!(known(&after), Some(next), "{fen}");
        }
        assert!(decided > 60, "{decided}");
    }
}
