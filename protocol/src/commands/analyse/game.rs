use super::assess::{Assessed, BLUNDER, MISTAKE, Played, assess};
use super::source::Source;
use super::sums::{Sums, print_sums};
use super::think::Thinker;
use crate::terminal::{PrintError, Printer, score_text};
use anyhow::{Context, Result, anyhow};
use fauve_engine::rules::{Game, printable};
use fauve_engine::search::{Engine, Score};
use fauve_referee::record::replay;

/// Analyses a game turn by turn.
pub(super) fn analyse<G: Engine>(
    source: &Source,
    options: &G::Options,
    thinker: &Thinker,
    json: bool,
) -> Result<()> {
    let mut out = Printer::default();
    let (start, seed) = match &source.start {
        Some(fen) => {
            let parsed = G::from_fen(fen, options)?;
            (parsed.position, source.seed.or(parsed.seed))
        }
        None => (G::start(options), source.seed),
    };
    let mut game = Game::new(start, *options);
    let mut sums = [Sums::default(), Sums::default()];
    for (number, (roll, token)) in (1..).zip(&source.turns) {
        let mut before_roll = None;
        if game.position().awaits_roll() {
            before_roll = Some(thinker.judge(&game, Vec::new()));
            replay::set_roll(&mut game, roll.as_deref(), seed)
                .map_err(|why| anyhow!("turn {number}: {why}"))?;
        }
        let turn = replay::read(game.position(), token).with_context(|| {
            let fen = game.position().fen();
            let token = printable(token);
            format!("turn {number}: '{token}' is not legal in {fen}")
        })?;
        let played = Played {
            number,
            roll: roll.as_deref(),
            turn: &turn,
            before_roll,
        };
        let assessed = assess(&game, thinker, &played);
        sums[game.position().side_to_move().index()].add(&assessed);
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
        print_sums(&mut out, &sums, G::HAS_CHANCE)?;
    }
    Ok(())
}

fn print_turn(out: &mut Printer, assessed: &Assessed) -> Result<(), PrintError> {
    let number = assessed.turn.div_ceil(2);
    let dots = if assessed.side == 'w' { "." } else { "..." };
    let score = score_text(
        assessed
            .value
            .mate
            .map_or(Score::Cp(assessed.value.cp.unwrap_or(0)), Score::Mate),
    );
    let mark = match assessed.error {
        error if error >= BLUNDER => "??",
        error if error >= MISTAKE => "?",
        _ => "",
    };
    let mut text = format!("{number}{dots} ");
    if let Some(roll) = &assessed.roll {
        text += &format!("[{roll}] ");
    }
    text += &format!("{}{mark}", assessed.san);
    let mut line = format!("{text:<32} {score:>7}  {:>5.1} %", assessed.white * 100.0);
    if let Some(luck) = assessed.luck {
        line += &format!("  luck {luck:+.3}");
    }
    if assessed.played != assessed.best {
        line += &match assessed.loss_cp {
            Some(cp) => format!(
                "  lost {:.2} ({:.3} points), best {}",
                f64::from(cp) / 100.0,
                assessed.error,
                assessed.best
            ),
            None => format!(
                "  lost {:.3} points, best {}",
                assessed.error, assessed.best
            ),
        };
    }
    writeln!(out, "{line}")
}
