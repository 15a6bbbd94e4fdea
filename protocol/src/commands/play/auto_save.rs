//! Game files: automatic saving of the game in progress, and loading of saved games.

use super::game::Play;
use super::side::Side;
use crate::commands::holds_something;
use crate::signals::{Ending, on_end};
use crate::terminal::{plain_error, warn};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::RuleSettings;
use fauve_engine::search::Engine;
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::clock::Clock;
use fauve_game::cube::Doubling;
use fauve_game::date::today;
use fauve_game::explain::Explain;
use fauve_game::names;
use fauve_game::pgn::{self, PgnGame};
use fauve_game::played::Played;
use fauve_game::replay::PgnReplay;
use fauve_referee::record::lines::read_file;
use fauve_referee::record::save::{is_same_path, save};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// PGN text of the game in progress, shared with the signal handler so that Ctrl-C saves it.
pub(super) struct AutoSave {
    state: Arc<Mutex<State>>,
}

/// The game in progress, and where it is on the disk.
struct State {
    /// The game as PGN; empty as long as no turn was played.
    text: String,
    /// The file in which the game stands as it is now.
    saved: Option<PathBuf>,
    /// Where the game is kept turn by turn.
    path: Option<PathBuf>,
    /// The files that this session may replace: it wrote them, or they hold nothing but the game that was loaded.
    own: Vec<PathBuf>,
    /// Whether a game could not be saved when the person left it.
    has_lost: bool,
    variant: Variant,
}

impl AutoSave {
    /// An empty game. With a path it is saved there after every turn; without one, in the current directory when the person
    /// leaves or the program is interrupted.
    pub(super) fn new(variant: Variant, path: Option<PathBuf>) -> Self {
        let state = Arc::new(Mutex::new(State {
            text: String::new(),
            saved: None,
            own: path.iter().cloned().collect(),
            path,
            has_lost: false,
            variant,
        }));
        let shared = Arc::clone(&state);
        on_end(Ending::Do(Box::new(move || {
            // The signal may have come in the middle of a line.
            warn("");
            lock(&shared).write_out();
        })));
        Self { state }
    }

    /// Saves the game where it is not saved yet, and says where it is: the person leaves it.
    pub(super) fn rescue(&self) {
        lock(&self.state).write_out();
    }

    /// Whether a game could not be saved: when the person left it, or the present one in the file of `--save`.
    pub(super) fn has_lost_a_game(&self) -> bool {
        let state = lock(&self.state);
        let is_due = state.path.is_some() && !state.text.is_empty();
        state.has_lost || is_due && state.saved.is_none()
    }

    /// Another game begins: the one before is saved, and where games are kept turn by turn the next one gets a file of its own.
    pub(super) fn begin_next(&self) {
        let mut state = lock(&self.state);
        state.write_out();
        if !state.text.is_empty()
            && let Some(path) = state.path.take()
        {
            let next = free_variation(&path);
            warn(format_args!("the next game is kept in {}", next.display()));
            state.own.push(next.clone());
            state.path = Some(next);
        }
        state.text.clear();
        state.saved = None;
    }

    /// Stores the PGN of the game, empty before the first turn, and writes it to the file of `--save`.
    ///
    /// # Errors
    /// When that file cannot be written.
    pub(super) fn take(&self, text: String) -> io::Result<()> {
        let mut state = lock(&self.state);
        if state.text != text {
            state.saved = None;
        }
        state.text = text;
        match state.path.clone() {
            Some(path) if !state.text.is_empty() => state.write_to(path),
            _ => Ok(()),
        }
    }

    /// Whether a file may be written without losing what another program or game has left there.
    pub(super) fn may_write(&self, path: &Path) -> bool {
        let is_own = |own: &PathBuf| own == path || is_same_path(own, path);
        !holds_something(path) || lock(&self.state).own.iter().any(is_own)
    }

    /// Writes the game, as it is now, to a file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn save(&self, text: String, path: &Path) -> io::Result<()> {
        let mut state = lock(&self.state);
        state.text = text;
        state.write_to(path.to_owned())
    }

    /// The game as it is now stands in this file, which holds nothing else if `is_only` says so.
    pub(super) fn loaded(&self, path: &Path, is_only: bool) {
        let mut state = lock(&self.state);
        state.saved = Some(path.to_owned());
        if is_only {
            state.own.push(path.to_owned());
        }
    }
}

/// The state, which no panic leaves half written.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn write_to(&mut self, path: PathBuf) -> io::Result<()> {
        save(&path, self.text.as_bytes())?;
        if !self.own.contains(&path) {
            self.own.push(path.clone());
        }
        self.saved = Some(path);
        Ok(())
    }

    /// Writes the game to its file, or to a free one, unless it is saved already, and says where it is; nothing where no turn was
    /// played.
    fn write_out(&mut self) {
        if self.text.is_empty() {
            return;
        }
        if self.saved.is_none() {
            let path = self
                .path
                .clone()
                .unwrap_or_else(|| free_path(format!("fauve-{}.pgn", self.variant).into()));
            let name = path.display().to_string();
            if let Err(error) = self.write_to(path) {
                self.has_lost = true;
                warn(format_args!(
                    "{name}: {}; the game is lost",
                    plain_error(&error)
                ));
                return;
            }
        }
        if let Some(path) = &self.saved {
            let name = path.display();
            warn(format_args!(
                "Game saved to {name}; resume with `fauve play --load {name}`"
            ));
        }
    }
}

/// This name, or a free one beside it if it is taken.
fn free_path(path: PathBuf) -> PathBuf {
    if is_free(&path) {
        path
    } else {
        free_variation(&path)
    }
}

fn is_free(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_err()
}

/// A free name beside a file's: `game-2.pgn` beside `game.pgn`.
fn free_variation(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or_else(String::new, |extension| {
        format!(".{}", extension.to_string_lossy())
    });
    (2..=u32::MAX)
        .map(|number| path.with_file_name(format!("{stem}-{number}{extension}")))
        .find(|path| is_free(path))
        .expect("one of all the numbers is free")
}

/// A game read from a file.
pub(super) struct Loaded {
    pub(super) variant: Variant,
    pub(super) rules: RuleSettings,
    /// The file, and whether there is no other game in it.
    pub(super) path: PathBuf,
    pub(super) is_only: bool,
    game: PgnGame,
}

/// Reads the first game of a PGN file; without a `Variant` tag it is a game of `chosen`, or chess.
///
/// # Errors
/// When the file cannot be read, has no game, or its game is unknown or differs from `chosen`.
pub(super) fn read(path: &Path, chosen: Option<Variant>) -> Result<Loaded> {
    let name = || path.display().to_string();
    let text = read_file(path)?;
    let mut games = pgn::parse(&pgn::decode(&text)).into_iter();
    let game = games.next();
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
        path: path.to_owned(),
        is_only: games.next().is_none(),
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
        let mut reader = PgnReplay::new(&self.game, &self.rules.options())?;
        for warning in &reader.warnings {
            warn(format_args!("{}: {warning}", self.path.display()));
        }
        while reader.read_turn()? {}
        let played = reader.played;
        if let Some(null_move) = played.unread {
            warn(format_args!("{}: {null_move}", self.path.display()));
        }
        Ok(played)
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
        self.kept.begin_next();
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
