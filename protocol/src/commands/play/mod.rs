//! `fauve play`: a game against the engine in the terminal. Ctrl-C saves the game and ends the program with the exit status of
//! an interrupted one.

mod auto_save;
mod complete;
mod doubling;
mod game;
mod keyboard;
mod legend;
mod side;
mod unknown;

use super::conditions::{name_value_pairs, rules};
use super::{Misuse, ensure_free, one_game};
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
use fauve_game::names::set_rule_tag;
use fauve_game::played::Played;
use fauve_referee::record::save::{can_save, is_same_path};
use game::Play;
use side::Side;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

/// Default level, used when neither `--elo` nor `--tc` nor a loaded game sets the strength.
const LEVEL: u32 = 4;

/// Arguments of `fauve play`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve play\n  \
    fauve play superchess --side black --level 4\n  \
    fauve play chess --elo 1500 --tc 10:00+5\n  \
    fauve play dicechess --seed 2a\n  \
    fauve play --load fauve-chess.pgn\n\n\
    During the game, type a turn (`e2e4`, `Nf3`, `e2e4,g1f3`), or `help`, `legend`, `rules`.")]
pub struct Arguments {
    /// Your side; both is for two players at one keyboard [default: white, or that of the loaded game]
    #[arg(long)]
    side: Option<Side>,
    /// Engine strength: 1 is beatable by a beginner, and each level but the last adds about 150 Elo; the last, whose number
    /// depends on the game, is full strength [default: 4]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    level: Option<u32>,
    /// Engine strength as an Elo rating: in chess on the scale of Stockfish's UCI_Elo, in the other games a random player is
    /// rated 0
    #[arg(long, conflicts_with = "level")]
    elo: Option<u32>,
    /// Clock of both sides, time and increment in seconds: 300+2, 5:00+2
    #[arg(long, value_name = "BASE+INC")]
    tc: Option<TimeControl>,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Transposition table size in megabytes
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Hexadecimal seed of the dice and of the engine's mistakes below full strength; random by default
    #[arg(long, value_parser = |text: &str| text.parse::<DiceSeed>())]
    seed: Option<DiceSeed>,
    /// Rule option by name, such as 'Promotion Pool=physical'
    #[arg(long, value_name = "NAME=VALUE")]
    rule: Vec<String>,
    /// Network file used in place of the built-in evaluation
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Resume the first game of a PGN file. A game saved by `fauve play` restores side, strength, clock and cube; options
    /// given here override them
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    load: Option<PathBuf>,
    /// Save the game as PGN after every turn, in a new file or the one of --load
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace an existing file of --save
    #[arg(long, requires = "save")]
    force: bool,
    /// DiceChess with the doubling cube of backgammon (`double` before a roll, then `take` or `pass`); a house rule: no
    /// published rules mention it
    #[arg(long)]
    doubling: bool,
    /// Game (if not given by `--variant`), then the position; `startpos` by default
    #[arg(value_name = "GAME|FEN")]
    fen: Vec<String>,
}

impl Arguments {
    /// Plays until the player leaves.
    ///
    /// # Errors
    /// When an argument, the position or the loaded game is invalid, standard output cannot be written, or a game could not be saved.
    pub fn run(&self, chosen: Option<Variant>) -> Result<()> {
        let (named, fen) = game_of(&self.fen);
        let chosen = one_game(named, chosen)?;
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
        if let Some(path) = &self.save {
            let is_loaded =
                |loaded: &auto_save::Loaded| loaded.is_only && is_same_path(&loaded.path, path);
            ensure_free("--save", path, self.force || loaded.is_some_and(is_loaded))?;
            can_save(path).with_context(|| format!("--save {}", path.display()))?;
        }
        let switches = name_value_pairs(&self.rule)?;
        ensure!(
            switches.is_empty() || loaded.is_none(),
            Misuse(
                "--rule cannot be combined with --load: the loaded game has its own rules"
                    .to_owned()
            )
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
            Misuse(format!("--doubling: {variant} has no dice"))
        );
        let levels = StrengthScale::of(variant).levels();
        ensure!(
            self.level.is_none_or(|level| level <= levels),
            Misuse(format!("--level: {variant} has levels 1 to {levels}"))
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
            (None, None) => Some(LEVEL),
        };
        let side = self.side.or_else(|| loaded?.side()).unwrap_or(Side::White);
        let clock = self.tc.map(Clock::new);
        let mut played = Played::new(start, own);
        for (name, value) in &switches {
            set_rule_tag(&mut played.tags, name, value);
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
            is_result_shown: false,
            out: Printer::default(),
            lines: Lines::open("play"),
            kept: AutoSave::new(variant, self.save.clone()),
            table: &table,
        };
        if let Some(loaded) = loaded {
            play.resume(loaded.play()?, clock.or_else(|| loaded.clock()));
            let is_whole = play.played.unread.is_none();
            play.kept.loaded(&loaded.path, loaded.is_only && is_whole);
        }
        play.run()?;
        ensure!(!play.kept.has_lost_a_game(), "a game was not saved");
        Ok(())
    }

    fn options(&self, variant: Variant) -> Result<Options> {
        let mut options = Options::default();
        options.variant = variant;
        options.set("Threads", &self.threads.to_string())?;
        if let Some(elo) = self.elo {
            let range = StrengthScale::of(variant).range();
            ensure!(
                range.contains(&elo),
                Misuse(format!(
                    "--elo: {variant} takes {} to {}; omit it for full strength",
                    range.start(),
                    range.end()
                ))
            );
            options.limit_strength(Some(elo));
        }
        if let Some(path) = &self.eval_file {
            let (network, _) = network::read(path, variant)
                .with_context(|| format!("--eval-file {}", printable(&path.to_string_lossy())))?;
            options.set_network(Some(network));
        }
        Ok(options)
    }
}

/// Splits off the game if the first word names one.
fn game_of(words: &[String]) -> (Option<Variant>, &[String]) {
    match words {
        [first, rest @ ..] => match Variant::from_name(first) {
            Some(game) => (Some(game), rest),
            None => (None, words),
        },
        [] => (None, words),
    }
}
