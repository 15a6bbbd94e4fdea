//! Playing the games of a tournament that are not in its record yet, several at a time.

use crate::matches::game::play;
use crate::matches::player_handle::PlayerHandle;
use crate::matches::progress::Progress;
use crate::matches::stop::Stop;
use crate::plan::openings::{OpeningError, Openings};
use crate::plan::schedule::ScheduledGame;
use crate::player::failure::Failure;
use crate::player::internal::Configuration;
use crate::record::file::{AppendError, OpenError};
use crate::record::pgn::{PgnError, save_games};
use crate::record::save::is_same_path;
use crate::record::{GameRecord, Header, Record, RecordFile};
use crate::report::tally::Tally;
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use fauve_engine::search::Engine;
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The stack of a worker, in whose place players of this process search: as much as the main thread has.
const STACK: usize = 8 << 20;

/// How a tournament is run; nothing of this changes its games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Run {
    /// Games at the same time, at least 1.
    pub concurrency: usize,
    /// The record that the run writes and goes on from.
    pub record: Option<PathBuf>,
    /// Where the games go as PGN.
    pub pgn: Option<PathBuf>,
    /// Whether only the final report is said.
    pub quiet: bool,
    /// What the players in this process are set to, by index: what the header says of them, read.
    pub inside: Vec<Option<Configuration>>,
}

/// Why a tournament cannot begin or go on. What is finished is in the record.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// What is wrong with the openings.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// Two files that are one.
    #[error("--pgn {}: that is the file of the {other}; give another", path.display())]
    SameFile {
        /// The path of the PGN.
        path: PathBuf,
        /// What else it is.
        other: &'static str,
    },
    /// The record cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A game could not be recorded.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// A player takes no part.
    #[error("engine {}: {failure}", printable(name))]
    Engine {
        /// Its name.
        name: String,
        /// Why.
        failure: Failure,
    },
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(io::Error),
    /// The PGN cannot be written.
    #[error("cannot write the PGN: {0}")]
    Pgn(PgnError),
    /// The run has failed, and then its PGN could not be written either.
    #[error("{first}; and {second}")]
    Both {
        /// Why the run has failed.
        first: Box<Self>,
        /// Why there is no PGN.
        second: Box<Self>,
    },
}

/// The state of a run, which its workers share.
struct State {
    queue: VecDeque<ScheduledGame>,
    record: Option<RecordFile>,
    tally: Tally,
    games: Vec<GameRecord>,
    error: Option<RunError>,
    /// No game is begun any more.
    is_over: bool,
}

/// A run in progress.
struct Tournament<'a, G: Engine> {
    header: &'a Header,
    variant: Variant,
    options: &'a G::Options,
    inside: &'a [Option<Configuration>],
    progress: Progress,
    stop: Stop,
    state: Mutex<State>,
}

/// Plays a tournament and gives its record.
///
/// # Errors
/// Why the tournament cannot begin or go on; what is finished is in the record.
pub fn run<G: Engine>(
    header: &Header,
    variant: Variant,
    options: &G::Options,
    run: &Run,
) -> Result<Record, RunError> {
    header.openings.check::<G>(variant, options)?;
    let (record, games) = open_files(header, run)?;
    let pairings = header.pairings.list(header.engines.len());
    let done: BTreeSet<u64> = games.iter().map(|game| game.game).collect();
    let all: Vec<ScheduledGame> =
        ScheduledGame::all(&pairings, header.rounds, header.shard).collect();
    let total = all.len();
    let progress = Progress::new(total, done.len(), run.quiet);
    if !done.is_empty() {
        let line = format!("Going on after {} of {total} games", done.len());
        progress.say(&line).map_err(RunError::Output)?;
    }
    let tally = Tally::of(header, &games);
    let tournament: Tournament<'_, G> = Tournament {
        header,
        variant,
        options,
        inside: &run.inside,
        progress,
        stop: Stop::default(),
        state: Mutex::new(State {
            queue: all
                .into_iter()
                .filter(|plan| !done.contains(&plan.game))
                .collect(),
            record,
            is_over: tally.verdict(header).is_some(),
            tally,
            games,
            error: None,
        }),
    };
    thread::scope(|scope| {
        // This thread is one of them. Where the system gives no more, as many games are played as there are threads for.
        for _ in 1..run.concurrency {
            let worker = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, || tournament.work());
            if worker.is_err() {
                break;
            }
        }
        tournament.work();
    });
    tournament.finish(run.pgn.as_deref())
}

/// Opens the record, and refuses a PGN that would replace it or the openings.
fn open_files(
    header: &Header,
    run: &Run,
) -> Result<(Option<RecordFile>, Vec<GameRecord>), RunError> {
    let same = |other| {
        let path = run.pgn.clone().unwrap_or_default();
        Err(RunError::SameFile { path, other })
    };
    let is_pgn = |path: &Path| run.pgn.as_ref().is_some_and(|pgn| is_same_path(pgn, path));
    if let Openings::File { path, .. } = &header.openings
        && is_pgn(Path::new(path))
    {
        return same("openings");
    }
    let Some(path) = &run.record else {
        return Ok((None, Vec::new()));
    };
    if is_pgn(path) {
        return same("record");
    }
    let (record, games) = RecordFile::open(path, header)?;
    Ok((Some(record), games))
}

impl<G: Engine> Tournament<'_, G> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One worker: a place for each player, and games until there are none.
    fn work(&self) {
        let seat = |(number, spec)| {
            let inside = self.inside.get(number).and_then(Option::as_ref);
            PlayerHandle::new(spec, self.variant, &self.header.rules, inside)
        };
        let players = self.header.engines.iter().enumerate();
        let mut seats: Vec<PlayerHandle<'_, G>> = players.map(seat).collect();
        while let Some(plan) = self.next() {
            let result = self.play_game(plan, &mut seats);
            if self.stop.is_set() {
                return;
            }
            if let Err(error) = result.and_then(|game| game.map_or(Ok(()), |game| self.take(game)))
            {
                self.fail(error);
            }
        }
    }

    fn next(&self) -> Option<ScheduledGame> {
        let mut state = self.state();
        if state.is_over || self.stop.is_set() {
            return None;
        }
        state.queue.pop_front()
    }

    /// Notes an error, the first of which ends the run. Without an output nobody waits for the games in progress.
    fn fail(&self, error: RunError) {
        if matches!(error, RunError::Output(_)) {
            self.stop.set();
        }
        let mut state = self.state();
        state.error.get_or_insert(error);
        state.is_over = true;
    }

    fn play_game(
        &self,
        plan: ScheduledGame,
        seats: &mut [PlayerHandle<'_, G>],
    ) -> Result<Option<GameRecord>, RunError> {
        let header = self.header;
        self.progress
            .say_started(header, plan)
            .map_err(RunError::Output)?;
        let opening = header
            .openings
            .of_round::<G>(header.seed, plan.round, self.options)?;
        let [white, black] = seats
            .get_disjoint_mut([plan.white, plan.black])
            .expect("nobody plays against himself");
        for seat in [&mut *white, &mut *black] {
            seat.prepare().map_err(|failure| RunError::Engine {
                name: seat.spec().name.clone(),
                failure,
            })?;
        }
        white.exchange_memory(black);
        Ok(play::<G>(
            header,
            plan,
            &opening,
            self.options,
            [white, black],
            &self.stop,
        ))
    }

    /// Records, counts and reports a finished game.
    fn take(&self, game: GameRecord) -> Result<(), RunError> {
        let mut state = self.state();
        if let Some(record) = &mut state.record {
            record.append(&game)?;
        }
        state.tally.add(&game);
        state.is_over |= state.tally.verdict(self.header).is_some();
        let said = self
            .progress
            .say_finished(self.header, &game, &state.tally)
            .map_err(RunError::Output);
        state.games.push(game);
        said
    }

    /// The record of all games, also as PGN.
    fn finish(self, pgn: Option<&Path>) -> Result<Record, RunError> {
        self.progress.finish();
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut record = Record {
            header: self.header.clone(),
            games: state.games,
        };
        record.games.sort_by_key(|game| game.game);
        let saved = match pgn {
            Some(path) => save_games::<G>(path, &record, self.options).map_err(RunError::Pgn),
            None => Ok(()),
        };
        match (state.error, saved) {
            (None, Ok(())) => Ok(record),
            (Some(error), Ok(())) | (None, Err(error)) => Err(error),
            (Some(first), Err(second)) => Err(RunError::Both {
                first: Box::new(first),
                second: Box::new(second),
            }),
        }
    }
}
