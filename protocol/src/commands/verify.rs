//! `fauve verify`: every turn and roll of recorded games, checked.

use crate::commands::open_unpacked;
use crate::terminal::{Printer, number, warn};
use crate::variants::with_game;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use fauve_engine::Variant;
use fauve_engine::search::Engine;
use fauve_game::names;
use fauve_game::pgn::{self, PgnGame};
use fauve_game::replay::{Claim, PgnReplay};
use fauve_referee::record::lines::GameFault;
use fauve_referee::record::replay::Verifier;
use fauve_referee::record::stream::Lines;
use std::collections::HashSet;
use std::fmt::Display;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// What may follow `fauve verify`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve verify dice.jsonl\n  \
    fauve verify games.pgn")]
pub struct Arguments {
    /// Records (JSON Lines) or PGN files, packed by gzip or not.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The book of the record's openings, if it is not where it was.
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
}

impl Arguments {
    /// Replays every game: openings, turns, rolls, seeds, luck and ends. Prints what is wrong to standard error.
    ///
    /// # Errors
    /// When anything is wrong.
    pub fn run(self) -> Result<()> {
        let mut faults = 0;
        for path in &self.files {
            let name = || path.display().to_string();
            let mut input = open_unpacked(path).with_context(name)?;
            // Looked at without taking it: what comes through a pipe comes once.
            let beginning = input.fill_buf().with_context(name)?;
            let first = beginning.iter().find(|byte| !byte.is_ascii_whitespace());
            let (games, bad) = if first == Some(&b'{') {
                verify_record(input, path, self.openings.as_deref()).with_context(name)?
            } else {
                let mut text = Vec::new();
                input.read_to_end(&mut text).with_context(name)?;
                let (games, bad) = verify_pgn(path, &pgn::decode(&text));
                // A record of a match that has just begun has no games yet; a PGN file without one is another file than was meant.
                ensure!(games > 0, "{}: no game found", path.display());
                (games, bad)
            };
            writeln!(
                Printer::default(),
                "{}: {}, {bad} with faults",
                path.display(),
                number(games as u64, "game")
            )?;
            faults += bad;
        }
        if faults > 0 {
            bail!("{} with faults", number(faults as u64, "game"));
        }
        Ok(())
    }
}

/// Says what is wrong with a game. Where standard error cannot be written, the status has to do.
fn say_fault(path: &Path, game: u64, fault: &dyn Display) {
    warn(format_args!("{}: game {game}: {fault}", path.display()));
}

fn verify_record(input: impl BufRead, path: &Path, book: Option<&str>) -> Result<(usize, usize)> {
    let lines = Lines::of(input)?;
    let variant = names::variant(&lines.header().variant)?;
    let rules = lines.header().rule_settings()?;
    with_game!(variant, G => verify_games::<G>(lines, path, book, variant, &rules.options()))
}

fn verify_games<G: Engine>(
    mut lines: Lines<impl BufRead>,
    path: &Path,
    book: Option<&str>,
    variant: Variant,
    options: &G::Options,
) -> Result<(usize, usize)> {
    let mut header = lines.header().clone();
    header.openings.find_book::<G>(book, variant, options)?;
    let mut verifier = Verifier::<G>::new(&header, options);
    for sentence in verifier.unchecked() {
        warn(format_args!("note: {}: {sentence}", path.display()));
    }
    let mut seen = HashSet::new();
    let (mut games, mut bad) = (0, 0);
    while let Some(game) = lines.next_game()? {
        games += 1;
        let result = if seen.insert(game.game) {
            verifier.verify(&game)
        } else {
            Err(GameFault::Twice(game.game).into())
        };
        if let Err(fault) = result {
            say_fault(path, game.game, &fault);
            bad += 1;
        }
    }
    Ok((games, bad))
}

fn verify_pgn(path: &Path, text: &str) -> (usize, usize) {
    let games = pgn::parse(text);
    let mut bad = 0;
    for (number, game) in (1..).zip(&games) {
        let warn_of = |warning: &str| {
            warn(format_args!(
                "note: {}: game {number}: {warning}",
                path.display()
            ));
        };
        if let Err(fault) = verify_pgn_game(game, &warn_of) {
            say_fault(path, number, &fault);
            bad += 1;
        }
    }
    (games.len(), bad)
}

/// Checks a game; `warn_of` is called with what was dropped or corrected in its first position.
fn verify_pgn_game(game: &PgnGame, warn_of: &dyn Fn(&str)) -> Result<()> {
    let variant = names::variant_of_pgn(game, Variant::default())?;
    let rules = names::rules_of_pgn(game)?;
    let claim = Claim::of_pgn(game)?;
    with_game!(variant, G => {
        let mut reader = PgnReplay::<G>::new(game, &rules.options())?;
        reader.warnings.iter().for_each(|warning| warn_of(warning));
        while reader.read_turn()? {}
        // In chess the players claim these draws (FIDE 9.2 and 9.3); the rules of the other games end the game.
        if let Some(fault) = reader.went_on.filter(|_| variant != Variant::Chess) {
            return Err(fault.into());
        }
        claim.check(&reader.played)?;
    });
    Ok(())
}
