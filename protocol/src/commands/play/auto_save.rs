//! Games as files: what is kept of the game in progress, and games that are gone on with.

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

/// The text of the game in progress, which outlives its loop: Ctrl-C saves it.
pub(super) struct AutoSave {
    text: Arc<Mutex<String>>,
    path: Option<PathBuf>,
    variant: Variant,
}

impl AutoSave {
    /// Nothing yet. With a path the game is kept there turn by turn; without one it is saved beside us when the program is
    /// interrupted.
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

    /// Saves the game as an interruption does: the person has left it.
    pub(super) fn rescue(&self) {
        write_out(&self.text, self.path.as_deref(), self.variant);
    }

    /// Takes the game as it is now; nothing where no turn was played.
    ///
    /// # Errors
    /// When there is a file for it that cannot be written.
    pub(super) fn take(&self, text: String) -> io::Result<()> {
        let mut kept = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = text;
        match &self.path {
            Some(path) if !kept.is_empty() => save(path, kept.as_bytes()),
            _ => Ok(()),
        }
    }
}

/// Writes the game to the file that was given, or to a free one, and says where it is; nothing where no turn was played.
fn write_out(text: &Mutex<String>, given: Option<&Path>, variant: Variant) {
    let text = text.lock().unwrap_or_else(PoisonError::into_inner);
    if text.is_empty() {
        return;
    }
    let path = given.map_or_else(|| free_path(variant), Path::to_owned);
    let name = path.display();
    match save(&path, text.as_bytes()) {
        Ok(()) => warn(format_args!(
            "the game is in {name}; `fauve play --load {name}` goes on with it"
        )),
        Err(error) => warn(format_args!("{name}: {error}; the game is lost")),
    }
}

/// A name for the game that no file has.
fn free_path(variant: Variant) -> PathBuf {
    let numbered = (2..).map(|number| format!("fauve-{variant}-{number}.pgn"));
    std::iter::once(format!("fauve-{variant}.pgn"))
        .chain(numbered)
        .map(PathBuf::from)
        .find(|path| std::fs::symlink_metadata(path).is_err())
        .expect("one of so many is free")
}

/// A game that was read.
pub(super) struct Loaded {
    pub(super) variant: Variant,
    pub(super) rules: RuleSettings,
    game: PgnGame,
}

/// Reads the first game of a PGN; a file that names no game is of the chosen one.
///
/// # Errors
/// A file without a game, or one of a game that is not known here.
pub(super) fn read(path: &Path, chosen: Option<Variant>) -> Result<Loaded> {
    let text = read_file(path)?;
    let name = || path.display().to_string();
    let game = pgn::parse(&pgn::decode(&text)).into_iter().next();
    let game = game.context("there is no game in it").with_context(name)?;
    let variant = names::variant_of_pgn(&game, chosen.unwrap_or_default()).with_context(name)?;
    ensure!(
        chosen.is_none_or(|chosen| chosen == variant),
        "{}: that is a game of {variant}",
        path.display()
    );
    let rules = names::rules_of_pgn(&game).with_context(name)?;
    Ok(Loaded {
        variant,
        rules,
        game,
    })
}

/// The event of games that begin at the terminal.
const EVENT: &str = "fauve play";
/// Tags that only this program writes: who sits at the keyboard, and how strong the engine plays.
const SIDE: &str = "FauveSide";
const LEVEL: &str = "FauveLevel";
const ELO: &str = "FauveElo";

impl Loaded {
    /// The side of the person at the keyboard, in a game that was begun here.
    pub(super) fn side(&self) -> Option<Side> {
        Side::from_str(self.game.tag(SIDE)?, true).ok()
    }

    /// How strong the engine is to play, in a game that was begun here: a level, an Elo figure, or at full strength none of them.
    pub(super) fn strength(&self) -> Option<(Option<u32>, Option<u32>)> {
        self.side()?;
        let scale = StrengthScale::of(self.variant);
        let number = |name| self.game.tag(name).map(|text| text.parse::<u32>().ok());
        // A file may be written by anybody: figures that there are not say nothing.
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

    /// The clocks of a game that was begun here, full.
    pub(super) fn clock(&self) -> Option<Clock> {
        self.side()?;
        let control = self.game.tag("TimeControl")?.parse().ok()?;
        Some(Clock::new(control))
    }

    /// The game with its turns.
    ///
    /// # Errors
    /// When one of its turns is not legal.
    pub(super) fn play<G: Engine>(&self) -> Result<Played<G>> {
        Ok(of_pgn(&self.game, &self.rules.options())?)
    }
}

impl<G: Engine + Explain> Play<'_, G> {
    /// The game as PGN; empty as long as no turn was played.
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

    /// Takes a game over that was read, with its side, strength and clock if it was begun here.
    ///
    /// # Errors
    /// When it is of another game, or one of its turns is not legal.
    pub(super) fn take_over(&mut self, loaded: &Loaded) -> Result<()> {
        ensure!(
            loaded.variant == self.variant,
            "that is a game of {}, and this is {}",
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

    /// Goes on from a game that was read, on these clocks, as far as the game does not say what they showed.
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
        (self.is_shown, self.is_told) = (false, false);
    }
}
