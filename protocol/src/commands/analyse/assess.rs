use super::value::Value;
use fauve_engine::rules::{Game, Turn, turn_san, turn_token};
use fauve_engine::search::{Control, Engine};
use fauve_referee::assess::{Thinker, Verdict, from_white, glyph, white_points, white_wdl};
use serde::Serialize;

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
        glyph(self.error)
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
    let turn = played.turn;
    let weighed = thinker.weigh(game, turn, &Control::default());
    let after = weighed.made();
    let best_turn = &weighed.best_turn;
    Assessed {
        turn: played.place,
        number: position.turn_index() / 2 + 1,
        side: mover.letter(),
        fen: position.fen(),
        roll: played.roll.map(str::to_owned),
        played: turn_token(position, turn),
        san: turn_san(position, turn),
        best: turn_token(position, best_turn),
        best_san: turn_san(position, best_turn),
        white: white_points(after.points, mover),
        value: Value::new(
            from_white(after.answer.score, mover),
            white_wdl(after.wdl, mover),
        ),
        loss_cp: weighed.loss_cp(),
        error: weighed.error(),
        luck: played
            .before_roll
            .as_ref()
            .map(|before| weighed.best.points - before.points),
    }
}
