//! `prologue-match`: measures the table of arrays against random prologues.

use crate::game::play_random_turn;
use crate::processors;
use crate::random::Random;
use crate::selfplay::centipawns;
use anyhow::{Context, Result};
use clap::{Args, value_parser};
use fauve_engine::core::Color;
use fauve_engine::rules::superchess::{Options, Superchess};
use fauve_engine::rules::{Game, Notation, Outcome, Rules};
use fauve_engine::search::{Answer, Control, Limits, Searcher, Settings, Table};
use fauve_referee::stats::Counts;
use indicatif::{ParallelProgressIterator, ProgressBar};
use rayon::prelude::*;

/// Table size of each thread, in megabytes.
const TABLE: usize = 4;
/// Each search gets up to one part in this number more nodes, at random, so that no two games are alike.
const VARIED: u64 = 4;
/// Number of turns in the prologue.
const TURNS: usize = 4;
/// Lead, in centipawns, at which a game is adjudicated as a win.
const WON: i32 = 1000;
/// Number of turns after which a game is adjudicated as a draw.
const LONGEST: usize = 300;

/// Play Superchess with one side's prologue from the engine's table and the other's random; both sides play the rest alike.
/// Use another number of nodes than the table was made with, because at the same number it may contain lines rather than
/// arrays.
#[derive(Args)]
pub struct PrologueMatch {
    /// Number of games; in half of them White has the table
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes per search
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Seed; game i depends only on this and on i
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games [default: all processors]
    #[arg(long)]
    threads: Option<usize>,
}

impl PrologueMatch {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(processors(self.threads)?)
            .build()?;
        let games = || {
            (0..self.games)
                .into_par_iter()
                .progress_with(ProgressBar::new(self.games))
                .map_init(
                    || Table::new(TABLE),
                    |table, number| {
                        let table = table.as_ref().ok().context("no memory for a table")?;
                        Ok(self.game(number, table))
                    },
                )
                .collect::<Result<Vec<u8>>>()
        };
        let mut counts = Counts::default();
        for half_points in pool.install(games)? {
            counts.add_game(half_points);
        }
        let elo = counts.elo().context("no game was played")?;
        say!(
            "with the table {} won, {} drawn, {} lost of {} games: {:.2} %, {:+.1} ± {:.1} Elo (95 %)",
            counts.wins,
            counts.draws,
            counts.losses,
            counts.games(),
            100.0 * counts.points() / counts.games() as f64,
            elo.elo,
            elo.elo_error
        );
        Ok(())
    }

    /// Plays a game; returns the half points of the side that has the table.
    fn game(&self, number: u64, table: &Table) -> u8 {
        let mut random = Random::new(self.seed, number);
        let knows = Color::ALL[(number % 2) as usize];
        let half_points = |winner: Color| if winner == knows { 2 } else { 0 };
        let options = Options::default();
        let mut game = Game::new(Superchess::start(&options), options);
        table.clear();
        for _ in 0..TURNS {
            if game.position().side_to_move() == knows {
                let answer = think(&game, self.nodes, table);
                play(&mut game, &answer);
            } else {
                play_random_turn(&mut game, &mut random);
            }
        }
        for _ in 0..LONGEST {
            match game.outcome() {
                Some(Outcome::Win(winner, _)) => return half_points(winner),
                Some(Outcome::Draw(_)) => return 1,
                None => {}
            }
            let more = random.below((self.nodes / VARIED + 1) as usize);
            let answer = think(&game, self.nodes + more as u64, table);
            let value = centipawns(answer.score);
            if value.abs() >= WON {
                let side = game.position().side_to_move();
                return half_points(if value > 0 { side } else { !side });
            }
            play(&mut game, &answer);
        }
        1
    }
}

fn think(game: &Game<Superchess>, nodes: u64, table: &Table) -> Answer<Superchess> {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let (settings, control) = (Settings::default(), Control::default());
    Searcher::new(table, &settings, &control).run(game, &limits, &mut |_| {})
}

fn play(game: &mut Game<Superchess>, answer: &Answer<Superchess>) {
    for &step in answer.best.iter().flatten() {
        game.play(step);
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
