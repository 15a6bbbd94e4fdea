//! `fauve solve`.

mod problem;

use super::Misuse;
use crate::terminal::{Printer, number, warn};
use crate::variants::with_game;
use anyhow::{Result, bail, ensure};
use fauve_engine::Variant;
use fauve_engine::search::{Control, Engine};
use problem::{Problem, Stipulation, Way, all, keys, ways};

/// What may follow `fauve solve`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve solve --turns 2 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1'\n  \
    fauve solve --stipulation '#2' --tries 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1'\n  \
    fauve solve --variant twomove --turns 1 'rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2'\n\n\
    Each key is shown with the line of longest resistance. The exit status is 0 if there is a key and 1 if there is none.")]
pub struct Arguments {
    /// Mate in this many own turns.
    #[arg(short = 'n', long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=32))]
    turns: u32,
    /// Only the keys, without their lines.
    #[arg(long)]
    keys_only: bool,
    /// Every other first turn as well, with what refutes it; a try is one that a single answer refutes.
    #[arg(long, conflicts_with = "keys_only")]
    all: bool,
    /// Mate in this many turns as composers see it, `#2`: set play, the key and its threat, variations, duals, and whether it is sound.
    #[arg(long, conflicts_with_all = ["turns", "keys_only", "all"])]
    stipulation: Option<Stipulation>,
    /// With a stipulation: other first turns that one answer alone refutes.
    #[arg(long, requires = "stipulation")]
    tries: bool,
    /// The position.
    #[arg(required = true)]
    fen: Vec<String>,
}

impl Arguments {
    /// Prints every key with its main line, and the other first turns where they are asked for. Says whether there is a key.
    ///
    /// # Errors
    /// When the position cannot be read or its dice are not rolled.
    pub fn run(&self, variant: Variant) -> Result<bool> {
        with_game!(variant, G => self.solve::<G>())
    }

    fn solve<G: Engine>(&self) -> Result<bool> {
        let position: G = super::position(&self.fen, &G::Options::default())?;
        if position.awaits_roll() {
            bail!(Misuse(
                "the dice are not rolled: give them as the seventh field of the FEN, `PNB`"
                    .to_owned()
            ));
        }
        if let Some(stipulation) = self.stipulation {
            ensure!(
                !G::HAS_CHANCE,
                Misuse("--stipulation: not in a game with dice".to_owned())
            );
            let mut problem = Problem {
                out: Printer::default(),
                with_tries: self.tries,
            };
            return Ok(problem.show(&position, stipulation)?);
        }
        if G::HAS_CHANCE && self.turns > 1 {
            warn("with dice only a win in this turn can be proven; searching for that");
        }
        let solution = position.solve(self.turns, &Control::default());
        let mut out = Printer::default();
        let keys = ways(&position, solution.keys);
        for key in &keys {
            let mut line = format!("1. {}", key.name(&position));
            if !self.keys_only {
                add_defence(&mut line, &key.after, self.turns - 1);
            }
            writeln!(out, "{line}")?;
        }
        if self.all {
            let others = solution.tries.into_iter().map(|(turn, _)| turn);
            for other in ways(&position, others) {
                let name = other.name(&position);
                writeln!(out, "{}", refuted(&name, &other.after, self.turns - 1))?;
            }
        }
        match keys.len() {
            0 => writeln!(out, "no mate in {}", self.turns)?,
            count => writeln!(
                out,
                "mate in {}, {}",
                self.turns,
                number(count as u64, "key")
            )?,
        }
        Ok(!keys.is_empty())
    }
}

/// Adds the answers that resist longest, and what mates after them.
fn add_defence<G: Engine>(line: &mut String, after: &G, mut left: u32) {
    let mut after = *after;
    for number in 2.. {
        if left == 0 || after.winner().is_some() || after.awaits_roll() {
            return;
        }
        let answers = all(&after);
        if answers.is_empty() {
            return;
        }
        // An answer after which there is no mate in fewer turns; where all are mated sooner, the same among these.
        let resisting = loop {
            let is_slow = |answer: &&Way<G>| left == 1 || keys(&answer.after, left - 1).is_empty();
            match answers.iter().find(is_slow) {
                Some(answer) => break answer,
                None => left -= 1,
            }
        };
        line.push_str(&format!(" {}", resisting.name(&after)));
        let Some(next) = keys(&resisting.after, left).into_iter().next() else {
            return;
        };
        line.push_str(&format!(" {number}. {}", next.name(&resisting.after)));
        after = next.after;
        left -= 1;
    }
}

/// What refutes a first turn that is no key: one answer alone makes it a try.
fn refuted<G: Engine>(name: &str, after: &G, left: u32) -> String {
    let answers = if left == 0 { Vec::new() } else { all(after) };
    let mut refutations = answers
        .iter()
        .filter(|answer| keys(&answer.after, left).is_empty());
    match (refutations.next(), refutations.next()) {
        (Some(only), None) => format!("try 1. {name}? {}!", only.name(after)),
        (Some(first), Some(_)) => format!("1. {name} fails to {} and others", first.name(after)),
        (None, _) => format!("1. {name} does not mate"),
    }
}
