//! A game turn by turn: the chance before and after, the luck of the roll, the error of the turn, and what that makes of
//! the players.

use super::picture::{Point, picture};
use super::rating::rating;
use crate::commands::analyse::annotate::Annotated;
use crate::commands::analyse::assess;
use crate::commands::analyse::game::print_title;
use crate::commands::analyse::source::SourceGame;
use crate::commands::analyse::value::Value;
use crate::terminal::{Printer, fit_terminal, signed};
use anyhow::{Context, Result};
use fauve_engine::core::Color;
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::{Chance, Game, Notation, Rules, Turn, turn_san, turn_token};
use fauve_engine::search::{Control, Score, Table};
use fauve_referee::assess::{BLUNDER, MISTAKE, Thinker, white_points};
use fauve_referee::matches::luck::luck;
use fauve_referee::record::replay::{self, ReplayError, TurnFault};
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

impl Assessed {
    /// The chance of White after the turn.
    fn white_after(&self) -> f64 {
        if self.side == 'w' {
            self.after
        } else {
            1.0 - self.after
        }
    }

    /// The same for annotations.
    fn plain(&self) -> assess::Assessed {
        let white = self.white_after();
        let win = (white * 1000.0).round() as u16;
        assess::Assessed {
            turn: self.turn,
            number: self.number,
            side: self.side,
            fen: self.fen.clone(),
            roll: Some(self.roll.clone()),
            played: self.played.clone(),
            san: self.san.clone(),
            best: self.best.clone(),
            best_san: self.best_san.clone(),
            white,
            value: Value::new(Score::Cp(centipawns(white)), [win, 0, 1000 - win.min(1000)]),
            loss_cp: None,
            error: self.error,
            luck: Some(self.luck),
        }
    }
}

/// A chance to win as the protocol writes it: ten to one is 400.
fn centipawns(chance: f64) -> i32 {
    const MOST: f64 = 3500.0;
    let odds = 400.0 * (chance / (1.0 - chance)).log10();
    odds.clamp(-MOST, MOST) as i32
}

/// Analyses a game; draws its course into a file if one is named. Gives the game with what was found.
pub(in crate::commands::analyse) fn analyse(
    source: &SourceGame,
    thinker: &Thinker,
    json: bool,
    drawing: Option<&Path>,
) -> Result<Annotated> {
    let mut out = Printer::default();
    let mut annotated = Annotated::of(source);
    if !json {
        print_title(&mut out, source)?;
    }
    let options: <DiceChess as Rules>::Options = source.rules.options();
    let (start, seed) = match &source.start {
        Some(fen) => {
            let parsed = DiceChess::from_fen(fen, &options).context("the first position")?;
            (parsed.position, source.seed.or(parsed.seed))
        }
        None => (DiceChess::start(&options), source.seed),
    };
    let luck_table = Table::new(1).context("no memory for the table of the luck")?;
    let mut game = Game::new(start, options);
    let mut sums = [Sums::default(), Sums::default()];
    let mut points = Vec::new();
    for (number, (roll, token)) in (1..).zip(&source.turns) {
        let fail = |fault| ReplayError::Turn { number, fault };
        let before = *game.position();
        replay::set_roll(&mut game, roll.as_deref(), seed).map_err(fail)?;
        let turn = replay::read(game.position(), token)
            .ok_or_else(|| fail(TurnFault::Illegal(token.clone())))
            .with_context(|| game.position().fen())?;
        let given = game
            .position()
            .whole_roll()
            .filter(|_| before.awaits_roll())
            .and_then(|roll| luck(&before, roll, &luck_table))
            .unwrap_or(0.0);
        let assessed = assess(&game, thinker, number, &turn, given);
        sums[game.position().side_to_move().index()].add(&assessed);
        points.push(point(&assessed));
        annotated.turns.push(assessed.plain());
        if json {
            writeln!(out, "{}", serde_json::to_string(&assessed)?)?;
        } else {
            print_turn(&mut out, &assessed)?;
        }
        turn.iter().for_each(|&step| game.play(step));
    }
    if !json {
        writeln!(out)?;
        if let Some(end) = game.outcome() {
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

/// Assesses a turn that is about to be played; `given` is what the roll gave White.
fn assess(
    game: &Game<DiceChess>,
    thinker: &Thinker,
    number: usize,
    turn: &Turn<<DiceChess as Rules>::Step>,
    given: f64,
) -> Assessed {
    let position = game.position();
    let mover = position.side_to_move();
    let weighed = thinker.weigh(game, turn, &Control::default());
    let (rolled, error) = (weighed.best.points, weighed.error());
    let luck = if mover == Color::White { given } else { -given };
    Assessed {
        turn: number,
        number: position.turn_index() / 2 + 1,
        side: mover.letter(),
        fen: position.fen(),
        roll: position
            .whole_roll()
            .map_or_else(String::new, |roll| roll.to_string()),
        played: turn_token(position, turn),
        san: turn_san(position, turn),
        best: turn_token(position, &weighed.best_turn),
        white: white_points(rolled, mover),
        best_san: turn_san(position, &weighed.best_turn),
        before: (rolled - luck).clamp(0.0, 1.0),
        rolled,
        after: rolled - error,
        luck,
        error,
        forced: position.count_turns() == 1,
    }
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
