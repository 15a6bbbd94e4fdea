//! A game assessed turn by turn: what each lost against the best, and what the dice gave.

use crate::play::{score_text, white_points};
use crate::view::Show;
use fauve_engine::core::Color;
use fauve_engine::rules::{Event, Game, Turn, turn_san, turn_token};
use fauve_engine::search::{Control, Limits, Report, Settings, Table};
use serde::Serialize;

/// Expected points from which a loss is called a mistake, and a blunder.
const MISTAKES: [(f64, &str); 2] = [(0.20, "??"), (0.08, "?")];
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

/// What a search says of a position: the best turn, its score, the expected points of the side to move.
struct Verdict<G: Show> {
    best: Option<Turn<G::Step>>,
    score: String,
    points: f64,
}

struct Judge<'a> {
    nodes: u64,
    table: Table,
    control: &'a Control,
}

impl Judge<'_> {
    fn judge<G: Show>(&self, game: &Game<G>, only: Vec<Turn<G::Step>>) -> Verdict<G> {
        if G::HAS_CHANCE {
            // The luck is a difference of searches: what one leaves behind must not show in the next.
            self.table.clear();
        }
        let limits = Limits {
            nodes: Some(self.nodes),
            searchmoves: only,
            ..Limits::default()
        };
        let mover = game.position().side_to_move();
        let mut points = 0.5;
        let settings = Settings::default();
        let answer = G::think(
            game,
            &limits,
            &settings,
            &self.table,
            self.control,
            &mut |said| {
                if let Report::Pv(info) = said {
                    points = white_points(info.win_chance, info.wdl, Color::White);
                }
            },
        );
        Verdict {
            best: answer.best,
            score: score_text(answer.score, mover),
            points: answer.win_chance.unwrap_or(points),
        }
    }
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
    let judge = Judge {
        nodes,
        table,
        control,
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
                before_roll = Some(judge.judge(&replayed, Vec::new()).points);
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
                let assessed = assess(&judge, &root, &turn, before_roll.take(), number);
                if control.is_stopped() {
                    return;
                }
                report(assessed);
                turn.clear();
                number += 1;
            }
        }
    }
}

fn assess<G: Show>(
    judge: &Judge,
    root: &Game<G>,
    turn: &Turn<G::Step>,
    before_roll: Option<f64>,
    number: usize,
) -> Assessed {
    let position = root.position();
    let best = judge.judge(root, Vec::new());
    let best_turn = best.best.clone().unwrap_or_else(|| turn.clone());
    let error = if best_turn == *turn {
        0.0
    } else {
        // A search of one turn can see more than the search of all: then nothing was lost.
        (best.points - judge.judge(root, vec![turn.clone()]).points).max(0.0)
    };
    let to_white = |points: f64| match position.side_to_move() {
        Color::White => points,
        Color::Black => 1.0 - points,
    };
    let mark = MISTAKES
        .iter()
        .find(|(least, _)| error >= *least)
        .map_or("", |(_, mark)| *mark);
    Assessed {
        turn: number,
        white: to_white(best.points),
        score: best.score.clone(),
        best: turn_san(position, &best_turn),
        best_token: turn_token(position, &best_turn),
        error,
        mark,
        luck: before_roll.map(|before| to_white(best.points) - to_white(before)),
    }
}
