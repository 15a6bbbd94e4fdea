//! Play in the prologue of a game, the turns that choose the array: by the static values of the arrays.
//!
//! No piece moves before the array is complete, and there are few prologues: all of them are searched to the end. How they differ in value
//! decides no games: values from searches of two million nodes win no more of them than random prologues
//! (`benches/labbook/superchess.md`).

use super::info_without_search;
use super::worker::Searchable;
use crate::core::Color;
use crate::core::zobrist::splitmix;
use crate::eval::Evaluator;
use crate::rules::{Game, Turn, legal_steps};
use crate::search::Instant;
use crate::search::limits::Settings;
use crate::search::report::{Answer, Bound, Report, Score};
use ahash::AHashMap;

/// Turns within this many centipawns of the best are considered equally good.
const NEAR: i32 = 8;

/// A turn of a prologue and its outcome.
struct Prologue<G: Searchable> {
    /// Value for the side that makes the turn, in centipawns.
    value: i32,
    /// The best turns of both sides up to the end of the prologue, this one first.
    turns: Vec<Turn<G::Step>>,
}

/// Returns the answer in a prologue; `None` elsewhere. The seed chooses among turns that are as good as the best; below full
/// strength, more turns count as equally good. With several principal variations the best turn is the answer: they are sorted.
pub fn answer<G: Searchable>(
    game: &Game<G>,
    allowed: &[Turn<G::Step>],
    settings: &Settings,
    start: Instant,
    report: &mut dyn FnMut(Report<G>),
) -> Option<Answer<G>> {
    let root = game.position();
    let mut lines = lines(root, &mut ArrayValues::new(settings))?;
    if !allowed.is_empty() {
        lines.retain(|line| allowed.iter().any(|turn| turn[0] == line.turns[0][0]));
    }
    lines.sort_by_key(|line| -line.value);
    let eval_noise = settings
        .strength_limit
        .map_or(0, |strength_limit| strength_limit.eval_noise);
    let best = lines.first()?.value;
    let near = lines
        .iter()
        .take_while(|line| line.value >= best - NEAR - eval_noise)
        .count();
    let seed = settings.seed
        ^ settings
            .strength_limit
            .map_or(0, |strength_limit| strength_limit.seed);
    if settings.multi_pv <= 1 && (seed != 0 || eval_noise != 0) {
        let chosen = splitmix(seed ^ root.key(), 1) % near as u64;
        lines[..=chosen as usize].rotate_right(1);
    }
    for (number, line) in lines.iter().take(settings.multi_pv.max(1)).enumerate() {
        let (score, turns) = (Score::Cp(line.value), line.turns.clone());
        report(Report::Pv(info_without_search(
            number + 1,
            score,
            start,
            turns,
        )));
    }
    let chosen = lines.first()?;
    Some(Answer {
        best: chosen.turns.first().cloned(),
        ponder: chosen.turns.get(1).cloned(),
        score: Score::Cp(chosen.value),
        bound: Bound::Exact,
        win_chance: None,
        nodes: 0,
    })
}

/// All turns of a prologue, each with the best play after it; `None` elsewhere.
fn lines<G: Searchable>(position: &G, arrays: &mut ArrayValues<G>) -> Option<Vec<Prologue<G>>> {
    if !position.in_prologue() {
        return None;
    }
    let steps = legal_steps(position).into_iter();
    let lines = steps.map(|step| {
        let mut next = *position;
        next.play(step);
        let mut turns = vec![Turn::from_iter([step])];
        let replies = lines(&next, arrays).unwrap_or_default();
        let value = match replies.into_iter().max_by_key(|line| line.value) {
            Some(reply) => {
                turns.extend(reply.turns);
                -reply.value
            }
            None => arrays.value(&next, position.side_to_move()),
        };
        Prologue { value, turns }
    });
    Some(lines.collect())
}

/// The static values of arrays, each computed once: many prologues end in the same one.
struct ArrayValues<G: Searchable> {
    evaluator: G::Evaluator,
    /// Values for the side to move, in centipawns, by the keys of the arrays.
    known: AHashMap<u64, i32>,
}

impl<G: Searchable> ArrayValues<G> {
    fn new(settings: &Settings) -> Self {
        Self {
            evaluator: G::Evaluator::new(settings.network.as_ref()),
            known: AHashMap::new(),
        }
    }

    /// Value of an array for a side, in centipawns.
    fn value(&mut self, array: &G, side: Color) -> i32 {
        let evaluator = &mut self.evaluator;
        let value = *self.known.entry(array.key()).or_insert_with(|| {
            evaluator.push(0);
            evaluator.evaluate(array, 0)
        });
        if array.side_to_move() == side {
            value
        } else {
            -value
        }
    }
}
