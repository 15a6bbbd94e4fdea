//! `fauve analyse`: a position, positions of a file, or games turn by turn.

mod assess;
mod dice;
mod epd;
mod game;
mod position;
mod screen;
mod source;
mod sums;
mod value;

use super::conditions::{name_value_pairs, rules};
use super::tournament::parse_shard;
use super::{Misuse, ensure_free};
use crate::terminal::{PrintError, Printer, number, warn};
use crate::variants::with_game;
use crate::wire::{endgames, network};
use anyhow::{Context, Result, anyhow, ensure};
use fauve_engine::Variant;
use fauve_engine::rules::dice::{self as dice_rules, DiceChess};
use fauve_engine::rules::{Chance, Game, Outcome, RuleSettings, printable};
use fauve_engine::search::{Engine, Settings, Table};
use fauve_game::assess::Thinker;
use fauve_game::pgn;
use fauve_referee::record::lines::read_file;
use fauve_referee::record::save::{Saving, can_save, is_same_path};
use source::{Games, Source, SourceGame};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write, stdin};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What may follow `fauve analyse`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve analyse --time 5\n  \
    fauve analyse --depth 12 --multipv 3 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n  \
    fauve analyse --variant dicechess --time 1 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB\n  \
    fauve analyse --nodes 20000 games.pgn --pgn annotated.pgn\n  \
    fauve analyse --time 1 --shard 1/4 problems.epd\n\n\
    A file is PGN, the JSON Lines of `fauve match`, turns alone, or positions (FEN or EPD), a line each; packed by gzip or not. Its own game \
    and rules count; --variant and --rule do where it names none.")]
pub struct Arguments {
    /// Time per position, in seconds (3 without a limit; DiceChess: two turns deep).
    #[arg(long, value_parser = seconds, conflicts_with_all = ["depth", "nodes"])]
    time: Option<Duration>,
    /// Depth in turns.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes per position.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of principal variations.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    /// Search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Megabytes of the transposition table.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// DiceChess: a file of endgames, made by `fauve endgames`.
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    rollout: dice::RolloutOptions,
    /// DiceChess, one game: draw its course, the chance to win and the luck, into an SVG file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// JSON Lines instead of text.
    #[arg(long)]
    json: bool,
    /// Only this game or position of the file, from 1.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Only one of N shares of the games or positions of the file: I/N.
    #[arg(long, value_name = "I/N", conflicts_with = "game", value_parser = parse_shard)]
    shard: Option<(u64, u64)>,
    /// Write the games with values and better turns as PGN; another file than the one that is read.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Replace the files of --pgn and --svg if they are there already.
    #[arg(long)]
    force: bool,
    /// A rule switch, by the name of the option: 'Promotion Pool=physical'.
    #[arg(long, value_name = "NAME=VALUE")]
    rule: Vec<String>,
    /// A network that takes the place of its game's evaluation.
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// A FEN (`startpos` by default), the name of a file, or `-` for standard input.
    #[arg(value_name = "FEN | FILE | -")]
    words: Vec<OsString>,
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
    /// Analyses a position, or the games or positions of a file.
    ///
    /// # Errors
    /// When the position, the file or a turn in it cannot be read, or standard output takes no more.
    pub fn run(&self, variant: Variant) -> Result<()> {
        let switches = name_value_pairs(&self.rule)?;
        let rules = rules(&switches)?;
        let table =
            Table::new(self.hash as usize).context("no memory for the transposition table")?;
        let thinker = self.thinker(&table, variant)?;
        let Some((name, text)) = self.file()? else {
            if variant == Variant::DiceChess {
                return self.dice_position(&thinker, rules.options());
            }
            self.refuse_dice_options()?;
            return with_game!(variant, G => {
                let options = rules.options();
                let position: G = self.position(&options)?;
                position::analyse(&Game::new(position, options), &thinker, self.json)
            });
        };
        refuse(&[
            (
                self.rollout.is_asked_for(),
                "--rollout is for one position, not for a file",
            ),
            (
                self.multipv > 1,
                "--multipv is for one position, not for a file",
            ),
        ])?;
        match Source::read(&text, variant, &switches).with_context(|| name.clone())? {
            Source::Positions(lines) => self.positions(variant, &rules, &thinker, &lines),
            Source::Games(games) => match self.games(&thinker, games) {
                // That has nothing to do with the file.
                Err(error) if error.is::<PrintError>() => Err(error),
                done => done.with_context(|| name),
            },
        }
    }

    /// In DiceChess, without a limit, the whole second turn: values that are compared are of one depth.
    fn for_dice<'a>(&self, thinker: &Thinker<'a>) -> Thinker<'a> {
        let mut thinker = thinker.clone();
        if self.time.is_none() && self.depth.is_none() && self.nodes.is_none() {
            (thinker.depth, thinker.time) = (Some(2), None);
        }
        thinker
    }

    fn dice_position(&self, thinker: &Thinker, options: dice_rules::Options) -> Result<()> {
        let thinker = &self.for_dice(thinker);
        let position: DiceChess = self.position(&options)?;
        let game = Game::new(position, options);
        // The search would go on from there: whoever asks it need not count the draw.
        if let Some(end @ Outcome::Draw(_)) = game.outcome() {
            return position::print_draw(&game, end, self.json);
        }
        if self.rollout.is_asked_for() || self.multipv > 1 && !position.awaits_roll() {
            dice::candidates(&game, thinker, &self.rollout, self.json)
        } else if position.awaits_roll() {
            dice::rolls(&game, thinker, self.json)
        } else {
            position::analyse(&game, thinker, self.json)
        }
    }

    /// The file that the words name, with its name; `None` where they are a position.
    fn file(&self) -> Result<Option<(String, Vec<u8>)>> {
        let [word] = &self.words[..] else {
            return Ok(None);
        };
        if is_standard_input(word) {
            let mut text = Vec::new();
            stdin()
                .lock()
                .read_to_end(&mut text)
                .context("standard input")?;
            let text = pgn::unpack(text).context("standard input")?;
            return Ok(Some(("standard input".to_owned(), text)));
        }
        // A position string may have no slash less than a path has; what is there is a file, and so is a name that is no text.
        if word.to_str().is_some() && std::fs::metadata(word).is_err() {
            return Ok(None);
        }
        let path = Path::new(word);
        let text = read_file(path)?;
        Ok(Some((path.display().to_string(), text)))
    }

    /// Says that an option for dice was given where there are none.
    fn refuse_dice_options(&self) -> Result<()> {
        refuse(&[
            (
                self.rollout.is_asked_for(),
                "--rollout is for dicechess alone",
            ),
            (self.svg.is_some(), "--svg is for dicechess alone"),
            (self.tables.is_some(), "--tables is for dicechess alone"),
        ])
    }

    /// The position that the words are, and no options with it that are for games or files.
    fn position<G: Engine>(&self, options: &G::Options) -> Result<G> {
        let words: Vec<String> = self
            .words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let position = super::position(&words, options).map_err(|error| match &words[..] {
            [word] if word.contains('.') => anyhow!("there is no file '{}'", printable(word)),
            _ => error,
        })?;
        refuse(&[
            (
                self.svg.is_some(),
                "--svg is for a game, not for a position",
            ),
            (self.pgn.is_some(), "--pgn is for games, not for a position"),
            (self.game.is_some(), "--game is for a file"),
            (self.shard.is_some(), "--shard is for a file"),
        ])?;
        Ok(position)
    }

    /// Checks that what `--game` asks for is in the file, which has `count` of these things.
    fn ensure_there_is(&self, thing: &str, count: usize) -> Result<()> {
        if let Some(number) = self.game {
            ensure!(
                number as usize <= count,
                "there is no {thing} {number}, there are {count}"
            );
        }
        Ok(())
    }

    /// Whether the file's game or position of this number, from 1, is to be analysed.
    fn takes(&self, number: usize) -> bool {
        self.game.is_none_or(|game| game as usize == number)
            && self
                .shard
                .is_none_or(|(share, count)| (number as u64 - 1) % count + 1 == share)
    }

    fn positions(
        &self,
        variant: Variant,
        rules: &RuleSettings,
        thinker: &Thinker,
        lines: &[String],
    ) -> Result<()> {
        for (option, path) in [("--pgn", &self.pgn), ("--svg", &self.svg)] {
            ensure!(path.is_none(), "{option}: there are no games in the file");
        }
        if variant != Variant::DiceChess {
            self.refuse_dice_options()?;
        }
        self.ensure_there_is("position", lines.len())?;
        let chosen: Vec<(usize, &str)> = (1..)
            .zip(lines.iter().map(String::as_str))
            .filter(|&(number, _)| self.takes(number))
            .collect();
        with_game!(variant, G => epd::analyse::<G>(&chosen, &rules.options(), thinker, self.json))
    }

    fn games(&self, thinker: &Thinker, games: Games) -> Result<()> {
        if let (Some(path), [word]) = (&self.pgn, &self.words[..]) {
            let is_same = !is_standard_input(word) && is_same_path(path, Path::new(word));
            ensure!(
                !is_same,
                "--pgn {}: that is the file that is read",
                path.display()
            );
        }
        for (option, path) in [("--pgn", &self.pgn), ("--svg", &self.svg)] {
            if let Some(path) = path {
                ensure_free(option, path, self.force)?;
                can_save(path).with_context(|| format!("{option} {}", path.display()))?;
            }
        }
        self.ensure_there_is("game", games.count())?;
        let chosen: Vec<&SourceGame> = games
            .games
            .iter()
            .filter(|game| self.takes(game.number))
            .collect();
        // One game that cannot be read does not end the others: what was left out is said at the end.
        let mut left_out = games.unread;
        left_out.retain(|&(number, _)| self.takes(number));
        let count = chosen.len() + left_out.len();
        let is_dice =
            chosen.is_empty() || chosen.iter().any(|game| game.variant == Variant::DiceChess);
        if !is_dice {
            self.refuse_dice_options()?;
        }
        ensure!(
            self.svg.is_none() || chosen.len() == 1,
            "--svg draws one game; choose it by --game"
        );
        let mut annotated = self.pgn.as_deref().map(Annotated::new);
        for (place, source) in chosen.iter().enumerate() {
            if place > 0 && !self.json {
                writeln!(Printer::default())?;
            }
            let done = if source.variant == Variant::DiceChess {
                dice::analyse(
                    source,
                    &self.for_dice(thinker),
                    self.json,
                    self.svg.as_deref(),
                )
            } else {
                with_game!(source.variant, G => game::analyse::<G>(source, thinker, self.json))
            };
            match done {
                Ok(game) => {
                    if let Some(annotated) = &mut annotated {
                        let path = annotated.path.display();
                        annotated
                            .add(&game)
                            .with_context(|| format!("--pgn {path}"))?;
                    }
                }
                Err(error) if error.is::<PrintError>() => return Err(error),
                Err(error) => left_out.push((source.number, error)),
            }
        }
        left_out.sort_by_key(|&(number, _)| number);
        if count == 1
            && let Some((number, error)) = left_out.pop()
        {
            return Err(error.context(format!("game {number}")));
        }
        for (number, error) in &left_out {
            warn(format_args!("game {number} is left out: {error:#}"));
        }
        ensure!(
            left_out.is_empty(),
            "left out: {} of {}",
            left_out.len(),
            number(count as u64, "game")
        );
        Ok(())
    }

    fn thinker<'a>(&self, table: &'a Table, variant: Variant) -> Result<Thinker<'a>> {
        let default =
            (self.depth.is_none() && self.nodes.is_none()).then_some(Duration::from_secs(3));
        let network = match &self.eval_file {
            Some(path) => {
                let (network, _) = network::read(path, variant).with_context(|| {
                    format!("--eval-file {}", printable(&path.to_string_lossy()))
                })?;
                Some(network)
            }
            None => None,
        };
        let endgames = self.tables.as_deref().map(|file| {
            endgames::read(file)
                .with_context(|| format!("the endgames {}", printable(&file.to_string_lossy())))
        });
        Ok(Thinker {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time.or(default),
            settings: Settings {
                threads: self.threads as usize,
                multi_pv: self.multipv as usize,
                move_overhead: Duration::ZERO,
                network,
                endgames: endgames.transpose()?,
                ..Settings::default()
            },
            table,
        })
    }
}

/// Whether a word stands for standard input.
fn is_standard_input(word: &OsStr) -> bool {
    word == "-"
}

/// Refuses the first option that was given and means nothing here: each with the sentence about it.
fn refuse(options: &[(bool, &str)]) -> Result<()> {
    for &(is_given, sentence) in options {
        ensure!(!is_given, Misuse(sentence.to_owned()));
    }
    Ok(())
}

/// The file of `--pgn`. Each game is in it when it is analysed, so that a run that is ended early keeps those before; what was there
/// stays until the first game is finished.
struct Annotated<'a> {
    path: &'a Path,
    file: Option<File>,
}

impl<'a> Annotated<'a> {
    const fn new(path: &'a Path) -> Self {
        Self { path, file: None }
    }

    /// Writes one more game.
    fn add(&mut self, game: &str) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            return file.write_all(game.as_bytes());
        }
        let mut first = Saving::begin(self.path)?;
        first.write_all(game.as_bytes())?;
        self.file = Some(first.finish()?);
        Ok(())
    }
}
