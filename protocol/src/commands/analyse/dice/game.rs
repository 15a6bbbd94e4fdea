//! A game turn by turn: the chance before and after, the luck of the roll, the error of the turn, and what that makes of
//! the players.

use super::picture::{Point, picture};
use super::rating::rating;
use crate::commands::analyse::assess::{Assessed, assess_game};
use crate::commands::analyse::game::print_title;
use crate::commands::analyse::source::SourceGame;
use crate::commands::analyse::sums::{ERROR_ROWS, QUALITY_ROWS};
use crate::terminal::{Printer, fit_terminal, signed};
use anyhow::{Context, Result};
use fauve_engine::rules::dice::DiceChess;
use fauve_game::assess::{self, MISTAKE, Thinker};
use fauve_game::report::SideReport;
use fauve_referee::record::save::save;
use std::path::Path;

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
        let head = format!("{:<32} White before and after the turn", "turn");
        writeln!(out, "{}", fit_terminal(&head))?;
    }
    let mut sums = [SideReport::default(); 2];
    let mut points = Vec::new();
    let mut show = |place, one: &assess::Assessed<DiceChess>| {
        let assessed = Assessed::new(source.number, place, one);
        assessed.count_in(&mut sums[one.mover().index()]);
        points.push(point(&assessed));
        if json {
            writeln!(out, "{}", serde_json::to_string(&assessed)?)?;
        } else {
            print_turn(&mut out, &assessed)?;
        }
        Ok(())
    };
    let (annotated, end) = assess_game(source, thinker, &mut show)?;
    if !json {
        writeln!(out)?;
        if let Some(end) = end {
            writeln!(out, "{end}")?;
        }
        print_sums(&mut out, &sums)?;
    }
    if let Some(path) = drawing {
        let name = path.display();
        save(path, picture(&points).as_bytes())
            .with_context(|| format!("{name} cannot be written"))?;
    }
    Ok(annotated)
}

fn point(one: &Assessed) -> Point {
    let luck = one.luck.unwrap_or(0.0);
    Point {
        before: one.before.unwrap_or(one.best_white),
        after: one.white,
        luck: if one.side == 'w' { luck } else { -luck },
        mistake: one.error >= MISTAKE,
    }
}

fn print_turn(out: &mut Printer, one: &Assessed) -> Result<()> {
    let (number, mark) = (one.number, one.sign());
    let dots = if one.side == 'w' { "." } else { "..." };
    let roll = one.roll.as_deref().unwrap_or_default();
    let text = format!("{number}{dots} [{roll}] {}{mark}", one.san);
    let mut line = format!(
        "{text:<32} {:>5.1} -> {:>5.1} %  luck {:>6}",
        one.before.unwrap_or(one.best_white) * 100.0,
        one.white * 100.0,
        signed(one.luck.unwrap_or(0.0) * 100.0, 1)
    );
    if one.error > 0.0 {
        line += &format!("  lost {:.1}, better {}", one.error * 100.0, one.best_san);
    }
    writeln!(out, "{}", fit_terminal(&line))?;
    Ok(())
}

/// Prints the sums of White and Black side by side.
fn print_sums(out: &mut Printer, sums: &[SideReport; 2]) -> Result<()> {
    writeln!(out, "{:<32} {:>14} {:>14}", "", "White", "Black")?;
    let mut row = |name: &str, text: &dyn Fn(&SideReport) -> String| -> Result<()> {
        let [white, black] = [text(&sums[0]), text(&sums[1])];
        writeln!(out, "{name:<32} {white:>14} {black:>14}")?;
        Ok(())
    };
    row("turns / unforced", &|sum| {
        format!("{} / {}", sum.turns, sum.unforced)
    })?;
    for (name, text) in QUALITY_ROWS {
        row(name, &text)?;
    }
    row("error per unforced turn, points", &|sum| {
        format!("{:.4}", sum.error_rate())
    })?;
    for (name, text) in ERROR_ROWS {
        row(name, &text)?;
    }
    row("total luck, points", &|sum| {
        signed(sum.luck.unwrap_or(0.0), 3)
    })?;
    row("rating", &|sum| rating(sum.error_rate()).to_owned())
}
