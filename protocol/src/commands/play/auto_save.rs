//! Game files: automatic saving of the game in progress, and loading of saved games.

use super::game::Play;
use super::side::Side;
use crate::signals::{Ending, on_end};
use crate::terminal::warn;
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::RuleSettings;
use fauve_engine::search::Engine;
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::clock::Clock;
use fauve_game::cube::Doubling;
use fauve_game::explain::Explain;
use fauve_game::names;
use fauve_game::pgn::{self, PgnGame};
use fauve_game::played::Played;
use fauve_game::replay::of_pgn;
use fauve_referee::record::date::today;
use fauve_referee::record::lines::read_file;
use fauve_referee::record::save::save;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// PGN text of the game in progress, shared with the signal handler so that Ctrl-C saves it.
pub(super) struct AutoSave {
    text: Arc<Mutex<String>>,
    path: Option<PathBuf>,
    variant: Variant,
}

impl AutoSave {
    /// An empty game. With a path it is saved there after every turn; without one, in the current directory when the program
    /// is interrupted.
    pub(super) fn new(variant: Variant, path: Option<PathBuf>) -> Self {
        let text = Arc::new(Mutex::new(String::new()));
        let (shared, given) = (Arc::clone(&text), path.clone());
        on_end(Ending::Do(Box::new(move || {
            // The signal may have come in the middle of a line.
            warn("");
            write_out(&shared, given.as_deref(), variant);
        })));
        Self {
            text,
            path,
            variant,
        }
    }

    /// Saves the game as Ctrl-C does.
    pub(super) fn rescue(&self) {
        write_out(&self.text, self.path.as_deref(), self.variant);
    }

    /// Stores the PGN of the game, empty before the first turn, and writes it to the file of `--save`.
    ///
    /// # Errors
    /// When that file cannot be written.
    pub(super) fn take(&self, text: String) -> io::Result<()> {
        let mut kept = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = text;
        match &self.path {
            Some(path) if !kept.is_empty() => save(path, kept.as_bytes()),
            _ => Ok(()),
        }
    }
}

/// Writes the game to `given`, or else to a new file, and prints its name. Does nothing before the first turn.
fn write_out(text: &Mutex<String>, given: Option<&Path>, variant: Variant) {
    let text = text.lock().unwrap_or_else(PoisonError::into_inner);
    if text.is_empty() {
        return;
    }
    let path = given.map_or_else(|| free_path(variant), Path::to_owned);
    let name = path.display();
    match save(&path, text.as_bytes()) {
        Ok(()) => warn(format_args!(
            "Game saved to {name}; resume with `fauve play --load {name}`"
        )),
        Err(error) => warn(format_args!("{name}: {error}; the game is lost")),
    }
}

/// A file name that is not in use, such as `fauve-chess.pgn` or `fauve-chess-2.pgn`.
fn free_path(variant: Variant) -> PathBuf {
    let numbered = (2..).map(|number| format!("fauve-{variant}-{number}.pgn"));
    std::iter::once(format!("fauve-{variant}.pgn"))
        .chain(numbered)
        .map(PathBuf::from)
        .find(|path| std::fs::symlink_metadata(path).is_err())
        .expect("the numbers do not run out")
}

/// A game read from a file.
pub(super) struct Loaded {
    pub(super) variant: Variant,
    pub(super) rules: RuleSettings,
    game: PgnGame,
}

/// Reads the first game of a PGN file; without a `Variant` tag it is a game of `chosen`, or chess.
///
/// # Errors
/// When the file cannot be read, has no game, or its game is unknown or differs from `chosen`.
pub(super) fn read(path: &Path, chosen: Option<Variant>) -> Result<Loaded> {
    let text = read_file(path)?;
    let name = || path.display().to_string();
    let game = pgn::parse(&pgn::decode(&text)).into_iter().next();
    let game = game.context("contains no game").with_context(name)?;
    let variant = names::variant_of_pgn(&game, chosen.unwrap_or_default()).with_context(name)?;
    ensure!(
        chosen.is_none_or(|chosen| chosen == variant),
        "{}: is a game of {variant}",
        path.display()
    );
    let rules = names::rules_of_pgn(&game).with_context(name)?;
    Ok(Loaded {
        variant,
        rules,
        game,
    })
}

/// Event tag of games started in the terminal.
const EVENT: &str = "fauve play";
/// Tag for the side played from the keyboard.
const SIDE: &str = "FauveSide";
/// Tag for the level of the engine.
const LEVEL: &str = "FauveLevel";
/// Tag for the Elo limit of the engine, if it has no level.
const ELO: &str = "FauveElo";

impl Loaded {
    /// The side played from the keyboard, in a game saved by `fauve play`.
    pub(super) fn side(&self) -> Option<Side> {
        Side::from_str(self.game.tag(SIDE)?, true).ok()
    }

    /// The level and the Elo limit of the engine, in a game saved by `fauve play`; both are `None` at full strength. `None` for
    /// other games, and for values out of range.
    pub(super) fn strength(&self) -> Option<(Option<u32>, Option<u32>)> {
        self.side()?;
        let scale = StrengthScale::of(self.variant);
        let number = |name| self.game.tag(name).map(|text| text.parse::<u32>().ok());
        // A file may come from anywhere, so values out of range are ignored.
        let level = match number(LEVEL) {
            Some(level) => Some(level.filter(|level| (1..=scale.levels()).contains(level))?),
            None => None,
        };
        let elo = match number(ELO) {
            Some(elo) => Some(elo.filter(|elo| scale.range().contains(elo))?),
            None => None,
        };
        Some((level, elo))
    }

    /// The clocks at the start of a game saved by `fauve play`.
    pub(super) fn clock(&self) -> Option<Clock> {
        self.side()?;
        let control = self.game.tag("TimeControl")?.parse().ok()?;
        Some(Clock::new(control))
    }

    /// Replays the game.
    ///
    /// # Errors
    /// When one of its turns is illegal.
    pub(super) fn play<G: Engine>(&self) -> Result<Played<G>> {
        Ok(of_pgn(&self.game, &self.rules.options())?)
    }
}

impl<G: Engine + Explain> Play<'_, G> {
    /// The game as PGN; empty before the first turn.
    pub(super) fn pgn(&mut self) -> String {
        let played = &self.played;
        if played.turns().is_empty() && played.ended.is_none() {
            return String::new();
        }
        let names = Color::ALL.map(|color| self.player(color));
        let elo = self.options.limited_elo();
        let (side, level) = (self.side.name(), self.level);
        let result = self.played.result_text();
        let tags = &mut self.played.tags;
        if tags.get("Event").is_none_or(|event| event == EVENT) {
            for (name, value) in [
                ("Event", EVENT),
                ("Site", "?"),
                ("Date", &today()),
                ("Round", "-"),
                ("White", &names[0]),
                ("Black", &names[1]),
            ] {
                if tags.get(name).is_none() || matches!(name, "White" | "Black") {
                    tags.set(name, value);
                }
            }
        }
        tags.set("Result", result);
        if self.variant != Variant::Chess {
            tags.set("Variant", self.variant.name());
        }
        tags.set(SIDE, side);
        for (name, value) in [(LEVEL, level), (ELO, elo.filter(|_| level.is_none()))] {
            match value {
                Some(value) => tags.set(name, &value.to_string()),
                None => tags.remove(name),
            }
        }
        if let Some(clock) = &self.played.clock {
            tags.set("TimeControl", &clock.control(Color::White).to_string());
        }
        pgn::text(&self.played)
    }

    /// Replaces the game by a loaded one, with its side, strength and clock if it was saved by `fauve play`.
    ///
    /// # Errors
    /// When it is a game of another variant, or one of its turns is illegal.
    pub(super) fn take_over(&mut self, loaded: &Loaded) -> Result<()> {
        ensure!(
            loaded.variant == self.variant,
            "the file has a game of {}, not of {}",
            loaded.variant,
            self.variant
        );
        let played = loaded.play::<G>()?;
        if let Some(side) = loaded.side() {
            self.side = side;
        }
        if let Some((level, elo)) = loaded.strength() {
            self.level = level;
            self.options.limit_strength(elo);
        }
        let clock = loaded.clock().or(self.played.clock);
        self.resume(played, clock);
        Ok(())
    }

    /// Continues a loaded game on these clocks, set to the times recorded in the game if there are any.
    pub(super) fn resume(&mut self, mut played: Played<G>, clock: Option<Clock>) {
        match played.seed {
            Some(seed) => self.seed = seed,
            None if G::HAS_CHANCE => played.seed = Some(self.seed),
            None => {}
        }
        if played.doubling.is_none() && self.played.doubling.is_some() {
            played.doubling = Some(Doubling::default());
        }
        played.clock = clock;
        played.reset_clock();
        self.played = played;
        (self.is_shown, self.is_result_shown) = (false, false);
    }
}
