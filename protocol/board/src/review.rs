//! A game assessed turn by turn: what each lost against the best, and what the dice gave; the report of both sides; and turns that are
//! tried in place of those that were made.

use crate::play::{PlayError, TurnDone, turn_view};
use crate::view::{Show, Step};
use fauve_engine::core::Color;
use fauve_engine::rules::{Game, Turn, position_after, turn_san, turn_token};
use fauve_engine::search::{Control, Settings, Table};
use fauve_game::assess::{
    self, INACCURACY, Quality, Thinker, bound_from_white, bounded_text, eval_text, from_white,
    glyph, white_points,
};
use fauve_game::played::{Played, TurnFault};
use fauve_game::read;
use fauve_game::replay::ReplayError;
use fauve_game::report::SideReport;
use serde::{Deserialize, Serialize};

/// Megabytes of the transposition table.
const HASH: usize = 16;

/// What a turn was worth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
    /// The steps of the best turn, as they are drawn.
    pub(crate) best_steps: Vec<Step>,
    /// What the turn lost, in expected points.
    pub(crate) error: f64,
    /// What that is called.
    pub(crate) quality: Quality,
    /// Whether there was nothing else to play.
    pub(crate) forced: bool,
    /// `?!`, `?`, `??` or nothing.
    #[serde(skip_deserializing)]
    pub(crate) mark: &'static str,
    /// The turn that this was found of, with its roll.
    #[serde(skip)]
    pub(crate) of: (String, Option<String>),
    /// The evaluation as `[%eval]` has it, from White's point of view; nothing where only a bound is known.
    #[serde(skip)]
    pub(crate) eval: Option<String>,
    /// The NAG of the mark, unless an annotator has given the turn another one or the same.
    #[serde(skip)]
    pub(crate) nag: Option<u16>,
    /// What the roll gave White, in expected points (DiceChess).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) luck: Option<f64>,
}

impl Assessed {
    /// The same with what its text leaves out: the turn that it was found of, and the evaluation. Its mark follows from the rest.
    pub(crate) fn completed(mut self, of: (String, Option<String>), eval: Option<String>) -> Self {
        let glyph = glyph(self.error);
        self.mark = glyph.map_or("", |(mark, _)| mark);
        self.nag = glyph.map(|(_, nag)| nag);
        Self { of, eval, ..self }
    }
}

/// A turn that was assessed, and the report of White and Black as far as the game is assessed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Progress<'a> {
    #[serde(flatten)]
    pub(crate) assessed: &'a Assessed,
    pub(crate) sides: [SideReport; 2],
}

/// What was found about a game: its turns from the first one on, and the report of White and Black.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Report<'a> {
    pub(crate) turns: &'a [Assessed],
    pub(crate) sides: [SideReport; 2],
}

/// A turn that was tried in a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Tried {
    /// The turn, as people read it.
    pub(crate) san: String,
    /// What it loses against the best, in expected points.
    pub(crate) error: f64,
    /// Whether it loses less than an inaccuracy does.
    pub(crate) accepted: bool,
}

/// What was found about a game, as far as its turns are still those that were assessed.
pub(crate) fn report<'a>(assessed: &'a [Assessed], turns: &[TurnDone]) -> Report<'a> {
    let is_of = |(one, turn): &(&Assessed, &TurnDone)| {
        let (token, roll) = &one.of;
        *token == turn.token && *roll == turn.roll
    };
    let known = assessed.iter().zip(turns).take_while(is_of).count();
    let mut sides = [SideReport::default(); 2];
    for (one, turn) in assessed[..known].iter().zip(turns) {
        let color = if turn.side == 'w' {
            Color::White
        } else {
            Color::Black
        };
        // The luck is White's, a report is about its own side.
        let luck = one.luck.map(|luck| white_luck(luck, color));
        sides[color.index()].add(one.error, luck, one.forced);
    }
    Report {
        turns: &assessed[..known],
        sides,
    }
}

/// Weighs a whole turn against the best one in the position of a game.
///
/// # Errors
/// A turn that is not legal.
pub(crate) fn weigh<G: Show>(
    game: &Game<G>,
    text: &str,
    nodes: u64,
    control: &Control,
) -> Result<Option<Tried>, PlayError> {
    let position = game.position();
    let illegal = || ReplayError::turn(position, TurnFault::Illegal(text.to_owned()));
    let turn = read::turn(position, text).ok_or_else(illegal)?;
    if position_after(position, &turn).is_mid_turn() {
        let fault = TurnFault::Unfinished(text.to_owned());
        return Err(ReplayError::turn(position, fault).into());
    }
    let Ok(table) = Table::new(HASH) else {
        return Ok(None);
    };
    let weighed = thinker(nodes, &table).weigh(game, &turn, control);
    let error = weighed.error();
    Ok(Some(Tried {
        san: turn_san(position, &turn),
        error,
        accepted: error < INACCURACY,
    }))
}

fn thinker(nodes: u64, table: &Table) -> Thinker<'_> {
    Thinker {
        depth: None,
        nodes: Some(nodes),
        time: None,
        settings: Settings::default(),
        table,
    }
}

/// Luck of White as that of a side, or the other way round.
fn white_luck(luck: f64, side: Color) -> f64 {
    match side {
        Color::White => luck,
        Color::Black => -luck,
    }
}

/// What was found about the turns of a game as one line of text, to be kept with the game and given to [`restored`]: for each turn White's
/// expected points, the score, the best turn as a token, the error, whether there was nothing else to play, and the luck.
pub(crate) fn kept(assessed: &[Assessed], turns: &[TurnDone]) -> String {
    let text = |one: &Assessed| {
        let forced = if one.forced { "forced" } else { "-" };
        let luck = one
            .luck
            .map_or_else(|| "-".to_owned(), |luck| luck.to_string());
        let (score, best) = (&one.score, &one.best_token);
        format!("{} {score} {best} {} {forced} {luck}", one.white, one.error)
    };
    let known = report(assessed, turns).turns.iter().map(text);
    known.collect::<Vec<_>>().join(";")
}

/// What [`kept`] has kept of a game, as far as it can be read and belongs to its turns: people may have edited the text.
pub(crate) fn restored<G: Show>(played: &Played<G>, kept: &str) -> Vec<Assessed> {
    let mut game = Game::new(*played.start(), *played.game().options());
    let mut found = Vec::new();
    for (number, (node, text)) in played.turns().iter().zip(kept.split(';')).enumerate() {
        if let Some(roll) = node.turn.roll {
            game.set_roll(roll);
        }
        let position = game.position();
        let turn: Turn<G::Step> = node.turn.steps().iter().copied().collect();
        let roll = node.turn.dice().map(|roll| roll.to_string());
        let of = (turn_token(position, &turn), roll);
        let Some(one) = restored_turn(position, text, number, of) else {
            break;
        };
        found.push(one);
        turn.iter().for_each(|&step| game.play(step));
    }
    found
}

fn restored_turn<G: Show>(
    position: &G,
    text: &str,
    turn: usize,
    of: (String, Option<String>),
) -> Option<Assessed> {
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    let words: Vec<&str> = text.split(' ').collect();
    let &[white, score, best, error, forced, luck] = &words[..] else {
        return None;
    };
    let best_turn = read::turn(position, best)?;
    let (white, error) = (number(white)?, number(error)?);
    let (view, after) = turn_view(position, &best_turn, None);
    let luck = match luck {
        "-" => None,
        luck => Some(number(luck)?),
    };
    (!after.is_mid_turn()).then(|| Assessed {
        turn,
        white,
        score: score.to_owned(),
        best: view.san,
        best_token: view.token,
        best_steps: view.steps,
        error,
        quality: Quality::of_loss(error),
        forced: forced == "forced",
        of,
        mark: glyph(error).map_or("", |(mark, _)| mark),
        // It stands beside the turn already.
        eval: None,
        nag: glyph(error).map(|(_, nag)| nag),
        luck,
    })
}

/// Assesses the complete turns of a game, oldest first, until `control` says stop.
pub(crate) fn review<G: Show>(
    played: &Played<G>,
    nodes: u64,
    control: &Control,
    report: &mut dyn FnMut(Assessed),
) {
    let (Ok(table), Ok(luck_table)) = (Table::new(HASH), Table::new(1)) else {
        return;
    };
    let thinker = thinker(nodes, &table);
    let mut game = Game::new(*played.start(), *played.game().options());
    for (number, node) in played.turns().iter().enumerate() {
        if let Some(roll) = node.turn.roll {
            game.set_roll(roll);
        }
        let turn: Turn<G::Step> = node.turn.steps().iter().copied().collect();
        let assessed = thinker.assess(&game, &turn, &luck_table, control);
        if control.is_stopped() {
            return;
        }
        let roll = node.turn.dice().map(|roll| roll.to_string());
        report(shown(&assessed, number, roll));
        turn.iter().for_each(|&step| game.play(step));
    }
}

fn shown<G: Show>(one: &assess::Assessed<G>, turn: usize, roll: Option<String>) -> Assessed {
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
        best_steps: turn_view(&one.position, best_turn, None).0.steps,
        error: one.error,
        quality: Quality::of_loss(one.error),
        forced: one.is_forced,
        of: (turn_token(&one.position, &one.turn), roll),
        mark: glyph(one.error).map_or("", |(mark, _)| mark),
        eval: eval_text(one.score(), one.bound()),
        nag: glyph(one.error).map(|(_, nag)| nag),
        luck: one.luck.map(|luck| white_luck(luck, mover)),
    }
}
