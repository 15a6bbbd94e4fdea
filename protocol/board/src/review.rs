//! A game assessed turn by turn: what each lost against the best, and what the dice gave.

use crate::view::Show;
use fauve_engine::rules::{Event, Game, Turn, turn_san, turn_token};
use fauve_engine::search::{Control, Settings, Table};
use fauve_referee::assess::{Thinker, Weighed, from_white, glyph, score_text, white_points};
use serde::Serialize;

/// Megabytes of the transposition table.
const HASH: usize = 16;

/// What a turn was worth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Assessed {
    /// Its place in the game, from 0.
    pub(crate) turn: usize,
    /// White's expected points before it, if the best is played.
    pub(crate) white: f64,
    /// The best turn's score, from White's point of view.
    pub(crate) score: String,
    /// The best turn, as people read it, and as a token.
    pub(crate) best: String,
    pub(crate) best_token: String,
    /// What the turn lost, in expected points.
    pub(crate) error: f64,
    /// `?`, `??` or nothing.
    pub(crate) mark: &'static str,
    /// What the roll gave White, in expected points (DiceChess).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) luck: Option<f64>,
}

/// Assesses every complete turn of a game, oldest first, until `control` says stop.
pub(crate) fn review<G: Show>(
    game: &Game<G>,
    nodes: u64,
    control: &Control,
    report: &mut dyn FnMut(Assessed),
) {
    let Ok(table) = Table::new(HASH) else {
        return;
    };
    let thinker = Thinker {
        depth: None,
        nodes: Some(nodes),
        time: None,
        settings: Settings::default(),
        table: &table,
    };
    let Some((start, _)) = game.past().first() else {
        return;
    };
    let mut replayed = Game::new(*start, *game.options());
    let mut before_roll = None;
    let mut turn: Turn<G::Step> = Turn::new();
    let mut number = 0;
    // The game before the turn that is being read, with its dice.
    let mut root = replayed.clone();
    for (_, event) in game.past() {
        if control.is_stopped() {
            return;
        }
        match event {
            Event::Roll(roll) => {
                before_roll = Some(thinker.judge(&replayed, Vec::new(), control).points);
                replayed.set_roll(*roll);
                root = replayed.clone();
            }
            Event::Step(step) => {
                if turn.is_empty() {
                    root = replayed.clone();
                }
                turn.push(*step);
                replayed.play(*step);
                if replayed.position().is_mid_turn() && replayed.outcome().is_none() {
                    continue;
                }
                let weighed = thinker.weigh(&root, &turn, control);
                if control.is_stopped() {
                    return;
                }
                report(assessed(
                    root.position(),
                    &weighed,
                    before_roll.take(),
                    number,
                ));
                turn.clear();
                number += 1;
            }
        }
    }
}

fn assessed<G: Show>(
    position: &G,
    weighed: &Weighed<G>,
    before_roll: Option<f64>,
    turn: usize,
) -> Assessed {
    let mover = position.side_to_move();
    let best = &weighed.best;
    let white = white_points(best.points, mover);
    let error = weighed.error();
    Assessed {
        turn,
        white,
        score: score_text(from_white(best.answer.score, mover)),
        best: turn_san(position, &weighed.best_turn),
        best_token: turn_token(position, &weighed.best_turn),
        error,
        mark: glyph(error).map_or("", |(mark, _)| mark),
        luck: before_roll.map(|before| white - white_points(before, mover)),
    }
}
