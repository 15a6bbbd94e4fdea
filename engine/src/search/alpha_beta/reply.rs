//! Expected turns that no search has provided: the opponent's reply where a line ends after its first turn (a line that
//! fails high on a null window has no more, and an aborted search still needs a turn to ponder on), and a turn at the root.

use super::line::{Line, turns_of};
use super::tt_move::tag_of;
use super::worker::{Searchable, Worker};
use crate::rules::{Game, Turn, for_each_turn, legal_steps};
use crate::search::policy::Policy;
use crate::search::table::Entry;
use crate::search::value::from_table;

/// Adds a reply to a line of a single turn: from the table, from an older line with the same turn, or by static value.
pub fn complete<G: Searchable, P: Policy>(
    line: &mut Line<G::Step>,
    worker: &Worker<'_, G, P>,
    game: &Game<G>,
    older: &[Line<G::Step>],
) {
    let turns = turns_of(game, &line.steps);
    let [turn] = turns.as_slice() else { return };
    let after = after_turn(game, turn);
    if after.outcome().is_some() {
        return;
    }
    let recall = |position: &G| worker.probe_table(position);
    let reply = best_in_table(recall, &after)
        .or_else(|| reply_of_older(game, &after, older))
        .or_else(|| best_static_turn(recall, &after, |_, _| true).map(|(_, turn)| turn));
    line.steps.truncate(turn.len());
    line.steps.extend(reply.into_iter().flatten());
}

fn after_turn<G: Searchable>(game: &Game<G>, turn: &[G::Step]) -> Game<G> {
    let mut after = game.clone();
    for &step in turn {
        after.play(step);
    }
    after
}

/// Follows the table's steps for one turn, as far as they are legal.
fn best_in_table<G: Searchable>(
    recall: impl Fn(&G) -> Option<Entry>,
    game: &Game<G>,
) -> Option<Turn<G::Step>> {
    let mut position = *game.position();
    let mut turn = Turn::new();
    loop {
        let tt_move = recall(&position)?.tt_move;
        let mut steps = legal_steps(&position).into_iter();
        let step = steps.find(|&step| tt_move != 0 && tag_of::<G>(step) == tt_move)?;
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
        (after_turn(game, turn).position().key() == key).then(|| reply.clone())
    })
}

/// The turn with the best static value among the allowed ones (filtered by their steps and the key of the position after
/// them), and that value. Turns for which `recall` returns a table entry come first, by its value.
pub fn best_static_turn<G: Searchable>(
    recall: impl Fn(&G) -> Option<Entry>,
    game: &Game<G>,
    allows: impl Fn(&[G::Step], u64) -> bool,
) -> Option<(i32, Turn<G::Step>)> {
    let (position, options) = (game.position(), game.options());
    let (mut highest, mut best) = (None, None);
    for_each_turn(position, &mut |turn, after| {
        let key = after.key();
        if !allows(turn, key) {
            return;
        }
        let value = if after.winner().is_none() && after.is_dead(options) {
            0
        } else if after.side_to_move() == position.side_to_move() {
            after.evaluate()
        } else {
            -after.evaluate()
        };
        let entry = if after.winner().is_none() {
            recall(after)
        } else {
            None
        };
        let known = entry.map(|entry| -from_table(entry.value, 1));
        let rank = (known.is_some(), known.unwrap_or(value));
        if highest.is_none_or(|highest| rank > highest) {
            highest = Some(rank);
            best = Some((value, Turn::from_slice(turn)));
        }
    });
    best
}
