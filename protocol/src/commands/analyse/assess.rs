use super::think::{Thinker, Verdict};
use super::value::Value;
use crate::terminal::from_white;
use fauve_engine::core::Color;
use fauve_engine::rules::{Game, Turn, turn_san, turn_token};
use fauve_engine::search::{Engine, Score};
use serde::Serialize;

/// Expected points from which a loss is called a mistake.
pub(super) const MISTAKE: f64 = 0.08;
/// Expected points from which a loss is called a blunder.
pub(super) const BLUNDER: f64 = 0.20;

/// What one turn of a game was worth, for the record and for `--json`.
#[derive(Serialize)]
pub(super) struct Assessed {
    /// Its place in the game, from 1.
    pub(super) turn: usize,
    /// The number that the position gives it, from 1 for White's first turn and Black's answer.
    pub(super) number: u64,
    /// The side that made it, `w` or `b`.
    pub(super) side: char,
    /// The position before it.
    pub(super) fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) roll: Option<String>,
    /// The turn as a token.
    pub(super) played: String,
    /// The turn as people read it.
    pub(super) san: String,
    /// The best turn, as a token.
    pub(super) best: String,
    /// The best turn, as people read it.
    pub(super) best_san: String,
    /// White's expected points after the turn, 0 to 1.
    pub(super) white: f64,
    /// The value after the turn, White's view.
    #[serde(flatten)]
    pub(super) value: Value,
    /// What the turn lost against the best, in centipawns; absent next to a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) loss_cp: Option<i32>,
    /// What the turn lost against the best, in expected points.
    pub(super) error: f64,
    /// What the roll gave to the side that threw it, in expected points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) luck: Option<f64>,
}

impl Assessed {
    /// Whether another turn would have been better.
    pub(super) fn is_best(&self) -> bool {
        self.played == self.best || self.error <= 0.0 && self.loss_cp.unwrap_or(0) == 0
    }

    /// The sign that annotators put behind the turn, and its number in PGN (NAG).
    pub(super) fn glyph(&self) -> Option<(&'static str, u8)> {
        match self.error {
            error if error >= BLUNDER => Some(("??", 4)),
            error if error >= MISTAKE => Some(("?", 2)),
            _ => None,
        }
    }
}

/// What a turn is, beside the position in which it was played.
pub(super) struct Played<'a, G: Engine> {
    /// Its place in the game, from 1.
    pub(super) place: usize,
    /// Its roll, as the file writes it.
    pub(super) roll: Option<&'a str>,
    /// Its steps.
    pub(super) turn: &'a Turn<G::Step>,
    /// What the position was worth before the roll.
    pub(super) before_roll: Option<Verdict<G>>,
}

/// Assesses a turn that is about to be played.
pub(super) fn assess<G: Engine>(
    game: &Game<G>,
    thinker: &Thinker,
    played: &Played<'_, G>,
) -> Assessed {
    let position = game.position();
    let mover = position.side_to_move();
    let best = thinker.judge(game, Vec::new());
    let turn = played.turn;
    let best_turn = best.answer.best.clone().unwrap_or_else(|| turn.clone());
    // A turn is worth what a search of it alone says.
    let other = (best_turn != *turn).then(|| thinker.judge(game, vec![turn.clone()]));
    let (error, loss_cp) = other.as_ref().map_or((0.0, Some(0)), |own| {
        // It can see more than the search of all: then nothing was lost.
        let error = (best.points - own.points).max(0.0);
        (error, loss(best.answer.score, own.answer.score))
    });
    let after = other.as_ref().unwrap_or(&best);
    let (white, wdl) = match mover {
        Color::White => (after.points, after.wdl),
        Color::Black => (
            1.0 - after.points,
            [after.wdl[2], after.wdl[1], after.wdl[0]],
        ),
    };
    Assessed {
        turn: played.place,
        number: position.turn_index() / 2 + 1,
        side: mover.letter(),
        fen: position.fen(),
        roll: played.roll.map(str::to_owned),
        played: turn_token(position, turn),
        san: turn_san(position, turn),
        best: turn_token(position, &best_turn),
        best_san: turn_san(position, &best_turn),
        white,
        value: Value::new(from_white(after.answer.score, mover), wdl),
        loss_cp,
        error,
        luck: played
            .before_roll
            .as_ref()
            .map(|before| best.points - before.points),
    }
}

/// What a turn lost, in centipawns; nothing is said where only one of the scores is a mate.
fn loss(best: Score, own: Score) -> Option<i32> {
    match (best, own) {
        (Score::Cp(best), Score::Cp(own)) => Some((best - own).max(0)),
        (Score::Mate(best), Score::Mate(own)) if (best > 0) == (own > 0) => Some(0),
        _ => None,
    }
}
