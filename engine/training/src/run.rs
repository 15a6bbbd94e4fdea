//! A run of self-play on all processors, into a file that can be resumed.

use crate::data::{Block, Head, Writer};
use crate::processors;
use anyhow::{Context, Result, bail};
use clap::Args;
use fauve_engine::search::Table;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Which games a run plays, and where it writes them.
#[derive(Args, Clone)]
pub struct Run {
    /// Stop at this number of games in the file
    #[arg(long, required_unless_present = "positions")]
    pub games: Option<u64>,
    /// Stop after the game that reaches this number of positions in the file
    #[arg(long)]
    pub positions: Option<u64>,
    /// Seed; game i depends only on this and on i
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// I/N: play only every N-th game, from the I-th (from 1) on, to share the work among N machines
    #[arg(long, default_value = "1/1")]
    pub shard: Shard,
    /// Number of concurrent games [default: all processors]
    #[arg(long)]
    pub threads: Option<usize>,
    /// Output file; an existing one of the same run is resumed
    #[arg(long)]
    pub out: PathBuf,
}

/// What a file holds after a run.
pub struct Written {
    /// Number of games.
    pub games: u64,
    /// Number of their positions.
    pub positions: u64,
}

impl Written {
    const fn of(writer: &Writer) -> Self {
        Self {
            games: writer.games,
            positions: writer.positions,
        }
    }
}

/// The part of a seed's games that a file has.
#[derive(Clone, Copy, Debug)]
pub struct Shard {
    /// Number of the part, from 1.
    pub number: u64,
    /// Number of parts.
    pub of: u64,
}

impl Shard {
    /// All games of a seed.
    pub const ALL: Self = Self { number: 1, of: 1 };

    const fn game(self, n: u64) -> u64 {
        self.number - 1 + n * self.of
    }
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

impl Run {
    /// Plays the games that the file does not have yet. `play` is called with the number of a game and a table of this number
    /// of megabytes, which may hold results of other games, and returns the positions.
    ///
    /// # Errors
    /// If the file belongs to another run or cannot be written, or if memory is short.
    pub fn play(
        &self,
        head: &Head,
        megabytes: usize,
        play: impl Fn(u64, &Table) -> Block + Sync,
    ) -> Result<Written> {
        let mut writer = Writer::open(&self.out, head)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        if writer.games > 0 {
            tell!("resuming after {} games", writer.games);
        }
        if self.is_done(&writer) {
            say!(
                "complete: {} games, {} positions",
                writer.games,
                writer.positions
            );
            return Ok(Written::of(&writer));
        }
        let threads = processors(self.threads)?;
        let tables = (0..threads)
            .map(|_| Table::new(megabytes))
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
                        let block = play(self.shard.game(n), table);
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
        Ok(Written::of(&writer))
    }

    /// Writes the games in the order of their numbers, whatever the order in which they finish.
    fn write(
        &self,
        receiver: mpsc::Receiver<(u64, Block)>,
        writer: &mut Writer,
        progress: &mut Progress,
    ) -> Result<()> {
        let mut waiting = BTreeMap::new();
        // Players still at work when this loop ends find the channel closed.
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
        bail!("a player thread has panicked")
    }

    fn is_done(&self, writer: &Writer) -> bool {
        self.games.is_some_and(|games| writer.games >= games)
            || self
                .positions
                .is_some_and(|positions| writer.positions >= positions)
    }
}

/// Stops all players when dropped, also by a panic: without the game of a failed player, no later one is written.
struct StopAll<'a>(&'a AtomicBool);

impl Drop for StopAll<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Progress bar; a line of text now and then if standard error is no terminal.
struct Progress {
    bar: ProgressBar,
    by_games: bool,
    start: Instant,
    positions_before: u64,
    shown: Instant,
}

impl Progress {
    const EVERY: Duration = Duration::from_secs(30);

    fn new(goal: &Run, writer: &Writer) -> Self {
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
            shown: Instant::now(),
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
        } else if self.shown.elapsed() >= Self::EVERY {
            self.shown = Instant::now();
            tell!("{}", self.message(writer));
        }
    }

    fn finish(&self, writer: &Writer) {
        self.bar.finish_and_clear();
        say!("{}", self.message(writer));
    }
}
