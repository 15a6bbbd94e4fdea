//! `collect`: self-play of all games into a folder, for as long as there is time, and `list`: what a folder holds.

use crate::data::{Head, Reader};
use crate::dice;
use crate::game::{GameName, PoolRule};
use crate::generate::Generate;
use crate::run::{Run, Shard, Written};
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

/// How many positions of a game are wanted.
#[derive(Clone, Copy, Debug)]
struct Goal {
    /// The name of the game in data files.
    name: &'static str,
    source: Source,
    positions: u64,
}

/// What is wanted unless the command line says otherwise.
const GOALS: [Goal; 5] = [
    goal("superchess", Source::Nodes(GameName::Superchess, 700), 60),
    goal("twomove", Source::Nodes(GameName::Twomove, 600), 40),
    goal("cubes4d", Source::Nodes(GameName::Cubes4d, 300), 30),
    goal("dicechess", Source::Dice, 40),
    goal("chess", Source::Nodes(GameName::Chess, 700), 40),
];

const fn goal(name: &'static str, source: Source, millions: u64) -> Goal {
    Goal {
        name,
        source,
        positions: millions * 1_000_000,
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, positions) = text
            .split_once('=')
            .ok_or("a game and a number are wanted, as in chess=1000000")?;
        let names = GOALS.map(|goal| goal.name).join(", ");
        let goal = GOALS
            .into_iter()
            .find(|goal| goal.name == name)
            .ok_or_else(|| format!("there is no game {name:?}; there are {names}"))?;
        let positions = positions
            .parse()
            .map_err(|_| format!("{positions:?} is not a number of positions"))?;
        Ok(Self { positions, ..goal })
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

    fn play(self, run: Run) -> Result<Written> {
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
            GOALS.to_vec()
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
            let file = self.portion_of(goal, &files)?;
            files.retain(|other| other.path != file.path);
            files.push(file);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        say!("{}", table(&files).trim_end());
        Ok(())
    }

    /// Plays a portion of a game into the file of the present engine, and returns what the file holds then.
    fn portion_of(&self, goal: Goal, files: &[DataFile]) -> Result<DataFile> {
        let of_game = || files.iter().filter(|file| file.head.game == goal.name);
        let next_seed = 1 + of_game().map(|file| file.head.seed).max().unwrap_or(0);
        let mut run = Run {
            games: None,
            positions: None,
            seed: next_seed,
            shard: Shard::ALL,
            threads: self.threads,
            out: self
                .folder
                .join(format!("{}-{next_seed}.{EXTENSION}", goal.name)),
        };
        let mut head = goal.source.head(run.clone())?;
        let mut have = 0;
        for file in of_game() {
            let seed = file.head.seed;
            let is_of_this_engine = Head {
                seed,
                ..head.clone()
            } == file.head;
            if is_of_this_engine {
                (head.seed, run.seed, have) = (seed, seed, file.positions);
                run.out.clone_from(&file.path);
                break;
            }
        }
        let missing = goal.positions - positions_of(files, goal.name);
        run.positions = Some(have + missing.min(self.portion));
        let path = run.out.clone();
        tell!("{}: {}", goal.name, path.display());
        let Written { games, positions } = goal.source.play(run)?;
        Ok(DataFile {
            path,
            head,
            games,
            positions,
        })
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

/// The data files of a folder, in the order of their names, without those that hold nothing because their writer was killed at once.
fn read_folder(folder: &Path) -> Result<Vec<DataFile>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let paths: std::io::Result<Vec<PathBuf>> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut paths = paths?;
    paths.retain(|path| path.extension().is_some_and(|found| found == EXTENSION));
    paths.sort();
    let mut files = Vec::new();
    for path in &paths {
        let begun = Reader::is_barely_begun(path);
        if !begun.with_context(|| format!("cannot read {}", path.display()))? {
            files.push(read_file(path)?);
        }
    }
    Ok(files)
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
    for game in GOALS.map(|goal| goal.name) {
        let positions = positions_of(files, game);
        if positions > 0 {
            let _ = writeln!(text, "{game:12} {positions:>92}");
        }
    }
    text
}
