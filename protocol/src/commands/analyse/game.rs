use super::assess::{Assessed, assess_game};
use super::source::SourceGame;
use super::sums::{Sums, print_sums};
use super::value::Value;
use crate::terminal::{PrintError, Printer, fit_terminal, signed};
use anyhow::Result;
use fauve_engine::search::Engine;
use fauve_game::assess::{Thinker, white_wdl};

/// Analyses a game turn by turn, and gives it as PGN with what was found. The turns before a fault are analysed and printed.
pub(super) fn analyse<G: Engine>(
    source: &SourceGame,
    thinker: &Thinker,
    json: bool,
) -> Result<String> {
    let mut out = Printer::default();
    if !json {
        print_heading(&mut out, source, G::HAS_CHANCE)?;
    }
    let mut sums = [Sums::default(), Sums::default()];
    let mut show = |place, one: &fauve_game::assess::Assessed<G>| {
        let assessed = Assessed::new(place, one);
        sums[one.mover().index()].add(&assessed);
        if json {
            writeln!(out, "{}", serde_json::to_string(&assessed)?)?;
        } else {
            print_turn(&mut out, &assessed, G::HAS_CHANCE)?;
        }
        Ok(())
    };
    let value = |one: &fauve_game::assess::Assessed<G>| {
        Value::new(one.score(), white_wdl(one.weighed.made().wdl, one.mover()))
    };
    let (annotated, end) = assess_game(source, thinker, &mut show, value)?;
    if !json {
        writeln!(out)?;
        if let Some(end) = end {
            writeln!(out, "{end}")?;
        }
        print_sums(&mut out, &sums, G::HAS_CHANCE)?;
    }
    Ok(annotated)
}

/// Which game it is, and who played.
pub(super) fn print_title(out: &mut Printer, source: &SourceGame) -> Result<(), PrintError> {
    let tags = &source.pgn.tags;
    let players = match (tags.known("White"), tags.known("Black")) {
        (None, None) => String::new(),
        (white, black) => format!(": {} - {}", white.unwrap_or("?"), black.unwrap_or("?")),
    };
    let event = tags
        .known("Event")
        .map_or(String::new(), |event| format!(", {event}"));
    let title = format!(
        "Game {}{players}{event}, {}, {}",
        source.number,
        source.variant,
        source.pgn.result_text()
    );
    writeln!(out, "{}\n", fit_terminal(&title))
}

/// The same, and what stands in the columns below.
fn print_heading(out: &mut Printer, source: &SourceGame, has_dice: bool) -> Result<(), PrintError> {
    print_title(out, source)?;
    let luck = if has_dice { "    luck" } else { "" };
    let head = format!(
        "{:<TURN$} {:>7} {:>6}{luck}  {:>6}  better was",
        "turn", "value", "White", "loss"
    );
    writeln!(out, "{head}")
}

/// Columns of a turn with its number, roll and sign.
const TURN: usize = 26;

fn print_turn(out: &mut Printer, assessed: &Assessed, has_dice: bool) -> Result<(), PrintError> {
    let dots = if assessed.side == 'w' { "." } else { "..." };
    let mut text = format!("{}{dots} ", assessed.number);
    if let Some(roll) = &assessed.roll {
        text += &format!("[{roll}] ");
    }
    text += &assessed.san;
    text += assessed.sign();
    let mut line = format!(
        "{text:<TURN$} {:>7} {:>5.1}%",
        assessed.value.text(),
        assessed.white * 100.0
    );
    if let Some(luck) = assessed.luck {
        line += &format!("  {:>6}", signed(luck, 3));
    } else if has_dice {
        line += "        ";
    }
    if !assessed.is_best() {
        let loss = match assessed.loss_cp {
            _ if has_dice => format!("{:.3}", assessed.error),
            Some(cp) => format!("{:.2}", f64::from(cp) / 100.0),
            None => "mate".to_owned(),
        };
        line += &format!("  {loss:>6}  {}", assessed.best_san);
    }
    writeln!(out, "{}", fit_terminal(line.trim_end()))
}
