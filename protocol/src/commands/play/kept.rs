//! Games as files: what is kept of the game in progress, and games that are gone on with.

use super::doubling::Doubling;
use super::game::Play;
use crate::commands::games::{rule_tags, rules_of_pgn, variant_of_pgn};
use crate::signals::{Ending, on_end};
use crate::terminal::warn;
use anyhow::{Context, Result, ensure};
use fauve_board::Explain;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{Event, Game, Notation, Roll, RuleSettings, Turn, turn_san, turn_token};
use fauve_engine::search::Engine;
use fauve_referee::record::date::today;
use fauve_referee::record::lines::read_file;
use fauve_referee::record::pgn::{self, PgnGame, text_of};
use fauve_referee::record::save::save;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The text of the game in progress, which outlives its loop: Ctrl-C saves it.
pub(super) struct Kept {
    text: Arc<Mutex<String>>,
    path: Option<PathBuf>,
    variant: Variant,
}

impl Kept {
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
    let game = pgn::parse(&String::from_utf8_lossy(&text))
        .into_iter()
        .next();
    let game = game.context("there is no game in it").with_context(name)?;
    let variant = variant_of_pgn(&game, chosen.unwrap_or_default()).with_context(name)?;
    ensure!(
        chosen.is_none_or(|chosen| chosen == variant),
        "{}: that is a game of {variant}",
        path.display()
    );
    let rules = rules_of_pgn(&game).with_context(name)?;
    Ok(Loaded {
        variant,
        rules,
        game,
    })
}

/// A turn of the game so far.
pub(super) struct Past<G: Notation> {
    /// The position in which it was made, dice and all.
    pub(super) before: G,
    pub(super) roll: Option<Roll>,
    pub(super) turn: Turn<G::Step>,
}

/// The turns of a game, oldest first. A last one may be unfinished.
pub(super) fn turns<G: Notation>(game: &Game<G>) -> Vec<Past<G>> {
    let mut turns: Vec<Past<G>> = Vec::new();
    let mut rolled = None;
    for (before, event) in game.past() {
        match event {
            Event::Roll(roll) => rolled = Some(*roll),
            Event::Step(step) => match turns.last_mut().filter(|_| before.is_mid_turn()) {
                Some(last) => last.turn.push(*step),
                None => turns.push(Past {
                    before: *before,
                    roll: rolled.take(),
                    turn: Turn::from_slice(&[*step]),
                }),
            },
        }
    }
    turns
}

impl<G: Engine + Explain> Play<'_, G> {
    /// The game as PGN; empty as long as no turn was played.
    pub(super) fn pgn(&self) -> String {
        let mut turns = turns(&self.game);
        if self.game.position().is_mid_turn() {
            turns.pop();
        }
        if turns.is_empty() && self.ended.is_none() {
            return String::new();
        }
        let (result, reason) = self.end().unwrap_or(("*", "unfinished".to_owned()));
        let tags = self.tags(result, &reason);
        let mut words = Vec::new();
        // Black's turn needs its number at the beginning and behind a comment.
        let mut announce = true;
        for Past { before, roll, turn } in &turns {
            let number = before.turn_index() / 2 + 1;
            match before.side_to_move() {
                Color::White => words.push(format!("{number}.")),
                Color::Black if announce => words.push(format!("{number}...")),
                Color::Black => {}
            }
            announce = roll.is_some();
            let san = turn_san(before, turn);
            let is_plain = !san.contains(['(', ' ', '{']);
            words.push(if is_plain {
                san
            } else {
                turn_token(before, turn)
            });
            words.extend(roll.map(|roll| format!("{{{roll}}}")));
        }
        words.push(result.to_owned());
        text_of(&tags, &words)
    }

    fn tags(&self, result: &str, reason: &str) -> Vec<(String, String)> {
        let mut tags = Vec::new();
        let mut tag = |name: &str, value: &str| tags.push((name.to_owned(), value.to_owned()));
        tag("Event", "fauve play");
        tag("Site", "?");
        tag("Date", &today());
        tag("Round", "-");
        tag("White", &self.player(Color::White));
        tag("Black", &self.player(Color::Black));
        tag("Result", result);
        if self.variant != Variant::Chess {
            tag("Variant", self.variant.name());
        }
        for (name, value) in &self.switches {
            tag(&name.replace(' ', ""), value);
        }
        if self.start != G::start(self.game.options()) {
            tag("SetUp", "1");
            tag("FEN", &self.start.fen());
        }
        if G::HAS_CHANCE {
            tag("DiceSeed", &self.seed.to_string());
        }
        tag("EndReason", reason);
        tags
    }

    /// Goes on with a game that was read.
    ///
    /// # Errors
    /// When its rules are others than those of this program run, or one of its turns is not legal.
    pub(super) fn take_over(&mut self, loaded: &Loaded) -> Result<()> {
        ensure!(
            loaded.variant == self.variant,
            "that is a game of {}, and this is {}",
            loaded.variant,
            self.variant
        );
        let options: G::Options = loaded.rules.options();
        let start = loaded.game.start::<G>(&options);
        let (game, _) = loaded.game.transcript(&start).play::<G>(&options)?;
        self.start = G::from_fen(&start, &options)?.position;
        self.game = game;
        if let Some(seed) = loaded
            .game
            .tag("DiceSeed")
            .and_then(|seed| seed.parse().ok())
        {
            self.seed = seed;
        }
        self.switches = rule_tags(&loaded.game);
        self.ended = None;
        self.past_clocks.clear();
        self.doubling.iter_mut().for_each(Doubling::reset);
        (self.is_shown, self.is_told) = (false, false);
        Ok(())
    }
}
