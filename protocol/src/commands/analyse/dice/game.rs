//! A game turn by turn: the chance before and after, the luck of the roll, the error of the turn, and what that makes of
//! the players.

use super::picture::{Point, picture};
use super::rating::rating;
use crate::commands::analyse::assess::assess_game;
use crate::commands::analyse::game::print_title;
use crate::commands::analyse::source::SourceGame;
use crate::commands::analyse::value::Value;
use crate::terminal::{Printer, fit_terminal, signed};
use anyhow::{Context, Result};
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::{Chance, Notation, Rules, turn_san, turn_token};
use fauve_engine::search::Score;
use fauve_game::assess::{self, BLUNDER, MISTAKE, Thinker, white_points};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// What one turn was worth, for the record and for `--json`; chances are the mover's, 0 to 1.
#[derive(Serialize)]
struct Assessed {
    /// Its place in the game, from 1.
    turn: usize,
    /// The number that the position gives it.
    number: u64,
    /// The side that made it, `w` or `b`.
    side: char,
    /// The position with its roll.
    fen: String,
    roll: String,
    played: String,
    san: String,
    best: String,
    /// White's expected points after the best turn.
    white: f64,
    best_san: String,
    /// The chance before the roll.
    before: f64,
    /// The chance with the roll and the best turn.
    rolled: f64,
    /// The chance after the turn that was played.
    after: f64,
    /// What the roll gave.
    luck: f64,
    /// What the turn lost.
    error: f64,
    /// Whether there was nothing else to play.
    forced: bool,
}

/// The sums of one player.
#[derive(Default)]
struct Sums {
    turns: u32,
    unforced: u32,
    error: f64,
    luck: f64,
    worst: f64,
    mistakes: u32,
    blunders: u32,
}

impl Sums {
    fn add(&mut self, one: &Assessed) {
        self.turns += 1;
        self.unforced += u32::from(!one.forced);
        self.error += one.error;
        self.luck += one.luck;
        self.worst = self.worst.max(one.error);
        self.blunders += u32::from(one.error >= BLUNDER);
        self.mistakes += u32::from((MISTAKE..BLUNDER).contains(&one.error));
    }

    fn rate(&self) -> f64 {
        self.error / f64::from(self.unforced.max(1))
    }
}

/// A chance to win as the protocol writes it: ten to one is 400.
fn centipawns(chance: f64) -> i32 {
    const MOST: f64 = 3500.0;
    let odds = 400.0 * (chance / (1.0 - chance)).log10();
    odds.clamp(-MOST, MOST) as i32
}

/// Analyses a game; draws its course into a file if one is named. Gives the game as PGN with what was found.
pub(in crate::commands::analyse) fn analyse(
    source: &SourceGame,
    thinker: &Thinker,
    json: bool,
    drawing: Option<&Path>,
) -> Result<String> {
    let mut out = Printer::default();
    if !json {
        print_title(&mut out, source)?;
    }
    let mut sums = [Sums::default(), Sums::default()];
    let mut points = Vec::new();
    let mut show = |place, one: &assess::Assessed<DiceChess>| {
        let assessed = assessed(place, one);
        sums[one.mover().index()].add(&assessed);
        points.push(point(&assessed));
        if json {
            writeln!(out, "{}", serde_json::to_string(&assessed)?)?;
        } else {
            print_turn(&mut out, &assessed)?;
        }
        Ok(())
    };
    let (annotated, end) = assess_game(source, thinker, &mut show, value)?;
    if !json {
        writeln!(out)?;
        if let Some(end) = end {
            writeln!(out, "{end}")?;
        }
        print_sums(&mut out, &sums)?;
    }
    if let Some(path) = drawing {
        let name = path.display();
        fs::write(path, picture(&points)).with_context(|| format!("{name} cannot be written"))?;
    }
    Ok(annotated)
}

/// What was found about a turn, for people and for `--json`.
fn assessed(place: usize, one: &assess::Assessed<DiceChess>) -> Assessed {
    let (position, best) = (&one.position, &one.weighed.best_turn);
    let rolled = one.weighed.best.points;
    Assessed {
        turn: place,
        number: one.number(),
        side: one.mover().letter(),
        fen: position.fen(),
        roll: position
            .whole_roll()
            .map_or_else(String::new, |roll| roll.to_string()),
        played: turn_token(position, &one.turn),
        san: turn_san(position, &one.turn),
        best: turn_token(position, best),
        white: white_points(rolled, one.mover()),
        best_san: turn_san(position, best),
        before: one.before_roll(),
        rolled,
        after: rolled - one.error,
        luck: one.luck.unwrap_or(0.0),
        error: one.error,
        forced: position.count_turns() == 1,
    }
}

/// The value after the turn as the protocol writes it.
fn value(one: &assess::Assessed<DiceChess>) -> Value {
    let white = white_points(one.weighed.best.points - one.error, one.mover());
    let win = (white * 1000.0).round() as u16;
    Value::new(Score::Cp(centipawns(white)), [win, 0, 1000 - win.min(1000)])
}

fn point(one: &Assessed) -> Point {
    let white = |chance: f64| match one.side {
        'w' => chance,
        _ => 1.0 - chance,
    };
    Point {
        before: white(one.before),
        after: white(one.after),
        luck: if one.side == 'w' { one.luck } else { -one.luck },
        mistake: one.error >= MISTAKE,
    }
}

fn print_turn(out: &mut Printer, one: &Assessed) -> Result<()> {
    let number = one.number;
    let dots = if one.side == 'w' { "." } else { "..." };
    let mark = match one.error {
        error if error >= BLUNDER => "??",
        error if error >= MISTAKE => "?",
        _ => "",
    };
    let text = format!("{number}{dots} [{}] {}{mark}", one.roll, one.san);
    let mut line = format!(
        "{text:<32} {:>5.1} -> {:>5.1} %  luck {:>6}",
        one.before * 100.0,
        one.after * 100.0,
        signed(one.luck * 100.0, 1)
    );
    if one.error > 0.0 {
        line += &format!("  lost {:.1}, better {}", one.error * 100.0, one.best_san);
    }
    writeln!(out, "{}", fit_terminal(&line))?;
    Ok(())
}

/// Prints the sums of White and Black side by side.
fn print_sums(out: &mut Printer, sums: &[Sums; 2]) -> Result<()> {
    writeln!(out, "{:<32} {:>14} {:>14}", "", "White", "Black")?;
    let mut row = |name: &str, text: &dyn Fn(&Sums) -> String| -> Result<()> {
        let [white, black] = [text(&sums[0]), text(&sums[1])];
        writeln!(out, "{name:<32} {white:>14} {black:>14}")?;
        Ok(())
    };
    row("turns / unforced", &|sum| {
        format!("{} / {}", sum.turns, sum.unforced)
    })?;
    row("error in all, points", &|sum| format!("{:.3}", sum.error))?;
    row("error per unforced turn, points", &|sum| {
        format!("{:.4}", sum.rate())
    })?;
    row("worst turn, points", &|sum| format!("{:.3}", sum.worst))?;
    row("mistakes / blunders", &|sum| {
        format!("{} / {}", sum.mistakes, sum.blunders)
    })?;
    row("luck in all, points", &|sum| signed(sum.luck, 3))?;
    row("rating", &|sum| rating(sum.rate()).to_owned())
}
