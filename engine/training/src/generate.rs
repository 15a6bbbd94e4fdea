//! `generate`: games of the engine against itself, on all processors, into a file that can be gone on with.

use crate::data::{Block, Head, Writer, fnv1a};
use crate::game::{GameName, PoolRule, Trainable, with_game};
use crate::processors;
use crate::quantised::read_network;
use crate::selfplay::{self, Play};
use anyhow::{Context, Result, bail};
use clap::Args;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::search::Table;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Megabytes of each thread's table.
const TABLE: usize = 8;

/// Play games and write their quiet positions.
#[derive(Args)]
pub struct Generate {
    game: GameName,
    /// Stop at so many games in the file
    #[arg(long, required_unless_present = "positions")]
    games: Option<u64>,
    /// Stop with the game that reaches so many positions in the file
    #[arg(long)]
    positions: Option<u64>,
    /// Nodes of a search
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Game i depends on this and on i only
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// I/N: play only every N-th game, beginning with the I-th (from 1), so that N machines share the work
    #[arg(long, default_value = "1/1")]
    shard: Shard,
    /// Superchess: which promotion pool is played with
    #[arg(long, value_enum, default_value_t = PoolRule::Mixed)]
    pool: PoolRule,
    /// A network to evaluate with, for the second round and later ones
    #[arg(long)]
    network: Option<PathBuf>,
    /// Games at a time; all processors without this
    #[arg(long)]
    threads: Option<usize>,
    /// The file; if it is there, the run that wrote it goes on
    #[arg(long)]
    out: PathBuf,
}

/// Which of the games of a seed a file has.
#[derive(Clone, Copy, Debug)]
struct Shard {
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_once('/')
            .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)))
            .filter(|(number, of)| (1..=*of).contains(number))
            .map(|(number, of)| Self { number, of })
            .ok_or("two numbers I/N with I from 1 to N")
    }
}

impl Shard {
    const fn game(self, n: u64) -> u64 {
        self.number - 1 + n * self.of
    }
}

impl Generate {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        with_game!(self.game, G => self.generate::<G>())
    }

    fn generate<G: Trainable>(&self) -> Result<()> {
        let play = Play {
            nodes: self.nodes,
            pool: self.pool,
            network: self
                .network
                .as_deref()
                .map(read_network::<G>)
                .transpose()?
                .map(SharedNetwork::from),
        };
        let head = Head {
            game: G::NAME.to_owned(),
            seed: self.seed,
            shard: self.shard.number,
            shards: self.shard.of,
            nodes: self.nodes,
            pool: self.pool,
            engine: fingerprint::<G>(&play)?,
        };
        let mut writer = Writer::open(&self.out, &head)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        if writer.games > 0 {
            tell!("going on after {} games", writer.games);
        }
        if self.is_done(&writer) {
            say!(
                "all is there: {} games, {} positions",
                writer.games,
                writer.positions
            );
            return Ok(());
        }
        let threads = processors(self.threads)?;
        let tables = (0..threads)
            .map(|_| Table::new(TABLE))
            .collect::<Result<Vec<_>, _>>()?;
        let mut progress = Progress::new(self, &writer);
        let (next, stop) = (AtomicU64::new(writer.games), AtomicBool::new(false));
        let (sender, receiver) = mpsc::sync_channel(4 * threads);
        std::thread::scope(|scope| -> Result<()> {
            for table in &tables {
                let (sender, next, stop, play) = (sender.clone(), &next, &stop, &play);
                scope.spawn(move || {
                    let _stop = StopAll(stop);
                    while !stop.load(Relaxed) {
                        let n = next.fetch_add(1, Relaxed);
                        let block = game::<G>(play, self.seed, self.shard.game(n), table);
                        if sender.send((n, block)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let _stop = StopAll(&stop);
            self.write(receiver, &mut writer, &mut progress)
        })?;
        progress.finish(&writer);
        Ok(())
    }

    /// Writes the games in the order of their numbers, whoever finishes first.
    fn write(
        &self,
        receiver: mpsc::Receiver<(u64, Block)>,
        writer: &mut Writer,
        progress: &mut Progress,
    ) -> Result<()> {
        let mut waiting = BTreeMap::new();
        // Whoever still plays when this loop ends finds the channel closed.
        for (n, block) in receiver {
            waiting.insert(n, block);
            while !self.is_done(writer)
                && let Some(block) = waiting.remove(&writer.games)
            {
                writer.add(&block)?;
            }
            progress.show(writer);
            if self.is_done(writer) {
                return Ok(());
            }
        }
        bail!("a player has broken down")
    }

    fn is_done(&self, writer: &Writer) -> bool {
        self.games.is_some_and(|games| writer.games >= games)
            || self
                .positions
                .is_some_and(|positions| writer.positions >= positions)
    }
}

/// Stops all players when it goes, also by a panic: without the game of a player that broke down no later one is written.
struct StopAll<'a>(&'a AtomicBool);

impl Drop for StopAll<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

fn game<G: Trainable>(play: &Play, seed: u64, id: u64, table: &Table) -> Block {
    Block {
        id,
        records: selfplay::play::<G>(play, seed, id, table),
    }
}

/// A hash of a game that no file has.
fn fingerprint<G: Trainable>(play: &Play) -> Result<u64> {
    let block = game::<G>(play, 0, u64::MAX, &Table::new(TABLE)?);
    Ok(fnv1a(&block.bytes()))
}

/// The progress line; where nobody sees it move, a line of text now and then.
struct Progress {
    bar: ProgressBar,
    by_games: bool,
    start: Instant,
    positions_before: u64,
    said: Instant,
}

impl Progress {
    const EVERY: Duration = Duration::from_secs(30);

    fn new(goal: &Generate, writer: &Writer) -> Self {
        let by_games = goal.positions.is_none();
        let target = goal.positions.or(goal.games).unwrap_or(0);
        let style = ProgressStyle::with_template("{bar:30} {percent} %  {msg}  {eta} left")
            .expect("a valid template");
        let bar = ProgressBar::new(target).with_style(style);
        bar.set_position(if by_games {
            writer.games
        } else {
            writer.positions
        });
        bar.reset_eta();
        Self {
            bar,
            by_games,
            start: Instant::now(),
            positions_before: writer.positions,
            said: Instant::now(),
        }
    }

    fn message(&self, writer: &Writer) -> String {
        let new = (writer.positions - self.positions_before) as f64;
        format!(
            "{} games, {} positions, {:.0} positions/s",
            writer.games,
            writer.positions,
            new / self.start.elapsed().as_secs_f64().max(0.001)
        )
    }

    fn show(&mut self, writer: &Writer) {
        if !self.bar.is_hidden() {
            self.bar.set_message(self.message(writer));
            self.bar.set_position(if self.by_games {
                writer.games
            } else {
                writer.positions
            });
        } else if self.said.elapsed() >= Self::EVERY {
            self.said = Instant::now();
            tell!("{}", self.message(writer));
        }
    }

    fn finish(&self, writer: &Writer) {
        self.bar.finish_and_clear();
        say!("{}", self.message(writer));
    }
}
