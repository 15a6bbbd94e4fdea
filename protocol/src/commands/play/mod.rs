//! `fauve play`: a person against the engine in the terminal. Ctrl-C saves the game and ends the program with the status of
//! an interruption.

mod auto_save;
mod complete;
mod doubling;
mod game;
mod keyboard;
mod legend;
mod side;

use super::conditions::{name_value_pairs, rules};
use crate::terminal::{Lines, Printer};
use crate::variants::with_game;
use crate::wire::network;
use crate::wire::options::Options;
use anyhow::{Context, Result, ensure};
use auto_save::AutoSave;
use fauve_engine::Variant;
use fauve_engine::rules::{DiceSeed, printable};
use fauve_engine::search::{Engine, Table};
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::clock::{Clock, TimeControl};
use fauve_game::cube::Doubling;
use fauve_game::explain::Explain;
use fauve_game::names::tag_name;
use fauve_game::played::Played;
use game::Play;
use side::Side;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

/// The level where nothing else says how strong the engine is.
const LEVEL: u32 = 4;

/// What may follow `fauve play`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve play\n  \
    fauve play superchess --side black --level 4\n  \
    fauve play twomove --elo 1500 --tc 10:00+5\n  \
    fauve play dicechess --seed 2a\n  \
    fauve play --load fauve-chess.pgn\n\n\
    Type a turn (`e2e4`, `Nf3`, `e2e4,g1f3`), or `help`, `legend`, `rules`.")]
pub struct Arguments {
    /// The person's side: white, black, or both for two people at one keyboard; white by default, or as the game that is loaded
    /// has it.
    #[arg(long)]
    side: Option<Side>,
    /// The engine's strength, from 1, which a beginner can beat, in steps of some 150 Elo to full strength (which number that is depends
    /// on the game); 4 by default.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    level: Option<u32>,
    /// The engine's strength as an Elo figure instead: in chess that of Stockfish's UCI_Elo, in other games a random player has 0.
    #[arg(long, conflicts_with = "level")]
    elo: Option<u32>,
    /// A clock for both sides, in seconds: 300+2, 5:00+2.
    #[arg(long, value_name = "BASE+INC")]
    tc: Option<TimeControl>,
    /// Search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Megabytes of the transposition table.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Seed of the dice, and of the engine's errors below full strength, hexadecimal; random by default.
    #[arg(long, value_parser = |text: &str| text.parse::<DiceSeed>())]
    seed: Option<DiceSeed>,
    /// A rule switch, by the name of the option: 'Promotion Pool=physical'.
    #[arg(long, value_name = "NAME=VALUE")]
    rule: Vec<String>,
    /// A network that takes the place of the game's evaluation.
    #[arg(long, value_name = "FILE")]
    eval_file: Option<String>,
    /// Resumes the first game of a PGN. A game that was begun here brings its side, level, clock and cube; options given
    /// beside it take their place.
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    load: Option<PathBuf>,
    /// Keeps the game as PGN, turn by turn.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// DiceChess with the doubling cube of backgammon, which no source of its rules knows: `double` before a roll, `take` or `pass`.
    #[arg(long)]
    doubling: bool,
    /// The game, where `--variant` does not name it, and the position, `startpos` by default.
    #[arg(value_name = "GAME|FEN")]
    fen: Vec<String>,
}

impl Arguments {
    /// Plays until the game is over and the person leaves.
    ///
    /// # Errors
    /// When the position cannot be read, or standard output takes no more.
    pub fn run(&self, chosen: Option<Variant>) -> Result<()> {
        let (named, fen) = game_of(&self.fen);
        ensure!(
            named.is_none() || chosen.is_none() || named == chosen,
            "two games are named"
        );
        let chosen = chosen.or(named);
        let loaded = self
            .load
            .as_deref()
            .map(|path| auto_save::read(path, chosen))
            .transpose()?;
        let variant = loaded
            .as_ref()
            .map_or(chosen.unwrap_or_default(), |loaded| loaded.variant);
        with_game!(variant, G => self.play::<G>(variant, fen, loaded.as_ref()))
    }

    fn play<G: Engine + Explain>(
        &self,
        variant: Variant,
        fen: &[String],
        loaded: Option<&auto_save::Loaded>,
    ) -> Result<()> {
        let switches = name_value_pairs(&self.rule)?;
        ensure!(
            switches.is_empty() || loaded.is_none(),
            "--rule: a game that is loaded brings its rules"
        );
        let mut options = self.options(variant)?;
        options.rules = match loaded {
            Some(loaded) => loaded.rules.clone(),
            None => rules(&switches)?,
        };
        let own: G::Options = options.rules.options();
        let start: G = super::position(fen, &own)?;
        let table =
            Table::new(self.hash as usize).context("no memory for the transposition table")?;
        ensure!(
            G::HAS_CHANCE || !self.doubling,
            "--doubling: {variant} has no dice"
        );
        let levels = StrengthScale::of(variant).levels();
        ensure!(
            self.level.is_none_or(|level| level <= levels),
            "--level: {variant} has the levels 1 to {levels}"
        );
        let seed = self
            .seed
            .unwrap_or_else(|| DiceSeed(RandomState::new().hash_one("dice")));
        options.begin_game(Some(seed.0));
        let strength = loaded.and_then(auto_save::Loaded::strength);
        let level = match (self.level, strength) {
            (Some(level), _) => Some(level),
            (None, _) if self.elo.is_some() => None,
            (None, Some((level, elo))) => {
                options.limit_strength(elo);
                level
            }
            (None, None) => self.tc.is_none().then_some(LEVEL),
        };
        let side = self.side.or_else(|| loaded?.side()).unwrap_or(Side::White);
        let clock = self.tc.map(Clock::new);
        let mut played = Played::new(start, own);
        for (name, value) in &switches {
            played.tags.set(&tag_name(name), value);
        }
        played.clock = clock;
        played.seed = G::HAS_CHANCE.then_some(seed);
        played.doubling = self.doubling.then(Doubling::default);
        let mut play = Play {
            played,
            variant,
            side,
            level,
            options,
            seed,
            is_shown: false,
            is_told: false,
            out: Printer::default(),
            lines: Lines::open("play"),
            kept: AutoSave::new(variant, self.save.clone()),
            table: &table,
        };
        if let Some(loaded) = loaded {
            play.resume(loaded.play()?, clock.or_else(|| loaded.clock()));
        }
        Ok(play.run()?)
    }

    fn options(&self, variant: Variant) -> Result<Options> {
        let mut options = Options::default();
        options.variant = variant;
        options.set("Threads", &self.threads.to_string())?;
        if let Some(elo) = self.elo {
            let range = StrengthScale::of(variant).range();
            ensure!(
                range.contains(&elo),
                "--elo: {variant} is played at {} to {}; without a limit at full strength",
                range.start(),
                range.end()
            );
            options.limit_strength(Some(elo));
        }
        if let Some(path) = &self.eval_file {
            let (network, _) = network::read(path, variant)
                .with_context(|| format!("--eval-file {}", printable(path)))?;
            options.set_network(Some(network));
        }
        Ok(options)
    }
}

/// The game that the first word names, and the words behind it.
fn game_of(words: &[String]) -> (Option<Variant>, &[String]) {
    match words {
        [first, rest @ ..] => match Variant::from_name(first) {
            Some(game) => (Some(game), rest),
            None => (None, words),
        },
        [] => (None, words),
    }
}
