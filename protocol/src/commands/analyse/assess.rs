use super::source::SourceGame;
use super::value::Value;
use crate::terminal::warn;
use anyhow::{Context, Result};
use fauve_engine::rules::{turn_san, turn_token};
use fauve_engine::search::{Control, Engine, Table};
use fauve_game::assess::{
    self, Quality, Thinker, bound_from_white, glyph, white_points, white_wdl,
};
use fauve_game::comment::{remove_command, set_command};
use fauve_game::pgn;
use fauve_game::replay::PgnReplay;
use fauve_game::report::SideReport;
use serde::Serialize;

/// What one turn of a game was worth, for people and for `--json`, the same in all games. Points and values are White's, luck and
/// losses those of the side that made the turn.
#[derive(Serialize)]
pub(super) struct Assessed {
    /// The number of its game in the file, from 1.
    pub(super) game: usize,
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
    /// White's expected points before the roll, 0 to 1; absent without dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<f64>,
    /// White's expected points with the best turn.
    pub(super) best_white: f64,
    /// White's expected points after the turn that was made.
    pub(super) white: f64,
    /// The value after the turn, White's view.
    #[serde(flatten)]
    pub(super) value: Value,
    /// What the turn lost against the best, in centipawns; absent next to a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) loss_cp: Option<i32>,
    /// What the turn lost against the best, in expected points.
    pub(super) error: f64,
    /// What that is called, from `best` to `blunder`.
    pub(super) quality: Quality,
    /// What the roll gave to the side that threw it, in expected points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) luck: Option<f64>,
    /// Whether there was nothing else to play.
    pub(super) forced: bool,
}

impl Assessed {
    /// What was found about the turn at a place of a game, both from 1.
    pub(super) fn new<G: Engine>(game: usize, place: usize, one: &assess::Assessed<G>) -> Self {
        let (position, mover) = (&one.position, one.mover());
        let (made, best) = (one.weighed.made(), &one.weighed.best_turn);
        Self {
            game,
            turn: place,
            number: one.number(),
            side: mover.letter(),
            fen: position.fen(),
            roll: position.whole_roll().map(|roll| roll.to_string()),
            played: turn_token(position, &one.turn),
            san: turn_san(position, &one.turn),
            best: turn_token(position, best),
            best_san: turn_san(position, best),
            before: one.luck.map(|_| white_points(one.before_roll(), mover)),
            best_white: white_points(one.weighed.best.points, mover),
            white: white_points(made.points, mover),
            value: made_value(one),
            loss_cp: one.weighed.loss_cp(),
            error: one.error,
            quality: Quality::of_loss(one.error),
            luck: one.luck,
            forced: one.is_forced,
        }
    }

    /// Counts the turn in the report of the side that made it.
    pub(super) fn count_in(&self, side: &mut SideReport) {
        side.add(self.error, self.luck, self.forced);
    }

    /// Whether no other turn would have brought more points: the turns that are counted as best.
    pub(super) fn is_best(&self) -> bool {
        self.quality == Quality::Best
    }

    /// The sign that annotators put behind the turn.
    pub(super) fn sign(&self) -> &'static str {
        glyph(self.error).map_or("", |(sign, _)| sign)
    }
}

/// The value after the turn that was made, White's view.
fn made_value<G: Engine>(one: &assess::Assessed<G>) -> Value {
    let (made, mover) = (one.weighed.made(), one.mover());
    Value::new(one.score(), white_wdl(made.wdl, mover))
        .bounded(bound_from_white(made.answer.bound, mover))
}

/// Assesses the turns of a game, oldest first, and gives the game as PGN with what was found beside what its file says: values
/// as `[%eval 0.35]` (White's view) in comments unless they are bounds, mistakes and blunders as NAGs, and for these the better turn as a variation.
/// `show` is called with each turn and its place in the game, from 1; the turns before a fault are shown. Also gives the words
/// of the end that the rules have brought.
pub(super) fn assess_game<G: Engine>(
    source: &SourceGame,
    thinker: &Thinker,
    mut show: impl FnMut(usize, &assess::Assessed<G>) -> Result<()>,
) -> Result<(String, Option<String>)> {
    let luck_table =
        Table::new(1).context("not enough memory for the table of the luck searches")?;
    let options: G::Options = source.rules.options();
    let mut replay = PgnReplay::<G>::new(&source.pgn, &options)?;
    for warning in &replay.warnings {
        warn(format_args!("game {}: {warning}", source.number));
    }
    for place in 1.. {
        let before = *replay.played.position();
        if !replay.read_turn().with_context(|| before.fen())? {
            break;
        }
        let made = &replay.played.turns()[place - 1].turn;
        let turn = made.steps().iter().copied().collect();
        let mut game = replay.played.game().clone();
        for _ in made.steps() {
            game.undo();
        }
        let assessed = thinker.assess(&game, &turn, &luck_table, &Control::default());
        show(place, &assessed)?;
        if let Some(node) = replay.played.turn_mut(place - 1) {
            // A value that the file has is another program's, and stays in no case among those of this one.
            match made_value(&assessed).eval() {
                Some(eval) => set_command(&mut node.comments, "eval", &eval),
                None => remove_command(&mut node.comments, "eval"),
            }
            if let Some((_, nag)) = glyph(assessed.error) {
                node.judge(nag);
                node.suggest(assessed.better());
            }
        }
    }
    let mut played = replay.played;
    if let Some(null_move) = played.unread {
        warn(format_args!("game {}: {null_move}", source.number));
    }
    if played.tags.known("Annotator").is_none() {
        let annotator = concat!("Fauve ", env!("CARGO_PKG_VERSION"));
        played.tags.set("Annotator", annotator);
    }
    let end = played.outcome().map(|end| end.to_string());
    Ok((pgn::text(&played), end))
}
