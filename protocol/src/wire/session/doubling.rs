//! Answers to `go double` (offer a double?) and `go take` (take or pass?).

use super::context::SearchContext;
use super::search::limits;
use crate::wire::go::{Doubling, Request};
use crate::wire::report::Best;
use crate::wire::search_thread::Job;
use fauve_engine::rules::Game;
use fauve_engine::search::{Cube, Engine, Searcher};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns errors in the question and the job that answers it. The side to roll is the one that doubles.
pub(super) fn ask<G: Engine>(
    game: &Game<G>,
    question: &Doubling,
    request: &Request,
    context: SearchContext,
) -> (Vec<String>, Job) {
    let cube = match cube_of(game, question, &context) {
        Ok(cube) => cube,
        Err(why) => {
            let word = if question.is_offered {
                "take"
            } else {
                "double"
            };
            let job: Job = Box::new(move |_| Some(answer(&context, None)));
            return (vec![format!("Error: go {word}: {why}")], job);
        }
    };
    let mut messages = Vec::new();
    let limits = limits(game, request, context.cpu_clock, &mut messages);
    let (game, is_offered) = (game.clone(), question.is_offered);
    let job: Job = Box::new(move |control| {
        let side = game.position().side_to_move();
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let (settings, table) = (&context.settings, &context.table);
            Searcher::new(table, settings, control)
                .run(&game, &limits, &mut |_| {})
                .win_chance
        }));
        let Ok(Some(chance)) = searched else {
            context.message("Error: the search failed; answering without it: roll, or take");
            return Some(answer(
                &context,
                Some(if is_offered { "take" } else { "roll" }),
            ));
        };
        let equities = cube.equities(side, chance);
        context.message(&format!(
            "double chance {chance:.4} hold {:+.3} taken {:+.3} passed +1.000",
            equities.hold, equities.taken
        ));
        let word = match (is_offered, equities.double(), equities.take()) {
            (false, true, _) => "double",
            (false, false, _) => "roll",
            (true, _, true) => "take",
            (true, _, false) => "pass",
        };
        Some(answer(&context, Some(word)))
    });
    (messages, job)
}

/// The cube of the question; an error if the question has no answer here.
fn cube_of<G: Engine>(
    game: &Game<G>,
    question: &Doubling,
    context: &SearchContext,
) -> Result<Cube, &'static str> {
    let position = game.position();
    if !G::HAS_CHANCE {
        return Err("this game has no dice");
    }
    if !context.doubling {
        return Err("the option Doubling is off");
    }
    if position.winner().is_some() {
        return Err("the game is over");
    }
    if !position.awaits_roll() {
        return Err("the dice are rolled already");
    }
    let cube = question.cube.ok_or(
        "the cube is 1, 2, 4, 8, 16, 32 or 64, optionally followed by its owner, white or black",
    )?;
    if !cube.is_free_for(position.side_to_move()) {
        return Err("the side to roll may not double");
    }
    Ok(cube)
}

fn answer(context: &SearchContext, word: Option<&str>) -> String {
    let best = Best {
        turn: word.map(str::to_owned),
        ponder: None,
    };
    context.format.best(&best)
}
