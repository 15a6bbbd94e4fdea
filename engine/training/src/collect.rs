//! `collect`: self-play of all games into a folder, for as long as there is time, and `list`: what a folder holds.

use crate::data::{Head, Reader};
use crate::dice;
use crate::game::{GameName, PoolRule};
use crate::generate::Generate;
use crate::run::{Run, Shard};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Extension of data files.
const EXTENSION: &str = "data";

/// Play all games in turn until each has its number of positions; the same command resumes.
#[derive(Args)]
pub struct Collect {
    /// Folder of the data files, which may hold some; files are added to while the engine plays as when they were begun
    folder: PathBuf,
    /// GAME=POSITIONS, once for each game to play [default: superchess=60000000 twomove=40000000 cubes4d=30000000
    /// dicechess=40000000 chess=40000000]
    #[arg(long = "goal", value_name = "GAME=POSITIONS")]
    goals: Vec<Goal>,
    /// Positions played before the next game has its turn: the one that is farthest from its goal
    #[arg(long, default_value_t = 500_000)]
    portion: u64,
    /// Number of concurrent games [default: all processors]
    #[arg(long)]
    threads: Option<usize>,
}

/// Show the data files of a folder: their games, settings and numbers of positions.
#[derive(Args)]
pub struct List {
    /// Folder of the data files
    folder: PathBuf,
}

/// A game that is played for training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// By searches of a number of nodes.
    Nodes(GameName, u64),
    /// DiceChess, by searches of one turn.
    Dice,
}

/// The games, their names in data files, how their turns are chosen, and how many positions are wanted.
const SOURCES: [(&str, Source, u64); 5] = [
    (
        "superchess",
        Source::Nodes(GameName::Superchess, 700),
        60_000_000,
    ),
    ("twomove", Source::Nodes(GameName::Twomove, 600), 40_000_000),
    ("cubes4d", Source::Nodes(GameName::Cubes4d, 300), 30_000_000),
    ("dicechess", Source::Dice, 40_000_000),
    ("chess", Source::Nodes(GameName::Chess, 700), 40_000_000),
];

/// How many positions of a game are wanted.
#[derive(Clone, Copy, Debug)]
struct Goal {
    name: &'static str,
    source: Source,
    positions: u64,
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, positions) = text
            .split_once('=')
            .ok_or("a game and a number are wanted, as in chess=1000000")?;
        let names = SOURCES.map(|(name, ..)| name).join(", ");
        let (name, source, _) = SOURCES
            .into_iter()
            .find(|(known, ..)| *known == name)
            .ok_or_else(|| format!("there is no game {name:?}; there are {names}"))?;
        let positions = positions
            .parse()
            .map_err(|_| format!("{positions:?} is no number of positions"))?;
        Ok(Self {
            name,
            source,
            positions,
        })
    }
}

impl Source {
    /// What a file of the present engine begins with.
    fn head(self, run: Run) -> Result<Head> {
        match self {
            Self::Nodes(game, nodes) => generator(game, nodes, run).head(),
            Self::Dice => dice_generator(run).head(),
        }
    }

    fn play(self, run: Run) -> Result<()> {
        match self {
            Self::Nodes(game, nodes) => generator(game, nodes, run).run(),
            Self::Dice => dice_generator(run).run(),
        }
    }
}

const fn generator(game: GameName, nodes: u64, run: Run) -> Generate {
    Generate {
        game,
        nodes,
        pool: PoolRule::Mixed,
        network: None,
        run,
    }
}

const fn dice_generator(run: Run) -> dice::Generate {
    dice::Generate {
        depth: 1,
        random_turn: dice::RANDOM_TURN,
        network: None,
        run,
    }
}

/// A data file of a folder.
struct DataFile {
    path: PathBuf,
    head: Head,
    games: u64,
    positions: u64,
}

impl Collect {
    /// Runs the command.
    ///
    /// # Errors
    /// If a file of the folder is damaged or cannot be written.
    pub fn run(&self) -> Result<()> {
        ensure!(self.portion > 0, "a portion of 0 positions");
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        let goals = if self.goals.is_empty() {
            SOURCES
                .map(|(name, source, positions)| Goal {
                    name,
                    source,
                    positions,
                })
                .to_vec()
        } else {
            self.goals.clone()
        };
        let mut files = read_folder(&self.folder)?;
        loop {
            let wanting = |goal: &Goal| {
                let have = positions_of(&files, goal.name);
                (have < goal.positions).then_some((have as f64 / goal.positions as f64, *goal))
            };
            let next = goals.iter().filter_map(wanting);
            let Some((_, goal)) = next.min_by(|(a, _), (b, _)| a.total_cmp(b)) else {
                break;
            };
            let path = self.portion_of(goal, &files)?;
            files.retain(|file| file.path != path);
            files.push(read_file(&path)?);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        say!("{}", table(&files).trim_end());
        Ok(())
    }

    /// Plays a portion of a game into the file of the present engine, and returns the file.
    fn portion_of(&self, goal: Goal, files: &[DataFile]) -> Result<PathBuf> {
        let with_seed = |seed, out| Run {
            games: None,
            positions: Some(0),
            seed,
            shard: Shard::ALL,
            threads: self.threads,
            out,
        };
        let head = goal.source.head(with_seed(0, PathBuf::new()))?;
        let of_game = || files.iter().filter(|file| file.head.game == goal.name);
        let begun = of_game().find(|file| {
            let seed = file.head.seed;
            file.head
                == Head {
                    seed,
                    ..head.clone()
                }
        });
        let (seed, path, have) = begun.map_or_else(
            || {
                let seed = 1 + of_game().map(|file| file.head.seed).max().unwrap_or(0);
                let name = format!("{}-{seed}.{EXTENSION}", goal.name);
                (seed, self.folder.join(name), 0)
            },
            |file| (file.head.seed, file.path.clone(), file.positions),
        );
        let missing = goal.positions - positions_of(files, goal.name);
        let mut run = with_seed(seed, path.clone());
        run.positions = Some(have + missing.min(self.portion));
        tell!("{}: {}", goal.name, path.display());
        goal.source.play(run)?;
        Ok(path)
    }
}

impl List {
    /// Runs the command.
    ///
    /// # Errors
    /// If a file of the folder is damaged.
    pub fn run(&self) -> Result<()> {
        let files = read_folder(&self.folder)?;
        ensure!(
            !files.is_empty(),
            "there is no file *.{EXTENSION} in {}",
            self.folder.display()
        );
        say!("{}", table(&files).trim_end());
        Ok(())
    }
}

fn positions_of(files: &[DataFile], game: &str) -> u64 {
    let of_game = files.iter().filter(|file| file.head.game == game);
    of_game.map(|file| file.positions).sum()
}

/// The data files of a folder, in the order of their names.
fn read_folder(folder: &Path) -> Result<Vec<DataFile>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths: std::io::Result<Vec<PathBuf>> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut paths = paths?;
    paths.retain(|path| path.extension().is_some_and(|found| found == EXTENSION));
    paths.sort();
    paths.iter().map(|path| read_file(path)).collect()
}

fn read_file(path: &Path) -> Result<DataFile> {
    let read = || -> Result<DataFile> {
        let (head, mut reader) = Reader::open(path)?;
        let (mut games, mut positions) = (0, 0);
        while let Some(block) = reader.next()? {
            games += 1;
            positions += block.positions as u64;
        }
        Ok(DataFile {
            path: path.to_owned(),
            head,
            games,
            positions,
        })
    };
    read().with_context(|| format!("cannot use {}", path.display()))
}

/// A line for each file, and the sums of each game.
fn table(files: &[DataFile]) -> String {
    let mut text = format!(
        "{:12} {:28} {:>6} {:>7} {:>8} {:>16} {:>10} {:>11}\n",
        "game", "file", "seed", "shard", "nodes", "engine", "games", "positions"
    );
    for file in files {
        let head = &file.head;
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        let nodes = match head.dice {
            Some(dice) => format!("depth {}", dice.depth),
            None => head.nodes.to_string(),
        };
        let shard = format!("{}/{}", head.shard, head.shards);
        let (game, seed, engine) = (&head.game, head.seed, head.engine);
        let _ = writeln!(
            text,
            "{game:12} {name:28} {seed:>6} {shard:>7} {nodes:>8} {engine:016x} {:>10} {:>11}",
            file.games, file.positions
        );
    }
    for (game, ..) in SOURCES {
        let positions = positions_of(files, game);
        if positions > 0 {
            let _ = writeln!(text, "{game:12} {positions:>92}");
        }
    }
    text
}
