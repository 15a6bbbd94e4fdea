//! The best turns of a position side by side, with what they lose, and rolled out if that is asked for.

use crate::terminal::{Printer, number};
use anyhow::{Context, Result};
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::{
    Chance, Game, Notation, Rules, Turn, position_after, turn_san, turn_token,
};
use fauve_engine::search::{Control, Estimate, Report, Rollout};
use fauve_game::assess::{Thinker, white_points};
use serde::Serialize;

/// How to roll out, as the command line has it.
#[derive(clap::Args, Debug)]
pub(in crate::commands::analyse) struct RolloutOptions {
    /// DiceChess: play out at most this many games for each of the best turns (see --multipv) with common dice, rounded up to whole sets
    /// of 216: each first roll once.
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rollout: Option<u32>,
    /// End rolled out games after this many turns by the evaluation.
    #[arg(long, value_name = "TURNS", requires = "rollout", value_parser = clap::value_parser!(u32).range(1..))]
    truncate: Option<u32>,
    /// How deep the players of rollouts look, in turns.
    #[arg(long, value_name = "DEPTH", requires = "rollout", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3))]
    rollout_depth: u32,
    /// End a rollout when all standard errors are at most this many per cent.
    #[arg(
        long,
        value_name = "PERCENT",
        requires = "rollout",
        default_value_t = 0.1
    )]
    rollout_error: f64,
    /// The seed of the dice of rollouts.
    #[arg(long, requires = "rollout", default_value_t = 1)]
    rollout_seed: u64,
}

impl RolloutOptions {
    /// Whether a rollout is asked for.
    pub(in crate::commands::analyse) const fn is_asked_for(&self) -> bool {
        self.rollout.is_some()
    }

    fn rollout(&self, thinker: &Thinker) -> Option<Rollout> {
        Some(Rollout {
            games: self.rollout?,
            depth: self.rollout_depth,
            truncate: self.truncate,
            error: self.rollout_error.max(0.0) / 100.0,
            seed: self.rollout_seed,
            threads: thinker.settings.threads,
            endgames: thinker.settings.endgames.clone(),
            clock_draw: true,
        })
    }
}

/// A turn that may be the best.
struct Candidate {
    turn: Turn<<DiceChess as Rules>::Step>,
    /// The chance to win by the search.
    chance: f64,
    /// The chance to win by the rollout, for the side that moves.
    rolled_out: Option<Estimate>,
}

/// A candidate, for `--json`.
#[derive(Serialize)]
struct Line {
    rank: usize,
    turn: String,
    san: String,
    depth: u32,
    /// White's chance to win.
    chance: f64,
    /// What the turn loses against the best, for the side that makes it.
    loss: f64,
    /// White's chance to win by the rollout.
    #[serde(skip_serializing_if = "Option::is_none")]
    rollout: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rollout_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rollout_games: Option<u32>,
}

/// Prints the best turns of a position with its roll; before a roll its rollout alone.
pub(in crate::commands::analyse) fn candidates(
    game: &Game<DiceChess>,
    thinker: &Thinker,
    options: &RolloutOptions,
    json: bool,
) -> Result<()> {
    let mut out = Printer::default();
    let root = *game.position();
    if !json {
        writeln!(out, "{}\n", root.fen())?;
    }
    let rollout = options.rollout(thinker);
    let mover = root.side_to_move();
    if root.awaits_roll() {
        let Some(rollout) = rollout else {
            return Ok(());
        };
        let found = rolled_out(&rollout, &[root])?;
        let mean = white_points(found[0].mean, mover);
        return print_estimate(&mut out, &Estimate { mean, ..found[0] }, json);
    }
    let (mut found, depth) = search(game, thinker);
    if let Some(rollout) = rollout {
        roll_out(&root, &mut found, &rollout)?;
    }
    if !json {
        writeln!(
            out,
            "{:>4} {:<18} {:<24} {:>7}  {:>8}",
            "", "turn", "", "White", "loss"
        )?;
    }
    let best = found.iter().map(|one| one.chance).fold(0.0, f64::max);
    for (rank, one) in (1..).zip(&found) {
        let line = Line {
            rank,
            turn: turn_token(&root, &one.turn),
            san: turn_san(&root, &one.turn),
            depth,
            chance: white_points(one.chance, mover),
            loss: best - one.chance,
            rollout: one.rolled_out.map(|one| white_points(one.mean, mover)),
            rollout_error: one.rolled_out.map(|one| one.error),
            rollout_games: one.rolled_out.map(|one| one.games),
        };
        if json {
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        } else {
            print_line(&mut out, &line)?;
        }
    }
    Ok(())
}

fn print_line(out: &mut Printer, line: &Line) -> Result<()> {
    let mut text = format!(
        "{:>3}. {:<18} {:<24} {:>5.1} %  {:>6.1} %",
        line.rank,
        line.turn,
        line.san,
        line.chance * 100.0,
        line.loss * 100.0
    );
    if let (Some(mean), Some(error), Some(games)) =
        (line.rollout, line.rollout_error, line.rollout_games)
    {
        text += &format!(
            "   rollout {:>6.2} % ± {:.2} ({})",
            mean * 100.0,
            error * 100.0,
            number(games, "game")
        );
    }
    writeln!(out, "{text}")?;
    Ok(())
}

fn print_estimate(out: &mut Printer, estimate: &Estimate, json: bool) -> Result<()> {
    let &Estimate { mean, error, games } = estimate;
    if json {
        let line =
            serde_json::json!({ "rollout": mean, "rollout_error": error, "rollout_games": games });
        writeln!(out, "{line}")?;
    } else {
        let (mean, error) = (mean * 100.0, error * 100.0);
        let games = number(games, "game");
        writeln!(
            out,
            "White's chance by rollout {mean:.2} % ± {error:.2} ({games})"
        )?;
    }
    Ok(())
}

/// The best turns by a search, and how deep it was.
fn search(game: &Game<DiceChess>, thinker: &Thinker) -> (Vec<Candidate>, u32) {
    let mut found: Vec<Candidate> = Vec::new();
    let mut reached = 0;
    thinker.search(game, &Control::default(), &mut |report| {
        if let Report::Pv(info) = report
            && let Some(turn) = info.pv.first()
        {
            if info.multipv == 1 {
                found.clear();
                reached = info.depth;
            }
            found.push(Candidate {
                turn: turn.clone(),
                chance: info.win_chance.unwrap_or(0.5),
                rolled_out: None,
            });
        }
    });
    (found, reached)
}

/// Rolls the candidates out and puts them in the order of what that says.
fn roll_out(root: &DiceChess, candidates: &mut [Candidate], rollout: &Rollout) -> Result<()> {
    let (mut positions, mut places) = (Vec::new(), Vec::new());
    for (place, one) in candidates.iter_mut().enumerate() {
        let position = position_after(root, &one.turn);
        if position.winner().is_some() {
            one.rolled_out = Some(Estimate {
                mean: 1.0,
                error: 0.0,
                games: 0,
            });
        } else {
            positions.push(position);
            places.push(place);
        }
    }
    let found = rolled_out(rollout, &positions)?;
    for (place, estimate) in places.into_iter().zip(found) {
        candidates[place].rolled_out = Some(Estimate {
            mean: 1.0 - estimate.mean,
            ..estimate
        });
    }
    let mean = |one: &Candidate| one.rolled_out.map_or(0.0, |one| one.mean);
    candidates.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    Ok(())
}

fn rolled_out(rollout: &Rollout, positions: &[DiceChess]) -> Result<Vec<Estimate>> {
    rollout
        .run(positions, &Control::default(), &mut |_| {})
        .context("no memory for the rollout")
}
