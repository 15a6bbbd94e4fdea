use super::assess::{Assessed, assess_game};
use super::source::SourceGame;
use super::sums::{Sums, print_sums};
use crate::terminal::{PrintError, Printer, fit_terminal};
use anyhow::Result;
use fauve_engine::search::Engine;
use fauve_game::assess::Thinker;

/// Analyses a game turn by turn, and gives it as PGN with what was found. The turns before a fault are analysed and printed.
pub(super) fn analyse<G: Engine>(
    source: &SourceGame,
    thinker: &Thinker,
    json: bool,
) -> Result<String> {
    let mut out = Printer::default();
    if !json {
        print_heading(&mut out, source)?;
    }
    let mut sums = [Sums::default(), Sums::default()];
    let mut show = |place, one: &fauve_game::assess::Assessed<G>| {
        let assessed = Assessed::new(source.number, place, one);
        sums[one.mover().index()].add(&assessed);
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
fn print_heading(out: &mut Printer, source: &SourceGame) -> Result<(), PrintError> {
    print_title(out, source)?;
    let head = format!(
        "{:<TURN$} {:>7} {:>6}  {:>6}  better",
        "turn", "value", "White", "loss"
    );
    writeln!(out, "{head}")
}

/// Columns of a turn with its number, roll and sign.
const TURN: usize = 26;

fn print_turn(out: &mut Printer, assessed: &Assessed) -> Result<(), PrintError> {
    let dots = if assessed.side == 'w' { "." } else { "..." };
    let (number, san, sign) = (assessed.number, &assessed.san, assessed.sign());
    let text = format!("{number}{dots} {san}{sign}");
    let mut line = format!(
        "{text:<TURN$} {:>7} {:>5.1}%",
        assessed.value.text(),
        assessed.white * 100.0
    );
    if !assessed.is_best() {
        let loss = match assessed.loss_cp {
            Some(cp) => format!("{:.2}", f64::from(cp) / 100.0),
            None => "mate".to_owned(),
        };
        line += &format!("  {loss:>6}  {}", assessed.best_san);
    }
    writeln!(out, "{}", fit_terminal(line.trim_end()))
}
