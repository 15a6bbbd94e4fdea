//! A position before its roll: the 56 rolls with their best turns.

use crate::terminal::{Printer, number};
use anyhow::Result;
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::{Chance, Game, Notation, Roll, Rules, Turn, turn_san, turn_token};
use fauve_engine::search::{Control, Report};
use fauve_game::assess::{Thinker, white_points};
use serde::Serialize;

/// A roll, for `--json`.
#[derive(Serialize)]
struct Line {
    roll: String,
    weight: u32,
    /// White's chance to win.
    chance: f64,
    best: String,
    san: String,
}

/// Prints what each roll is worth and its best turn, the best rolls first.
pub(in crate::commands::analyse) fn rolls(
    game: &Game<DiceChess>,
    thinker: &Thinker,
    json: bool,
) -> Result<()> {
    let mut out = Printer::default();
    let root = *game.position();
    if !json {
        writeln!(out, "{}\n", root.fen())?;
        writeln!(out, "roll  White  of 216  best turn")?;
    }
    let mover = root.side_to_move();
    let mut lines: Vec<Line> = Vec::new();
    let mut depth = 0;
    let answer = thinker.search(game, &Control::default(), &mut |report| match report {
        Report::Pv(info) => depth = info.depth,
        Report::Roll {
            roll,
            weight,
            win_chance,
            turn,
        } => lines.push(line(&root, roll, weight, win_chance, &turn)),
        Report::Message(_) | Report::Current { .. } => {}
    });
    // The best for the side that rolls first.
    lines.sort_by(|a, b| white_points(b.chance, mover).total_cmp(&white_points(a.chance, mover)));
    for line in &lines {
        if json {
            writeln!(out, "{}", serde_json::to_string(line)?)?;
        } else {
            writeln!(
                out,
                "{}   {:>5.1}%  {:>5}  {:<20} {}",
                line.roll,
                line.chance * 100.0,
                line.weight,
                line.best,
                line.san
            )?;
        }
    }
    if !json {
        let chance = white_points(answer.win_chance.unwrap_or(0.5), mover) * 100.0;
        writeln!(
            out,
            "\nWhite's chance {chance:.1} %, {} deep; {} takes the king with {} of 216 throws",
            number(depth, "turn"),
            mover.name(),
            root.king_capture()
        )?;
    }
    Ok(())
}

fn line(
    root: &DiceChess,
    roll: Roll,
    weight: u32,
    chance: f64,
    turn: &Turn<<DiceChess as Rules>::Step>,
) -> Line {
    let mut rolled = *root;
    rolled.set_roll(roll);
    Line {
        roll: roll.to_string(),
        weight,
        chance: white_points(chance, root.side_to_move()),
        best: turn_token(&rolled, turn),
        san: turn_san(&rolled, turn),
    }
}
