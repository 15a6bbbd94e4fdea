//! `fauve analyse`: a position, or a game turn by turn.

mod assess;
mod dice;
mod game;
mod position;
mod screen;
mod source;
mod sums;
mod think;
mod value;

use crate::variants::with_game;
use crate::wire::endings;
use anyhow::{Context, Result, anyhow, ensure};
use fauve_engine::Variant;
use fauve_engine::rules::dice::{DiceChess, Options};
use fauve_engine::rules::{Chance, Game, Notation, printable};
use fauve_engine::search::{Engine, Settings, Table};
use source::Source;
use std::path::{Path, PathBuf};
use std::time::Duration;
use think::Thinker;

/// What may follow `fauve analyse`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve analyse --time 5\n  \
    fauve analyse --depth 12 --multipv 3 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n  \
    fauve analyse --variant dicechess --time 1 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB\n  \
    fauve analyse --variant superchess --nodes 20000 games.pgn\n\n\
    A game file is PGN, the JSON Lines of `fauve match`, or turn tokens alone.")]
pub struct Arguments {
    /// Think so many seconds about each position (3 without a limit; in DiceChess two turns deep).
    #[arg(long, value_parser = seconds, conflicts_with_all = ["depth", "nodes"])]
    time: Option<Duration>,
    /// Search so many turns deep.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Visit so many positions.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Show so many principal variations.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    /// Search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Megabytes of the transposition table.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// DiceChess: a file of endings, made by `fauve endings`.
    #[arg(long, value_name = "FILE")]
    tables: Option<String>,
    #[command(flatten)]
    rollout: dice::RolloutOptions,
    /// DiceChess, a game: draws its course, the chance to win and the luck, into an SVG file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// JSON Lines instead of text.
    #[arg(long)]
    json: bool,
    /// Which game of the file, from 1.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// A FEN (`startpos` by default) or the name of a game file.
    #[arg(trailing_var_arg = true, value_name = "FEN | FILE")]
    words: Vec<String>,
}

/// Reads `2`, `2.5`, `2s` or `300ms`.
fn seconds(text: &str) -> Result<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number
        .trim()
        .parse::<f64>()
        .context("a number of seconds, such as 2, 0.5s or 300ms")?
        * unit;
    Duration::try_from_secs_f64(seconds).context("a number of seconds from 0 up")
}

impl Arguments {
    /// Analyses a position or a game file.
    ///
    /// # Errors
    /// When the position, the file or a turn in it cannot be read, or standard output takes no more.
    pub fn run(&self, variant: Variant) -> Result<()> {
        if variant == Variant::DiceChess {
            return self.analyse_dice();
        }
        ensure!(
            !self.rollout.is_asked_for() && self.svg.is_none() && self.tables.is_none(),
            "rollouts, pictures and tables are for dicechess"
        );
        with_game!(variant, G => self.analyse::<G>())
    }

    fn analyse_dice(&self) -> Result<()> {
        let table =
            Table::new(self.hash as usize).context("no memory for the transposition table")?;
        let mut thinker = self.thinker(&table)?;
        if self.time.is_none() && self.depth.is_none() && self.nodes.is_none() {
            // The whole second turn: values that are compared are of one depth.
            (thinker.depth, thinker.time) = (Some(2), None);
        }
        let options = Options::default();
        if let [word] = &self.words[..]
            && Path::new(word).is_file()
        {
            let source = Source::read(Path::new(word), self.game as usize)
                .with_context(|| format!("{word} has no game number {}", self.game))?;
            return dice::analyse(&source, &thinker, self.json, self.svg.as_deref());
        }
        ensure!(
            self.svg.is_none(),
            "a picture is drawn of a game, not of a position"
        );
        let position: DiceChess = self.position(&options)?;
        let game = Game::new(position, options);
        if self.rollout.is_asked_for() || self.multipv > 1 && !position.awaits_roll() {
            dice::candidates(&game, &thinker, &self.rollout, self.json)
        } else if position.awaits_roll() {
            dice::rolls(&game, &thinker, self.json)
        } else {
            position::analyse(&game, &thinker, self.json)
        }
    }

    /// The position that the words mean.
    fn position<G: Notation>(&self, options: &G::Options) -> Result<G> {
        super::position(&self.words, options).map_err(|error| match &self.words[..] {
            [word] if word.contains('.') => anyhow!("there is no file '{word}'"),
            _ => error,
        })
    }

    fn analyse<G: Engine>(&self) -> Result<()> {
        let table =
            Table::new(self.hash as usize).context("no memory for the transposition table")?;
        let thinker = self.thinker(&table)?;
        let options = G::Options::default();
        match &self.words[..] {
            [word] if Path::new(word).is_file() => {
                let source = Source::read(Path::new(word), self.game as usize)
                    .with_context(|| format!("{word} has no game number {}", self.game))?;
                game::analyse::<G>(&source, &options, &thinker, self.json)
            }
            _ => {
                let position: G = self.position(&options)?;
                position::analyse(&Game::new(position, options), &thinker, self.json)
            }
        }
    }

    fn thinker<'a>(&self, table: &'a Table) -> Result<Thinker<'a>> {
        let default =
            (self.depth.is_none() && self.nodes.is_none()).then_some(Duration::from_secs(3));
        let endings = self.tables.as_deref().map(|file| {
            endings::read(file).with_context(|| format!("the endings {}", printable(file)))
        });
        Ok(Thinker {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time.or(default),
            settings: Settings {
                threads: self.threads as usize,
                multi_pv: self.multipv as usize,
                move_overhead: Duration::ZERO,
                endings: endings.transpose()?,
                ..Settings::default()
            },
            table,
        })
    }
}
