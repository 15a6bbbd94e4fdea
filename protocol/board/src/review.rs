//! A game assessed turn by turn: what each lost against the best, and what the dice gave.

use crate::view::Show;
use fauve_engine::core::Color;
use fauve_engine::rules::{Game, Turn, turn_san, turn_token};
use fauve_engine::search::{Control, Settings, Table};
use fauve_game::assess::{
    self, Thinker, bound_from_white, bounded_text, eval_text, from_white, glyph, white_points,
};
use fauve_game::played::Played;
use serde::Serialize;
use std::ops::Range;

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
    /// The evaluation as `[%eval]` has it, from White's point of view; nothing where only a bound is known.
    #[serde(skip)]
    pub(crate) eval: Option<String>,
    /// The NAG of the mark.
    #[serde(skip)]
    pub(crate) nag: Option<u16>,
    /// What the roll gave White, in expected points (DiceChess).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) luck: Option<f64>,
}

/// Assesses some of the complete turns of a game, oldest first, until `control` says stop.
pub(crate) fn review<G: Show>(
    played: &Played<G>,
    turns: Range<usize>,
    nodes: u64,
    control: &Control,
    report: &mut dyn FnMut(Assessed),
) {
    let (Ok(table), Ok(luck_table)) = (Table::new(HASH), Table::new(1)) else {
        return;
    };
    let thinker = Thinker {
        depth: None,
        nodes: Some(nodes),
        time: None,
        settings: Settings::default(),
        table: &table,
    };
    let mut game = Game::new(*played.start(), *played.game().options());
    for (number, node) in played.turns().iter().enumerate() {
        if let Some(roll) = node.turn.roll {
            game.set_roll(roll);
        }
        let turn: Turn<G::Step> = node.turn.steps().iter().copied().collect();
        if turns.contains(&number) {
            let assessed = thinker.assess(&game, &turn, &luck_table, control);
            if control.is_stopped() {
                return;
            }
            report(shown(&assessed, number));
        }
        turn.iter().for_each(|&step| game.play(step));
    }
}

fn shown<G: Show>(one: &assess::Assessed<G>, turn: usize) -> Assessed {
    let mover = one.mover();
    let best = &one.weighed.best;
    let best_turn = &one.weighed.best_turn;
    Assessed {
        turn,
        white: white_points(best.points, mover),
        score: bounded_text(
            from_white(best.answer.score, mover),
            bound_from_white(best.answer.bound, mover),
        ),
        best: turn_san(&one.position, best_turn),
        best_token: turn_token(&one.position, best_turn),
        error: one.error,
        mark: glyph(one.error).map_or("", |(mark, _)| mark),
        eval: eval_text(one.score(), one.bound()),
        nag: glyph(one.error).map(|(_, nag)| nag),
        luck: one.luck.map(|luck| match mover {
            Color::White => luck,
            Color::Black => -luck,
        }),
    }
}
