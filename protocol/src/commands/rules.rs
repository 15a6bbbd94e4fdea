//! `fauve rules`.

use crate::commands::{Games, one_game};
use crate::terminal::{Printer, rules_lines, size};
use anyhow::Result;
use fauve_engine::rules::Notation;
use fauve_engine::{Variant, with_game};
use std::io::{IsTerminal, stdout};

/// Arguments of `fauve rules`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve rules                    list the games\n  \
    fauve rules superchess | less  read the rules of Superchess page by page")]
pub struct Arguments {
    /// Game; lists the games if omitted
    #[arg(value_parser = Games, value_name = "GAME")]
    name: Option<Variant>,
}

impl Arguments {
    /// Prints the full rules of a game; `chosen` is the game of `--variant`, used when none is named here. Lists the games
    /// otherwise.
    ///
    /// # Errors
    /// When the two name different games, or standard output cannot be written.
    pub fn run(&self, chosen: Option<Variant>) -> Result<()> {
        let mut out = Printer::default();
        if let Some(game) = one_game(self.name, chosen)? {
            // A pipe takes the lines as they are written.
            let columns = if stdout().is_terminal() {
                size().1
            } else {
                usize::MAX
            };
            for line in rules_lines(text(game), columns) {
                writeln!(out, "{line}")?;
            }
        } else {
            for &game in Variant::ALL {
                writeln!(out, "{:<12}{}", game.name(), title(text(game)))?;
            }
            writeln!(out, "\n`fauve rules GAME` prints the rules of a game.")?;
        }
        Ok(())
    }
}

/// The rules of a game, as Markdown.
const fn text(game: Variant) -> &'static str {
    with_game!(game, G => <G as Notation>::RULES)
}

/// The name of the game in the heading of its rules.
fn title(rules: &str) -> &str {
    let heading = rules.lines().next().unwrap_or_default();
    let heading = heading.trim_start_matches("# ");
    heading.split_once(':').map_or(heading, |(title, _)| title)
}
