//! Playing the games of a tournament that are not in its record yet, several at a time.

use crate::matches::game::play;
use crate::matches::live::Live;
use crate::matches::player_handle::PlayerHandle;
use crate::matches::pool::Pool;
use crate::matches::progress::Progress;
use crate::matches::queue::Queue;
use crate::matches::stop::{Stop, StopFile};
use crate::matches::workers::work_on_all;
use crate::plan::openings::{OpeningError, Openings};
use crate::plan::schedule::ScheduledGame;
use crate::player::affinity::Processors;
use crate::player::failure::Failure;
use crate::player::group;
use crate::player::identity::{identify, this_program};
use crate::player::internal::Configuration;
use crate::player::spec::EngineSpec;
use crate::record::file::{AppendError, OpenError};
use crate::record::lines::{ReadError, read_header};
use crate::record::pgn::{PgnError, PgnFile, game_text};
use crate::record::save::{can_save, is_same_path};
use crate::record::speed::Speed;
use crate::record::stream::Stream;
use crate::record::{ClockScale, GameRecord, Header, RecordFile};
use crate::report::sequence::Sequence;
use crate::report::tally::Tally;
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use fauve_engine::search::{BenchError, Control, Engine, bench};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The nodes per second, in the benchmark of the game, of the machine whose times `--scale bench` takes.
const REFERENCE_SPEED: f64 = 1e6;

/// How a tournament is run; nothing of this changes its games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Run {
    /// Games at the same time, at least 1.
    pub concurrency: usize,
    /// The record that the run writes and goes on from.
    pub record: Option<PathBuf>,
    /// Where the games go as PGN.
    pub pgn: Option<PathBuf>,
    /// The processors of each of the games that are played at the same time; empty: the system's choice.
    pub affinity: Vec<Processors>,
    /// Whether only the final report is said.
    pub quiet: bool,
    /// After how many games each it is said how the match stands.
    pub interval: u64,
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
    /// The speed of this machine cannot be measured.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// A thread cannot be bound to processors.
    #[error("--affinity: {0}")]
    Affinity(io::Error),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(io::Error),
    /// The PGN cannot be written.
    #[error("cannot write the PGN: {0}")]
    Pgn(PgnError),
    /// A game could neither be recorded nor written as PGN.
    #[error("{first}; and {second}")]
    Both {
        /// Why it was not recorded.
        first: Box<Self>,
        /// Why it is not in the PGN.
        second: Box<Self>,
    },
    /// A record cannot be read again for its PGN.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl From<PgnError> for RunError {
    fn from(error: PgnError) -> Self {
        // Its words are those of this error, and need no source.
        Self::Pgn(error)
    }
}

/// What became of a tournament that has begun.
#[derive(Debug)]
pub struct Outcome {
    /// The tournament, as its record has it.
    pub header: Header,
    /// All its games, with those that were played before.
    pub tally: Tally,
    /// The pairs that the sequential test has counted.
    pub sequence: Sequence,
    /// Players that do not start any more, and why.
    pub withdrawn: Vec<(String, Failure)>,
    /// The games that were not played for it.
    pub left_out: u64,
    /// Whether the run was stopped by a stop file.
    pub is_stopped: bool,
    /// The speed of this machine in the games of this run.
    pub speed: Speed,
    /// Why the run has ended before its time.
    pub error: Option<RunError>,
}

impl Outcome {
    /// No game was played.
    fn of_nothing(header: Header) -> Self {
        Self {
            tally: Tally::new(&header),
            sequence: Sequence::new(&header),
            withdrawn: Vec::new(),
            left_out: 0,
            is_stopped: false,
            speed: Speed::default(),
            error: None,
            header,
        }
    }
}

/// The state of a run, which its workers share.
struct State<G> {
    queue: Queue,
    pool: Pool<G>,
    record: Option<RecordFile>,
    pgn: Option<PgnFile>,
    tally: Tally,
    sequence: Sequence,
    speed: Speed,
    /// Whether each player has started once, in this run or in the record.
    has_started: Vec<bool>,
    withdrawn: BTreeMap<usize, Failure>,
    error: Option<RunError>,
    /// No game is begun any more.
    is_over: bool,
    is_stopped: bool,
}

/// A run in progress.
struct Tournament<'a, G: Engine> {
    header: &'a Header,
    /// The same with the times of this machine.
    scaled: &'a Header,
    /// What these were multiplied by, if they were.
    scale: Option<f64>,
    variant: Variant,
    options: &'a G::Options,
    inside: &'a [Option<Configuration>],
    affinity: &'a [Processors],
    stop_file: Option<StopFile>,
    /// Whether finished games are written as PGN.
    has_pgn: bool,
    progress: Progress,
    live: Live,
    stop: Stop,
    state: Mutex<State<G>>,
}

/// Plays a tournament, as far as its record does not hold it already.
///
/// # Errors
/// Why the tournament cannot begin.
pub fn run<G: Engine>(
    header: &Header,
    variant: Variant,
    options: &G::Options,
    run: &Run,
) -> Result<Outcome, RunError> {
    header.openings.check::<G>(variant, options)?;
    check_files(header, run)?;
    let mut header = header.clone();
    let mut pool = Pool::default();
    let is_resumed = run
        .record
        .as_ref()
        .is_some_and(|path| read_header(path).is_some());
    if run.record.is_some() {
        identify(&mut header.engines);
        header.referee = this_program();
    }
    if !is_resumed {
        match start_all(&mut header, variant, run, &mut pool) {
            // A program that was ended with the match is not to blame, and there is nothing to record yet.
            Err(RunError::Engine { .. }) if group::is_stopping() => {
                return Ok(Outcome::of_nothing(header));
            }
            started => started?,
        }
    }
    let mut tally = Tally::new(&header);
    let mut sequence = Sequence::new(&header);
    let mut done = HashSet::new();
    let mut record = None;
    if let Some(path) = &run.record {
        let opened = RecordFile::open(path, &header, &mut |game| {
            tally.add(game);
            sequence.add(game);
            done.insert(game.game);
        })?;
        header = opened.header;
        record = Some(opened.record);
    }
    let pgn = begin_pgn::<G>(&header, run, !done.is_empty(), options)?;
    let total = header.planned();
    let progress = Progress::new(total, done.len(), run.quiet, run.interval);
    if !done.is_empty() {
        let line = format!("Resuming after {} of {total} games", done.len());
        progress.say(&line).map_err(RunError::Output)?;
    }
    if total == 0 {
        let why = match header.pairs {
            Some(_) => "the tournament has no such pairs",
            None => "there are more shares than rounds",
        };
        let line = format!("This share of the tournament has no games: {why}");
        progress.say(&line).map_err(RunError::Output)?;
    }
    let scale = scale_of::<G>(&header, run)?;
    let mut scaled = header.clone();
    if let Some(factor) = scale {
        let line = format!("The clocks of this machine are multiplied by {factor:.3}");
        progress.say(&line).map_err(RunError::Output)?;
        for engine in &mut scaled.engines {
            engine.limit = engine.limit.scaled(factor);
        }
    }
    let has_played = |player: &EngineSpec| !is_resumed || tally.has_played(&player.name);
    let has_started = header.engines.iter().map(has_played).collect();
    let ahead = run.concurrency.max(1);
    let tournament: Tournament<'_, G> = Tournament {
        header: &header,
        scaled: &scaled,
        scale,
        variant,
        options,
        inside: &run.inside,
        affinity: &run.affinity,
        stop_file: StopFile::of(&header, run.record.as_deref()),
        has_pgn: pgn.is_some(),
        progress,
        // The shares of a tournament are many, and are written to a folder that is far away.
        live: Live::beside(run.record.as_deref().filter(|_| header.share().is_whole())),
        stop: Stop::default(),
        state: Mutex::new(State {
            is_over: is_decided(&header, &sequence),
            queue: Queue::new(header.plans(), done, ahead),
            pool,
            record,
            pgn,
            tally,
            sequence,
            speed: Speed::default(),
            has_started,
            withdrawn: BTreeMap::new(),
            error: None,
            is_stopped: false,
        }),
    };
    tournament
        .live
        .during(|| work_on_all(run.concurrency, |slot| tournament.work(slot)));
    let state = tournament.finish();
    let name = |(player, failure): (usize, Failure)| (header.engines[player].name.clone(), failure);
    Ok(Outcome {
        withdrawn: state.withdrawn.into_iter().map(name).collect(),
        left_out: state.queue.left_out(),
        tally: state.tally,
        sequence: state.sequence,
        is_stopped: state.is_stopped,
        speed: state.speed,
        error: state.error,
        header,
    })
}

/// Whether the test has been decided. A share does not see the results of the others.
fn is_decided(header: &Header, sequence: &Sequence) -> bool {
    header.share().is_whole() && sequence.verdict().is_some()
}

/// Refuses a PGN that would replace the record or the openings, or cannot be written.
fn check_files(header: &Header, run: &Run) -> Result<(), RunError> {
    let Some(pgn) = &run.pgn else {
        return Ok(());
    };
    let same = |other| {
        let path = pgn.clone();
        Err(RunError::SameFile { path, other })
    };
    if let Openings::File { path, .. } = &header.openings
        && is_same_path(pgn, Path::new(path))
    {
        return same("openings");
    }
    if run
        .record
        .as_ref()
        .is_some_and(|path| is_same_path(pgn, path))
    {
        return same("record");
    }
    can_save(pgn).map_err(|error| {
        RunError::Pgn(PgnError::System {
            path: pgn.clone(),
            error,
        })
    })
}

/// Starts every player once, before the first game: one that takes no part is noticed now, and the record says what the
/// others call themselves. Those of the first game wait for it.
fn start_all<G: Engine>(
    header: &mut Header,
    variant: Variant,
    run: &Run,
    pool: &mut Pool<G>,
) -> Result<(), RunError> {
    let rules = header.rules.clone();
    let first = header.plans().next();
    for (number, spec) in header.engines.iter_mut().enumerate() {
        let inside = run.inside.get(number).and_then(Option::as_ref);
        let mut seat: PlayerHandle<'_, G> = PlayerHandle::new(spec, variant, &rules, inside);
        seat.start().map_err(|failure| RunError::Engine {
            name: spec.name.clone(),
            failure,
        })?;
        let id = seat.id().map(str::to_owned);
        let player = seat.leave().map(|player| (number, player));
        drop(pool.give_back(player, &first));
        drop(seat);
        if let Some(program) = &mut spec.program {
            program.id = id;
        }
    }
    Ok(())
}

/// Begins the PGN, with the games that the record already holds.
fn begin_pgn<G: Engine>(
    header: &Header,
    run: &Run,
    has_games: bool,
    options: &G::Options,
) -> Result<Option<PgnFile>, RunError> {
    let Some(path) = &run.pgn else {
        return Ok(None);
    };
    let mut pgn = PgnFile::begin(path)?;
    if let Some(record) = run.record.as_ref().filter(|_| has_games) {
        for game in Stream::open(record)? {
            pgn.append(&game_text::<G>(header, &game?, options)?)?;
        }
    }
    Ok(Some(pgn.settle()?))
}

impl<G: Engine> Tournament<'_, G> {
    fn state(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One worker: games until there are none, all on the same processors if they are shared out. What the worker starts is on these, too.
    fn work(&self, slot: usize) {
        let processors = self.affinity.get(slot);
        if let Some(Err(error)) = processors.map(Processors::bind_this_thread) {
            self.fail(RunError::Affinity(error));
        }
        while let Some(plan) = self.next() {
            let result = self.play_game(plan, processors);
            if self.stop.is_set() {
                return;
            }
            if let Err(error) = result.and_then(|game| game.map_or(Ok(()), |game| self.take(&game)))
            {
                self.fail(error);
            }
        }
    }

    fn next(&self) -> Option<ScheduledGame> {
        // Read before the lock: on a shared folder that can take long.
        let is_told = self.stop_file.as_ref().is_some_and(StopFile::is_there);
        let mut state = self.state();
        if !state.is_over && is_told {
            (state.is_over, state.is_stopped) = (true, true);
        }
        if state.is_over || self.stop.is_set() {
            return None;
        }
        state.queue.take()
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

    /// Plays a game; `None` if it was stopped, or a player was withdrawn.
    fn play_game(
        &self,
        plan: ScheduledGame,
        processors: Option<&Processors>,
    ) -> Result<Option<GameRecord>, RunError> {
        let header = self.scaled;
        self.progress
            .say_started(header, plan)
            .map_err(RunError::Output)?;
        let opening = header
            .openings
            .of_round::<G>(header.seed, plan.opening, self.options)?;
        let numbers = [plan.white, plan.black];
        let mut seats = {
            let mut state = self.state();
            numbers.map(|number| {
                let spec = &header.engines[number];
                let inside = self.inside.get(number).and_then(Option::as_ref);
                let mut seat = PlayerHandle::new(spec, self.variant, &header.rules, inside);
                seat.take(state.pool.take(number));
                seat
            })
        };
        let mut game = None;
        if self.prepare(&mut seats, numbers)? {
            // They may have run for another worker before.
            if let Some(processors) = processors {
                for seat in &seats {
                    seat.bind(processors);
                }
            }
            let [white, black] = &mut seats;
            white.exchange_memory(black);
            game = play::<G>(
                header,
                plan,
                &opening,
                self.options,
                [white, black],
                &self.live,
                &self.stop,
            );
        }
        let left = numbers.into_iter().zip(&mut seats);
        let left = left.filter_map(|(number, seat)| Some((number, seat.leave()?)));
        let ended = {
            let mut state = self.state();
            let State { pool, queue, .. } = &mut *state;
            pool.give_back(left, queue.next())
        };
        // Ended without the lock: a program takes its time.
        drop(ended);
        Ok(game.map(|game| GameRecord {
            scale: self.scale,
            ..game
        }))
    }

    /// Gets the players ready for a game; `Ok(false)` if one of them cannot be started any more, and is withdrawn.
    fn prepare(
        &self,
        seats: &mut [PlayerHandle<'_, G>; 2],
        numbers: [usize; 2],
    ) -> Result<bool, RunError> {
        for (number, seat) in numbers.into_iter().zip(seats) {
            let Err(failure) = seat.prepare() else {
                self.state().has_started[number] = true;
                continue;
            };
            // A program that was ended with the match is not to blame.
            if self.stop.is_set() {
                return Ok(false);
            }
            let name = seat.spec().name.clone();
            let mut state = self.state();
            if !state.has_started[number] {
                return Err(RunError::Engine { name, failure });
            }
            if state.withdrawn.insert(number, failure.clone()).is_none() {
                state.queue.withdraw(number);
                let name = printable(&name);
                let line = format!("Withdrawn: {name}, which does not start any more ({failure})");
                self.progress.say(&line).map_err(RunError::Output)?;
            } else {
                state.queue.leave_out();
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// Records, counts and reports a finished game.
    fn take(&self, game: &GameRecord) -> Result<(), RunError> {
        // Replayed and written down without the lock, for which other workers wait.
        let text = self
            .has_pgn
            .then(|| game_text::<G>(self.header, game, self.options));
        let mut state = self.state();
        let recorded = match &mut state.record {
            Some(record) => record.append(game).map_err(RunError::from),
            None => Ok(None),
        };
        let written = match (text, &mut state.pgn) {
            (Some(Ok(text)), Some(pgn)) => pgn.append(&text),
            (Some(Err(error)), _) => Err(error),
            _ => Ok(()),
        };
        if recorded.is_ok() {
            state.tally.add(game);
            state.sequence.add(game);
            state.speed.add(self.header, game);
        }
        let note = both(recorded, written.map_err(RunError::Pgn))?;
        state.is_over |= is_decided(self.header, &state.sequence);
        let (tally, sequence) = (&state.tally, &state.sequence);
        let mut said = self
            .progress
            .say_finished(self.header, game, tally, sequence);
        if let Some(note) = note {
            said = said.and_then(|()| self.progress.warn(&note));
        }
        said.map_err(RunError::Output)
    }

    /// Looks after the record once more, and gives what has come of the run.
    fn finish(self) -> State<G> {
        self.progress.finish();
        let state = self.state.into_inner();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if let Some(record) = &mut state.record {
            let restored = record.restore().map_err(RunError::from);
            let said = restored.and_then(|note| {
                let note = note.map_or(Ok(()), |note| self.progress.warn(&note));
                note.map_err(RunError::Output)
            });
            if let Err(error) = said {
                state.error.get_or_insert(error);
            }
        }
        state
    }
}

/// By what the times of a tournament are multiplied on this machine, if they are.
fn scale_of<G: Engine>(header: &Header, run: &Run) -> Result<Option<f64>, RunError> {
    Ok(match header.scale {
        None => None,
        Some(ClockScale::By(factor)) => Some(factor),
        Some(ClockScale::Bench) => {
            let speed = speed_of_this_machine::<G>(run.concurrency.max(1))?;
            // As the record shows it.
            Some((REFERENCE_SPEED / speed * 1000.0).round() / 1000.0)
        }
    })
}

/// The nodes per second of a thread in the benchmark of the game, while as many threads search as games are played.
fn speed_of_this_machine<G: Engine>(threads: usize) -> Result<f64, BenchError> {
    let measured = Mutex::new(Vec::new());
    work_on_all(threads, |_| {
        let one = bench::<G>(&Control::default(), &mut |_, _, _| {});
        measured.lock().expect("no panic").push(one);
    });
    let (mut nodes, mut seconds) = (0.0, 0.0);
    for one in measured.into_inner().expect("no panic") {
        let (count, time) = one?;
        nodes += count as f64;
        seconds += time.as_secs_f64();
    }
    Ok(nodes / seconds.max(1e-6))
}

/// The first of two results, with the errors of both.
fn both<T>(first: Result<T, RunError>, second: Result<(), RunError>) -> Result<T, RunError> {
    match (first, second) {
        (first, Ok(())) => first,
        (Ok(_), Err(second)) => Err(second),
        (Err(first), Err(second)) => Err(RunError::Both {
            first: Box::new(first),
            second: Box::new(second),
        }),
    }
}
