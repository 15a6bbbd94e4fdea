use super::annotate::Annotated;
use super::assess::{Assessed, Played, assess};
use super::source::SourceGame;
use super::sums::{Sums, print_sums};
use crate::terminal::{PrintError, Printer, fit_terminal, signed};
use anyhow::{Context, Result};
use fauve_engine::rules::Game;
use fauve_engine::search::{Control, Engine};
use fauve_referee::assess::Thinker;
use fauve_referee::record::replay::{self, ReplayError, TurnFault};

/// Analyses a game turn by turn, and gives it with what was found. The turns before a fault are analysed and printed.
pub(super) fn analyse<G: Engine>(
    source: &SourceGame,
    thinker: &Thinker,
    json: bool,
) -> Result<Annotated> {
    let options: G::Options = source.rules.options();
    let mut out = Printer::default();
    let mut annotated = Annotated::of(source);
    if !json {
        print_heading(&mut out, source, G::HAS_CHANCE)?;
    }
    let (start, seed) = match &source.start {
        Some(fen) => {
            let parsed = G::from_fen(fen, &options).context("the first position")?;
            (parsed.position, source.seed.or(parsed.seed))
        }
        None => (G::start(&options), source.seed),
    };
    let mut game = Game::new(start, options);
    let mut sums = [Sums::default(), Sums::default()];
    for (place, (roll, token)) in (1..).zip(&source.turns) {
        let fail = |fault| ReplayError::Turn {
            number: place,
            fault,
        };
        let mut before_roll = None;
        if game.position().awaits_roll() {
            before_roll = Some(thinker.judge(&game, Vec::new(), &Control::default()));
        }
        replay::set_roll(&mut game, roll.as_deref(), seed).map_err(fail)?;
        let turn = replay::read(game.position(), token)
            .ok_or_else(|| fail(TurnFault::Illegal(token.clone())))
            .with_context(|| game.position().fen())?;
        let played = Played {
            place,
            roll: roll.as_deref(),
            turn: &turn,
            before_roll,
        };
        let assessed = assess(&game, thinker, &played);
        sums[game.position().side_to_move().index()].add(&assessed);
        if json {
            writeln!(out, "{}", serde_json::to_string(&assessed)?)?;
        } else {
            print_turn(&mut out, &assessed, G::HAS_CHANCE)?;
        }
        annotated.turns.push(assessed);
        turn.iter().for_each(|&step| game.play(step));
    }
    if !json {
        writeln!(out)?;
        if let Some(end) = game.outcome() {
            writeln!(out, "{end}")?;
        }
        print_sums(&mut out, &sums, G::HAS_CHANCE)?;
    }
    Ok(annotated)
}

/// Which game it is, and who played.
pub(super) fn print_title(out: &mut Printer, source: &SourceGame) -> Result<(), PrintError> {
    let players = match (source.tag("White"), source.tag("Black")) {
        (None, None) => String::new(),
        (white, black) => format!(": {} - {}", white.unwrap_or("?"), black.unwrap_or("?")),
    };
    let event = source
        .tag("Event")
        .map_or(String::new(), |event| format!(", {event}"));
    let title = format!(
        "Game {}{players}{event}, {}, {}",
        source.number, source.variant, source.result
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
    text += assessed.glyph().map_or("", |(sign, _)| sign);
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
