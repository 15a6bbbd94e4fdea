//! Subcommands, one file each: `Arguments` defines the arguments, `run` does the job.

pub mod analyse;
pub mod bench;
pub mod board;
pub mod completions;
mod conditions;
pub mod endgames;
mod engine_words;
mod knockout;
pub mod legal;
pub mod man;
pub mod merge;
pub mod perft;
pub mod play;
mod players;
pub mod rate;
pub mod rules;
pub mod solve;
pub mod tournament;
#[cfg(feature = "tune")]
pub mod tune;
pub mod verify;
pub mod watch;

use crate::terminal::warn;
use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use fauve_engine::Variant;
use fauve_engine::rules::{Notation, printable};
use fauve_game::start;
use fauve_referee::input::{self, Unpacked};
use std::ffi::OsStr;
use std::io::{self, BufRead, Cursor};
use std::path::Path;

/// A mistake on the command line that only the command itself can see. The program ends with status 2, as after those that are found
/// before the command runs.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Misuse(pub String);

/// Parser for the name of a game, with the names for shell completion. Accepts aliases.
#[derive(Clone, Debug)]
pub struct Games;

impl TypedValueParser for Games {
    type Value = Variant;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Variant, clap::Error> {
        let game = value.to_str().and_then(Variant::from_name);
        game.map_or_else(
            // The error lists the names, and suggests a similar one.
            || {
                let names = Variant::ALL.iter().map(|variant| variant.name());
                let parser = PossibleValuesParser::new(names);
                parser
                    .parse_ref(command, argument, value)
                    .map(|_| Variant::default())
            },
            Ok,
        )
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Variant::ALL.iter();
        Some(Box::new(
            names.map(|variant| PossibleValue::new(variant.name())),
        ))
    }
}

/// Whether writing a file would replace something: a file that is there and is not empty. Devices and pipes hold nothing.
pub(crate) fn holds_something(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0)
}

/// The game that a command is for, where it may be named as a word or by `--variant`; `None` if it is named nowhere.
///
/// # Errors
/// [`Misuse`], when the two are different games.
fn one_game(named: Option<Variant>, chosen: Option<Variant>) -> Result<Option<Variant>> {
    ensure!(
        named.is_none() || chosen.is_none() || named == chosen,
        Misuse("the game and --variant differ".to_owned())
    );
    Ok(named.or(chosen))
}

/// Opens a file for reading; one that was packed by gzip is unpacked.
///
/// # Errors
/// A file that cannot be read, or a damaged packed one.
pub(crate) fn open_unpacked(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(match input::open_unpacked(path)? {
        Unpacked::Plain(file) => Box::new(file),
        Unpacked::Content(content) => Box::new(Cursor::new(content)),
    })
}

/// Checks that a file that an option names may be written: nothing is there yet, or `--force` was given.
///
/// # Errors
/// When something would be replaced.
pub(crate) fn ensure_free(option: &str, path: &Path, force: bool) -> Result<()> {
    ensure!(
        force || !holds_something(path),
        "{option} {}: the file is there already; --force replaces it",
        path.display()
    );
    Ok(())
}

/// Whether a word can be meant for the name of a game, and for no position.
fn is_a_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && word
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
}

/// That a word is no game, and which was probably meant.
fn no_game(word: &str) -> String {
    let lower = word.to_lowercase();
    let names = Variant::ALL.iter().map(|variant| variant.name());
    let nearest = names
        .clone()
        .map(|name| (strsim::damerau_levenshtein(name, &lower), name))
        .min();
    let meant = match nearest {
        Some((distance, name)) if distance <= 2 => format!("; did you mean {name}?"),
        _ => format!("; the games are {}", names.collect::<Vec<_>>().join(", ")),
    };
    format!(
        "'{}' is neither a game nor a position{meant}",
        printable(word)
    )
}

/// Parses the words of a command line as a position: no words (or `startpos`) are the start position, a named start
/// position or a FEN any other. Warnings about a FEN go to standard error.
///
/// # Errors
/// [`Misuse`], when the words are not a position of the game.
pub fn position<G: Notation>(words: &[String], options: &G::Options) -> Result<G> {
    read_position(&words.join(" "), options).map_err(|error| Misuse(format!("{error:#}")).into())
}

fn read_position<G: Notation>(text: &str, options: &G::Options) -> Result<G> {
    if let Some(position) = start::named(text, options) {
        return Ok(position);
    }
    if let Some(game) = Variant::from_name(text) {
        bail!("'{text}' is a game, not a position; --variant {game} selects it");
    }
    if let Some((word, rest)) = text.split_once(' ')
        && start::named::<G>(word, options).is_some()
    {
        let rest = printable(rest);
        bail!("a position is wanted, without turns: '{rest}' stands behind '{word}'");
    }
    if let Some(word) = text.split_whitespace().next()
        && is_a_name(word)
    {
        bail!("{}", no_game(word));
    }
    let parsed = G::from_fen(text, options)
        .with_context(|| format!("'{}' is not a position of this game", printable(text)))?;
    for warning in parsed.warnings {
        warn(warning);
    }
    Ok(parsed.position)
}
