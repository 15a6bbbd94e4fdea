//! A game turn by turn: the chance before and after, the luck of the roll, the error of the turn, and what that makes of
//! the players.

use super::picture::{Point, picture};
use super::rating::rating;
use crate::commands::analyse::assess::{BLUNDER, MISTAKE};
use crate::commands::analyse::source::Source;
use crate::commands::analyse::think::Thinker;
use crate::terminal::Printer;
use anyhow::{Context, Result, anyhow};
use fauve_engine::core::Color;
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::{Chance, Game, Notation, Rules, Turn, printable, turn_san, turn_token};
use fauve_engine::search::Table;
use fauve_referee::matches::luck::luck;
use fauve_referee::record::replay;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// What one turn was worth, for the record and for `--json`; chances are the mover's, 0 to 1.
#[derive(Serialize)]
struct Assessed {
    /// Its number, from 1.
    turn: usize,
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

/// Analyses a game; draws its course into a file if one is named.
pub(in crate::commands::analyse) fn analyse(
    source: &Source,
    thinker: &Thinker,
    json: bool,
    drawing: Option<&Path>,
) -> Result<()> {
    let mut out = Printer::default();
    let options = <DiceChess as Rules>::Options::default();
    let (start, seed) = match &source.start {
        Some(fen) => {
            let parsed = DiceChess::from_fen(fen, &options)?;
            (parsed.position, source.seed.or(parsed.seed))
        }
        None => (DiceChess::start(&options), source.seed),
    };
    let luck_table = Table::new(1).context("no memory for the table of the luck")?;
    let mut game = Game::new(start, options);
    let mut sums = [Sums::default(), Sums::default()];
    let mut points = Vec::new();
    for (number, (roll, token)) in (1..).zip(&source.turns) {
        let before = *game.position();
        if before.awaits_roll() {
            replay::set_roll(&mut game, roll.as_deref(), seed)
                .map_err(|why| anyhow!("turn {number}: {why}"))?;
        }
        let turn = replay::read(game.position(), token).with_context(|| {
            let fen = game.position().fen();
            let token = printable(token);
            format!("turn {number}: '{token}' is not legal in {fen}")
        })?;
        let given = game
            .position()
            .whole_roll()
            .filter(|_| before.awaits_roll())
            .and_then(|roll| luck(&before, roll, &luck_table))
            .unwrap_or(0.0);
        let assessed = assess(&game, thinker, number, &turn, given);
        sums[game.position().side_to_move().index()].add(&assessed);
        points.push(point(&assessed));
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
    Ok(())
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
    let best = thinker.judge(game, Vec::new());
    let best_turn = best.answer.best.clone().unwrap_or_else(|| turn.clone());
    let leads_to = |turn: &Turn<_>| {
        let mut after = *position;
        turn.iter().for_each(|&step| after.play(step));
        after.key()
    };
    let after = if leads_to(&best_turn) == leads_to(turn) {
        best.points
    } else {
        let own = thinker.judge(game, vec![turn.clone()]).points;
        // A search of one turn can see more than the search of all: then nothing was lost.
        own.min(best.points)
    };
    let luck = if mover == Color::White { given } else { -given };
    Assessed {
        turn: number,
        side: mover.letter(),
        fen: position.fen(),
        roll: position
            .whole_roll()
            .map_or_else(String::new, |roll| roll.to_string()),
        played: turn_token(position, turn),
        san: turn_san(position, turn),
        best: turn_token(position, &best_turn),
        white: match mover {
            Color::White => best.points,
            Color::Black => 1.0 - best.points,
        },
        before: (best.points - luck).clamp(0.0, 1.0),
        rolled: best.points,
        after,
        luck,
        error: best.points - after,
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
    let number = one.turn.div_ceil(2);
    let dots = if one.side == 'w' { "." } else { "..." };
    let mark = match one.error {
        error if error >= BLUNDER => "??",
        error if error >= MISTAKE => "?",
        _ => "",
    };
    let text = format!("{number}{dots} [{}] {}{mark}", one.roll, one.san);
    let mut line = format!(
        "{text:<34} {:>5.1} % -> {:>5.1} %  luck {:>+6.1} %",
        one.before * 100.0,
        one.after * 100.0,
        one.luck * 100.0
    );
    if one.error > 0.0 {
        line += &format!("  lost {:>4.1} %, best {}", one.error * 100.0, one.best);
    }
    writeln!(out, "{line}")?;
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
    row("luck in all, points", &|sum| format!("{:+.3}", sum.luck))?;
    row("rating", &|sum| rating(sum.rate()).to_owned())
}
