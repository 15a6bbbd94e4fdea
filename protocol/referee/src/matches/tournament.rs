//! Playing the games of a tournament that are not in its record yet, several at a time.

use crate::matches::game::{Seat, play};
use crate::plan::schedule::Plan;
use crate::record::{GameRecord, Header, Record, RecordFile};
use crate::report::tally::Tally;
use fauve_engine::Variant;
use fauve_engine::search::Engine;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// After how many games the report is said in between, where there is no progress line.
const REPORT_EVERY: u64 = 20;

/// How a tournament is run; nothing of this changes its games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// Games at the same time, at least 1.
    pub concurrency: usize,
    /// The record that the run writes and goes on from.
    pub record: Option<PathBuf>,
    /// Where the games go as PGN.
    pub pgn: Option<PathBuf>,
    /// Whether only the final report is said.
    pub quiet: bool,
}

/// What the workers share.
struct Shared {
    queue: VecDeque<Plan>,
    record: Option<RecordFile>,
    tally: Tally,
    games: Vec<GameRecord>,
    error: Option<String>,
    stopped: bool,
}

/// Plays a tournament and gives its record.
///
/// # Errors
/// A sentence that says why the tournament cannot begin or go on; what is finished is in the record.
pub fn run<G: Engine>(
    header: &Header,
    variant: Variant,
    switches: &G::Options,
    run: &Run,
) -> Result<Record, String> {
    header.openings.check::<G>(variant, switches)?;
    let (record, games) = match &run.record {
        Some(path) => {
            let (file, games) = RecordFile::open(path, header)?;
            (Some(file), games)
        }
        None => (None, Vec::new()),
    };
    let pairings = header.pairings.list(header.engines.len());
    let done: std::collections::BTreeSet<u64> = games.iter().map(|game| game.game).collect();
    let all: Vec<Plan> = Plan::all(&pairings, header.rounds, header.shard).collect();
    let total = all.len();
    let tally = Tally::of(header, &games);
    let progress = Progress::new(total, done.len(), run.quiet);
    if !done.is_empty() {
        progress.say(&format!("Going on after {} of {total} games", done.len()));
    }
    let stopped = tally.verdict(header).is_some();
    let shared = Mutex::new(Shared {
        queue: all
            .into_iter()
            .filter(|plan| !done.contains(&plan.game))
            .collect(),
        record,
        tally,
        games,
        error: None,
        stopped,
    });
    thread::scope(|scope| {
        for _ in 0..run.concurrency.max(1) {
            scope.spawn(|| work::<G>(header, variant, switches, &shared, &progress));
        }
    });
    progress.finish();
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut record = Record {
        header: header.clone(),
        games: shared.games,
    };
    record.games.sort_by_key(|game| game.game);
    if let Some(path) = &run.pgn {
        write_pgn::<G>(path, &record, switches)?;
    }
    match shared.error {
        Some(error) => Err(error),
        None => Ok(record),
    }
}

/// One worker: a place for each player, and games until there are none.
fn work<G: Engine>(
    header: &Header,
    variant: Variant,
    switches: &G::Options,
    shared: &Mutex<Shared>,
    progress: &Progress,
) {
    let mut seats: Vec<Seat<'_>> = header
        .engines
        .iter()
        .map(|spec| Seat::new(spec, variant, &header.rules))
        .collect();
    loop {
        let plan = {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            if shared.stopped {
                return;
            }
            match shared.queue.pop_front() {
                Some(plan) => plan,
                None => return,
            }
        };
        progress.say_started(header, plan);
        let result = one_game::<G>(header, plan, switches, &mut seats);
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let written = result.and_then(|game| {
            if let Some(record) = &mut shared.record {
                record.append(&game)?;
            }
            Ok(game)
        });
        match written {
            Ok(game) => {
                shared.tally.add(&game);
                progress.say_finished(header, &game, &shared.tally);
                shared.games.push(game);
                shared.stopped |= shared.tally.verdict(header).is_some();
            }
            Err(error) => {
                shared.error.get_or_insert(error);
                shared.stopped = true;
            }
        }
    }
}

fn one_game<G: Engine>(
    header: &Header,
    plan: Plan,
    switches: &G::Options,
    seats: &mut [Seat<'_>],
) -> Result<GameRecord, String> {
    let opening = header
        .openings
        .of_round::<G>(header.seed, plan.round, switches)?;
    let pair = seats
        .get_disjoint_mut([plan.white, plan.black])
        .map_err(|error| error.to_string())?;
    let [white, black] = pair;
    for (seat, index) in [(&mut *white, plan.white), (&mut *black, plan.black)] {
        seat.prepare()
            .map_err(|failure| format!("engine {}: {failure}", header.engines[index].name))?;
    }
    Ok(play::<G>(header, plan, &opening, switches, [white, black]))
}

/// Writes the games of a record as PGN, at once and whole.
///
/// # Errors
/// What the system says, or a game of the record that cannot be replayed.
pub fn write_pgn<G: Engine>(
    path: &Path,
    record: &Record,
    switches: &G::Options,
) -> Result<(), String> {
    let mut text = String::new();
    for game in &record.games {
        text.push_str(&crate::record::pgn::game_text::<G>(
            &record.header,
            game,
            switches,
        )?);
    }
    let fail = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    std::fs::write(&new, text).map_err(fail)?;
    std::fs::rename(&new, path).map_err(fail)
}

/// What a run says while it goes on: a line that is redrawn on a terminal, else plain lines.
struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
}

impl Progress {
    fn new(total: usize, done: usize, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stdout().is_terminal() && std::io::stderr().is_terminal())
            .then(|| {
                let bar = ProgressBar::new(total as u64);
                if let Ok(style) =
                    ProgressStyle::with_template("{bar:24} {pos}/{len} games, {eta} left  {msg}")
                {
                    bar.set_style(style);
                }
                bar.set_position(done as u64);
                bar.reset_eta();
                bar
            });
        Self { bar, quiet }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None if self.quiet => {}
            None => println!("{text}"),
        }
    }

    fn say_started(&self, header: &Header, plan: Plan) {
        if self.bar.is_none() {
            self.say(&format!(
                "Started game {} ({} vs {})",
                plan.game, header.engines[plan.white].name, header.engines[plan.black].name
            ));
        }
    }

    fn say_finished(&self, header: &Header, game: &GameRecord, tally: &Tally) {
        let line = format!(
            "Finished game {} ({} vs {}): {} {{{}}}",
            game.game,
            game.white,
            game.black,
            game.result.text(),
            game.reason
        );
        if let Some(bar) = &self.bar {
            if game.termination.is_forfeit() {
                bar.println(line);
            }
            bar.set_message(tally.brief(header));
            bar.inc(1);
            return;
        }
        self.say(&line);
        if tally.games().is_multiple_of(REPORT_EVERY) {
            self.say(tally.report(header).trim_end());
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
