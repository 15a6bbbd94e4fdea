//! `fauve solve`.

mod problem;

use crate::terminal::{Printer, warn};
use crate::variants::with_game;
use anyhow::{Result, bail, ensure};
use fauve_engine::Variant;
use fauve_engine::rules::{Notation, turn_token};
use fauve_engine::search::{Control, solve::solve};
use problem::{Problem, Stipulation};

/// What may follow `fauve solve`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve solve --turns 2 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1'\n  \
    fauve solve --stipulation '#2' --tries 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1'\n  \
    fauve solve --variant twomove --turns 1 'rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2'\n\n\
    The exit status is 0 if there is a key and 1 if there is none.")]
pub struct Arguments {
    /// Mate in this many own turns.
    #[arg(short = 'n', long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=32))]
    turns: u32,
    /// Only the keys.
    #[arg(long)]
    keys_only: bool,
    /// Mate in this many turns as composers see it, `#2`: set play, the key and its threat, variations, duals, and whether it is sound.
    #[arg(long, conflicts_with_all = ["turns", "keys_only"])]
    stipulation: Option<Stipulation>,
    /// With a stipulation: other first turns that one answer alone refutes.
    #[arg(long, requires = "stipulation")]
    tries: bool,
    /// The position.
    #[arg(required = true)]
    fen: Vec<String>,
}

impl Arguments {
    /// Prints every key, and for every other first turn an answer that refutes it. Says whether there is a key.
    ///
    /// # Errors
    /// When the position cannot be read or its dice are not rolled.
    pub fn run(&self, variant: Variant) -> Result<bool> {
        with_game!(variant, G => self.solve::<G>())
    }

    fn solve<G: Notation>(&self) -> Result<bool> {
        let position: G = super::position(&self.fen, &G::Options::default())?;
        if position.awaits_roll() {
            bail!("the dice are not rolled: give them as the seventh field of the FEN, `PNB`");
        }
        if let Some(stipulation) = self.stipulation {
            ensure!(!G::HAS_CHANCE, "--stipulation: not in a game with dice");
            let mut problem = Problem {
                out: Printer::default(),
                with_tries: self.tries,
            };
            return Ok(problem.show(&position, stipulation)?);
        }
        if G::HAS_CHANCE && self.turns > 1 {
            warn("with dice only a win in this turn is certain; looking for that");
        }
        let solution = solve(&position, self.turns, &Control::default());
        let mut out = Printer::default();
        for key in &solution.keys {
            writeln!(out, "key {}", turn_token(&position, key))?;
        }
        if !self.keys_only {
            for (turn, answer) in &solution.tries {
                let mut after = position;
                turn.iter().for_each(|&step| after.play(step));
                match answer {
                    Some(answer) => writeln!(
                        out,
                        "try {} refuted by {}",
                        turn_token(&position, turn),
                        turn_token(&after, answer)
                    )?,
                    None => writeln!(out, "try {}", turn_token(&position, turn))?,
                }
            }
        }
        match solution.keys.len() {
            0 => writeln!(out, "no mate in {}", self.turns)?,
            keys => writeln!(
                out,
                "mate in {}, {keys} {}",
                self.turns,
                if keys == 1 { "key" } else { "keys" }
            )?,
        }
        Ok(!solution.keys.is_empty())
    }
}
