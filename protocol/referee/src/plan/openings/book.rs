//! Files of openings.

use super::error::OpeningError;
use crate::input::read_whole;
use crate::player::identity::hexadecimal;
use fauve_engine::Variant;
use fauve_engine::rules::{Game, Notation, Parsed, printable};
use fauve_engine::search::Engine;
use fauve_game::epd;
use fauve_game::names::variant_of_pgn;
use fauve_game::pgn::{self, PgnGame};
use fauve_game::replay::PgnReplay;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::path::Path;

/// The positions of a file. Records keep their digest only, and old ones the positions themselves.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Recorded")]
pub struct Book {
    #[serde(skip)]
    positions: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<Digest>,
    /// What the numbers of the positions count.
    #[serde(skip)]
    unit: Unit,
    /// Games of the file at whose ends no game can begin, and why.
    #[serde(skip)]
    left_out: Vec<String>,
    /// What was dropped or corrected in the positions of lines and in the first ones of games, with their places.
    #[serde(skip)]
    corrections: Vec<String>,
    /// Whether a game can begin at each position. False for the positions of old records.
    #[serde(skip)]
    is_checked: bool,
}

/// A book as records have it.
#[derive(Deserialize)]
struct Recorded {
    #[serde(default)]
    positions: Vec<String>,
    #[serde(default)]
    digest: Option<Digest>,
}

impl From<Recorded> for Book {
    fn from(recorded: Recorded) -> Self {
        let entries = recorded.positions.into_iter().map(|text| Entry {
            text: text.into(),
            number: 0,
        });
        let positions: Vec<Entry> = entries.collect();
        let digest = if positions.is_empty() {
            recorded.digest
        } else {
            Some(digest_of(&positions))
        };
        Self {
            positions,
            digest,
            ..Self::default()
        }
    }
}

impl PartialEq for Book {
    /// Books are equal when what is in them is.
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Book {}

/// A position of a file.
#[derive(Clone, Debug)]
struct Entry {
    text: Box<str>,
    /// The line or the game that it comes from, from 1; 0 where it is not known.
    number: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Unit {
    #[default]
    Line,
    Game,
}

/// What is in a book, whatever its path and packing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digest {
    /// The number of its positions.
    pub positions: u64,
    /// The SHA-256 hash of the positions, a line each, hexadecimal.
    pub sha256: String,
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let beginning: String = self.sha256.chars().take(12).collect();
        write!(
            f,
            "{} positions, SHA-256 {}…",
            self.positions,
            printable(&beginning)
        )
    }
}

/// A place in a book, for error messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    path: String,
    unit: Unit,
    number: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        match (self.number, self.unit) {
            (0, _) => Ok(()),
            (number, Unit::Line) => write!(f, ", line {number}"),
            (number, Unit::Game) => write!(f, ", game {number}"),
        }
    }
}

impl Book {
    /// Reads a file of FEN or EPD lines, or of PGN, whose games are played to their ends or for this number of turns at most;
    /// packed by gzip or not. A game of a PGN that is of another variant, cannot be
    /// played, or is over there, is left out.
    ///
    /// # Errors
    /// A file that cannot be read, that is empty, or of which no game can be played; a line at whose position no game can begin.
    pub fn read<G: Engine>(
        path: &str,
        variant: Variant,
        turns: Option<u32>,
        options: &G::Options,
    ) -> Result<Self, OpeningError> {
        let bytes = read_whole(Path::new(path)).map_err(|error| OpeningError::Unreadable {
            path: path.to_owned(),
            error,
            lists: G::OPENING_LISTS.iter().map(|list| list.name).collect(),
        })?;
        let text = &*pgn::decode(&bytes);
        let mut errors = Vec::new();
        let mut book = if text.trim_start().starts_with('[') {
            let (mut entries, mut corrections) = (Vec::new(), Vec::new());
            for (number, game) in (1..).zip(&pgn::parse(text)) {
                match end_of_game::<G>(path, game, number, variant, turns, options) {
                    Ok((entry, warnings)) => {
                        entries.push(entry);
                        let place = Place {
                            path: path.to_owned(),
                            unit: Unit::Game,
                            number,
                        };
                        corrections.extend(warnings.iter().map(|why| format!("{place}: {why}")));
                    }
                    Err(error) => errors.push(error),
                }
            }
            Self {
                corrections,
                ..Self::of(entries, Unit::Game)
            }
        } else {
            let lines = (1..).zip(text.lines());
            let entries = lines.filter_map(|(number, line)| {
                let text = super::lines(line).next()?.into();
                Some(Entry { text, number })
            });
            Self::of(entries.collect(), Unit::Line)
        };
        book.left_out = errors.iter().map(OpeningError::to_string).collect();
        if book.is_empty() {
            let none = OpeningError::Empty(path.to_owned());
            return Err(errors.into_iter().next().unwrap_or(none));
        }
        if book.unit == Unit::Line {
            book.corrections = book.check_positions::<G>(path, options)?;
        }
        book.is_checked = true;
        Ok(book)
    }

    /// What was dropped or corrected in its positions, one sentence each with its place.
    pub fn corrections(&self) -> &[String] {
        &self.corrections
    }

    /// The games of the file that were left out, and why.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    fn of(positions: Vec<Entry>, unit: Unit) -> Self {
        Self {
            digest: Some(digest_of(&positions)),
            positions,
            unit,
            ..Self::default()
        }
    }

    /// The positions of these lines.
    #[cfg(test)]
    pub(crate) fn of_lines(lines: &[&str]) -> Self {
        let lines = (1..).zip(lines);
        let entry = |(number, &text): (u32, &&str)| Entry {
            text: text.into(),
            number,
        };
        Self::of(lines.map(entry).collect(), Unit::Line)
    }

    /// What is in it.
    pub fn digest(&self) -> Digest {
        self.digest
            .clone()
            .unwrap_or_else(|| digest_of(&self.positions))
    }

    /// Leaves out what is in it.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Whether no positions are at hand.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The number of positions at hand.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether the book has positions that were left behind with its file.
    pub fn is_elsewhere(&self) -> bool {
        let known = self.digest.as_ref();
        self.is_empty() && known.is_some_and(|digest| digest.positions > 0)
    }

    /// A position, by its number from 0. `path` is for error messages.
    ///
    /// # Errors
    /// A line that is no position of the game.
    pub fn position<G: Notation>(
        &self,
        path: &str,
        number: usize,
        options: &G::Options,
    ) -> Result<Parsed<G>, OpeningError> {
        let text = &*self.positions[number].text;
        epd::position(text, options).map_err(|error| OpeningError::Position {
            place: self.place(path, number),
            line: text.to_owned(),
            error,
        })
    }

    /// Checks that a game can begin at every position; this was done already if the book was read from a file.
    ///
    /// # Errors
    /// The first position at which none can.
    pub fn check<G: Engine>(&self, path: &str, options: &G::Options) -> Result<(), OpeningError> {
        if !self.is_checked {
            self.check_positions::<G>(path, options)?;
        }
        Ok(())
    }

    /// Checks that a game can begin at every position, and says what was dropped or corrected in them, with their places.
    ///
    /// # Errors
    /// The first position at which none can.
    fn check_positions<G: Engine>(
        &self,
        path: &str,
        options: &G::Options,
    ) -> Result<Vec<String>, OpeningError> {
        let mut corrections = Vec::new();
        for number in 0..self.len() {
            let parsed = self.position::<G>(path, number, options)?;
            let place = || self.place(path, number);
            if Game::new(parsed.position, *options).outcome().is_some() {
                return Err(OpeningError::Over {
                    place: place(),
                    line: self.positions[number].text.to_string(),
                });
            }
            let warnings = parsed.warnings.iter();
            corrections.extend(warnings.map(|why| format!("{}: {why}", place())));
        }
        Ok(corrections)
    }

    fn place(&self, path: &str, number: usize) -> Place {
        Place {
            path: path.to_owned(),
            unit: self.unit,
            number: self.positions[number].number,
        }
    }
}

fn digest_of(positions: &[Entry]) -> Digest {
    let mut hash = Sha256::new();
    for entry in positions {
        hash.update(entry.text.as_bytes());
        hash.update(b"\n");
    }
    Digest {
        positions: positions.len() as u64,
        sha256: hexadecimal(&hash.finalize()),
    }
}

/// The position to which a game of a PGN leads, and what was dropped or corrected in the one at which it begins.
fn end_of_game<G: Engine>(
    path: &str,
    game: &PgnGame,
    number: u32,
    variant: Variant,
    turns: Option<u32>,
    options: &G::Options,
) -> Result<(Entry, Vec<String>), OpeningError> {
    let failed = |error| OpeningError::Game {
        path: path.to_owned(),
        number: number as usize,
        error,
    };
    if variant_of_pgn(game, variant) != Ok(variant) {
        return Err(OpeningError::Variant {
            path: path.to_owned(),
            number: number as usize,
            found: game.tag("Variant").unwrap_or_default().to_owned(),
            variant,
        });
    }
    let mut reader = PgnReplay::<G>::new(game, options).map_err(failed)?;
    let mut left = turns;
    while left != Some(0) && reader.read_turn().map_err(failed)? {
        left = left.map(|left| left - 1);
    }
    let played = reader.played;
    let text: Box<str> = played.position().fen().into();
    if played.outcome().is_some() {
        return Err(OpeningError::Over {
            place: Place {
                path: path.to_owned(),
                unit: Unit::Game,
                number,
            },
            line: text.into(),
        });
    }
    Ok((Entry { text, number }, reader.warnings))
}
