//! `prologue-match`: what the table of arrays is worth against prologues by chance.

use crate::processors;
use crate::random::Random;
use anyhow::Result;
use clap::Args;
use fauve_engine::core::Color;
use fauve_engine::rules::superchess::{Options, Superchess};
use fauve_engine::rules::{Game, Notation, Outcome, Rules, legal_steps};
use fauve_engine::search::{Answer, Control, Engine, Limits, Score, Settings, Table};
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Megabytes of each thread's table.
const TABLE: usize = 4;
/// A search has up to one part in so many more nodes than asked for, by chance: so no two games are alike.
const VARIED: u64 = 4;
/// The turns of the prologue.
const TURNS: usize = 4;
/// A match ends a game when a side is ahead by this, or it has lasted so long.
const WON: i32 = 1000;
const LONGEST: usize = 300;

/// Play Superchess with prologues of which one side's turns come from the engine's table and the other's from chance; both play the
/// rest alike.
#[derive(Args)]
pub struct PrologueMatch {
    /// Games, in half of which White has the table
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Nodes of a search
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Game i depends on this and on i only
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time; all processors without this
    #[arg(long)]
    threads: Option<usize>,
}

/// How a game ended for a side, in half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Points {
    Lost,
    Drawn,
    Won,
}

impl PrologueMatch {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let progress = ProgressBar::new(self.games);
        let next = AtomicU64::new(0);
        let points = Mutex::new(Vec::new());
        let work = || -> Result<()> {
            let table = Table::new(TABLE)?;
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= self.games {
                    return Ok(());
                }
                let point = self.game(number, &table);
                points
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(point);
                progress.inc(1);
            }
        };
        let threads = processors(self.threads)?;
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().expect("no search panics"))
        })?;
        let points = points.into_inner().unwrap_or_else(PoisonError::into_inner);
        let count = |wanted: Points| points.iter().filter(|&&points| points == wanted).count();
        let games = points.len().max(1) as f64;
        let shares = || points.iter().map(|&points| f64::from(points as u8) / 2.0);
        let mean = shares().sum::<f64>() / games;
        let variance = shares().map(|share| (share - mean).powi(2)).sum::<f64>() / games;
        let error = 2.0 * (variance / games).sqrt();
        let elo = |mean: f64| 400.0 * (mean / (1.0 - mean)).log10();
        say!(
            "with the table {} won, {} drawn, {} lost of {} games: {:.2} % ± {:.2} (two standard errors), {:+.1} Elo ({:+.1} to {:+.1})",
            count(Points::Won),
            count(Points::Drawn),
            count(Points::Lost),
            points.len(),
            100.0 * mean,
            100.0 * error,
            elo(mean),
            elo(mean - error),
            elo(mean + error)
        );
        Ok(())
    }

    /// What the side that has the table makes of a game.
    fn game(&self, number: u64, table: &Table) -> Points {
        let mut random = Random::new(self.seed, number);
        let knows = if number.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        };
        let options = Options::default();
        let mut game = Game::new(Superchess::start(&options), options);
        table.clear();
        for _ in 0..TURNS {
            if game.position().side_to_move() == knows {
                let answer = think(&game, self.nodes, table);
                play(&mut game, &answer);
            } else {
                let steps = legal_steps(game.position());
                game.play(steps[random.below(steps.len())]);
            }
        }
        let points = |winner: Color| {
            if winner == knows {
                Points::Won
            } else {
                Points::Lost
            }
        };
        for _ in 0..LONGEST {
            match game.outcome() {
                Some(Outcome::Win(winner, _)) => return points(winner),
                Some(Outcome::Draw(_)) => return Points::Drawn,
                None => {}
            }
            let answer = think(&game, varied(self.nodes, &mut random), table);
            let value = centipawns(answer.score);
            if value.abs() >= WON {
                let side = game.position().side_to_move();
                return points(if value > 0 { side } else { !side });
            }
            play(&mut game, &answer);
        }
        Points::Drawn
    }
}

/// So many nodes and some more.
fn varied(nodes: u64, random: &mut Random) -> u64 {
    nodes + random.below((nodes / VARIED + 1) as usize) as u64
}

fn think(game: &Game<Superchess>, nodes: u64, table: &Table) -> Answer<Superchess> {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let (settings, control) = (Settings::default(), Control::default());
    Superchess::think(game, &limits, &settings, table, &control, &mut |_| {})
}

fn play(game: &mut Game<Superchess>, answer: &Answer<Superchess>) {
    for &step in answer.best.iter().flatten() {
        game.play(step);
    }
}

const fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(turns) if turns > 0 => 30_000,
        Score::Mate(_) => -30_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_a_match_depend_on_seed_and_number_alone() {
        let settings = PrologueMatch {
            games: 4,
            nodes: 100,
            seed: 5,
            threads: Some(1),
        };
        let table = Table::new(1).unwrap();
        let points: Vec<_> = (0..4).map(|n| settings.game(n, &table)).collect();
        let again: Vec<_> = (0..4).rev().map(|n| settings.game(n, &table)).collect();
        assert!(points.iter().eq(again.iter().rev()));
    }
}
