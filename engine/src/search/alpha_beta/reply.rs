//! Expected turns that no search has provided: the opponent's reply where a line ends after its first turn (a line that
//! fails high on a null window has no more, and an aborted search still needs a turn to ponder on), and a turn at the root.

use super::line::{Line, turns_of};
use super::tt_move::tag_of;
use super::worker::{Searchable, Worker};
use crate::rules::{Game, Turn, for_each_turn, legal_steps};
use crate::search::policy::Policy;
use crate::search::table::Entry;
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
    worker: &Worker<'_, G, P>,
    game: &Game<G>,
    older: &[Line<G::Step>],
    source: ReplySource,
) {
    let turns = turns_of(game, &line.steps);
    let [turn] = turns.as_slice() else { return };
    let after = after_turn(game, turn);
    if after.outcome().is_some() {
        return;
    }
    let recall = |position: &G| worker.probe_table(position);
    let known = best_in_table(recall, &after).or_else(|| reply_of_older(game, &after, older));
    let reply = known.or_else(|| {
        let (_, reply) = (source == ReplySource::Evaluation)
            .then(|| best_static_turn(Some(&recall), &after, |_, _| true))??;
        Some(reply)
    });
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

/// What the table has of a position.
pub type Recall<'a, G> = &'a dyn Fn(&G) -> Option<Entry>;

/// The turn with the best static value among the allowed ones (filtered by their steps and the key of the position after
/// them), and that value. Turns for which `recall` returns a table entry come first, by its value; only where there is none
/// is every turn evaluated.
pub fn best_static_turn<G: Searchable>(
    recall: Option<Recall<'_, G>>,
    game: &Game<G>,
    allows: impl Fn(&[G::Step], u64) -> bool,
) -> Option<(i32, Turn<G::Step>)> {
    let (position, options) = (game.position(), game.options());
    let static_value = |after: &G| {
        if after.winner().is_none() && after.is_dead(options) {
            0
        } else if after.side_to_move() == position.side_to_move() {
            after.evaluate()
        } else {
            -after.evaluate()
        }
    };
    let best_by = |value_of: &dyn Fn(&G) -> Option<i32>| {
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
    let known = recall.and_then(|recall| {
        best_by(&|after| {
            let entry = after.winner().is_none().then(|| recall(after))??;
            Some(-from_table(entry.value, 1))
        })
    });
    let (_, after, turn) = known.or_else(|| best_by(&|after| Some(static_value(after))))?;
    Some((static_value(&after), turn))
}
