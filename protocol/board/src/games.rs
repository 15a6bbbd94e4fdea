//! The games that are served. Their number is bounded: when it is reached, games that no page shows are dropped first.

#[cfg(feature = "server")]
use crate::keep;
use crate::lessons::{self, LessonState};
use crate::lock::locked;
use crate::play::{self, AnyGame, PlayError};
use crate::puzzles::PuzzleState;
use crate::random;
use crate::room::EngineRoom;
use crate::session::GameSession;
use crate::wire::{NewGame, Player};
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use fauve_engine::strength_scales::StrengthScale;
use fauve_game::names::{self, NameError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The most games that are kept.
const MOST_GAMES: usize = 256;
/// The longest name of a player, in characters.
pub(crate) const LONGEST_NAME: usize = 60;
/// The longest game that is taken over, in turns.
const LONGEST_GAME: usize = 4096;

/// Why there is no new game.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NewGameError {
    /// There is no game of this name.
    #[error(transparent)]
    Variant(#[from] NameError),
    /// The position cannot be read, or a turn is not legal.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The seed of the dice cannot be read.
    #[error(transparent)]
    Seed(#[from] fauve_engine::rules::SeedError),
    /// The game has no such level; the highest one.
    #[error("levels are 1 to {0}")]
    Level(u32),
    /// No program of this name plays the game.
    #[error(
        "there is no program {0} here that plays {1}; `fauve board --engine cmd=PROGRAM` brings one"
    )]
    Program(String, Variant),
    /// The clock's figures are out of range.
    #[error("a clock has more than 0 and up to 600 minutes, and up to 600 seconds a turn")]
    Clock,
    /// The saved text has no game in it.
    #[error("the saved text has no game in it")]
    Kept,
    /// There is no such lesson.
    #[error("there is no such lesson")]
    Lesson,
    /// The position and its solution are not a puzzle of the game.
    #[error("this is not a puzzle of the game")]
    Puzzle,
    /// The record has no game of this number.
    #[error("the record has no such game")]
    RecordGame,
    /// The name of a player is too long.
    #[error("a name has up to {LONGEST_NAME} characters")]
    Name,
    /// The game has too many turns.
    #[error("a game has no more than {LONGEST_GAME} turns")]
    TooLong,
    /// As many games as possible are open, and pages show all of them.
    #[error("too many games are open")]
    Full,
}

/// All games.
pub(crate) struct Games {
    sessions: Mutex<HashMap<String, Arc<GameSession>>>,
    room: Arc<EngineRoom>,
}

impl Games {
    /// None yet.
    pub(crate) fn new(room: Arc<EngineRoom>) -> Self {
        Self {
            sessions: Mutex::new(HashMap::new()),
            room,
        }
    }

    /// A game by its name.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<GameSession>> {
        let sessions = locked(&self.sessions);
        let served = sessions.get(id).cloned();
        drop(sessions);
        served.or_else(|| self.take_up(id))
    }

    /// A game that an earlier run has kept, or that has left.
    #[cfg(feature = "server")]
    fn take_up(&self, id: &str) -> Option<Arc<GameSession>> {
        let is_program = |name: &str, variant| self.room.has_program(name, variant);
        let keeper = self.room.keeper.as_ref()?;
        let (kept, variant, stamp) = keeper.load(id, is_program)?;
        let begun = self.begin_as(id.to_owned(), &kept);
        // Somebody may have edited the file: its turns are worth more than the unfinished turn and the clocks.
        let complete = NewGame {
            partial_turn: Vec::new(),
            ..kept
        };
        let begun = begun.or_else(|_| self.begin_as(id.to_owned(), &complete));
        let untimed = NewGame {
            left: None,
            ..complete
        };
        let session = begun
            .or_else(|_| self.begin_as(id.to_owned(), &untimed))
            .ok()?;
        // A request that only reads the game starts no clock.
        let mut state = session.lock();
        if !session.is_watched() {
            state.let_clock_wait();
        }
        state.kept = state.kept.or(Some(stamp));
        // What could not be read is not lost with the first change.
        if let Some(notice) = &mut state.notice
            && !notice.contains(keep::ASIDE)
            && let Some(name) = keeper.put_aside(variant, id)
        {
            notice.push_str(&format!(" The file as it was is kept as {name}."));
        }
        drop(state);
        Some(session)
    }

    #[cfg(not(feature = "server"))]
    #[expect(clippy::unused_self, reason = "without a server there is no folder")]
    const fn take_up(&self, _: &str) -> Option<Arc<GameSession>> {
        None
    }

    /// The games that are kept, those that were changed last first; `None` where none are.
    #[cfg(feature = "server")]
    pub(crate) fn kept(&self) -> Option<Vec<keep::Listed>> {
        Some(self.room.keeper.as_ref()?.list())
    }

    /// Begins a game, which is none of a record.
    ///
    /// # Errors
    /// What cannot be done of what was asked for.
    pub(crate) fn begin(&self, new: &NewGame) -> Result<Arc<GameSession>, NewGameError> {
        self.begin_as(random::id(), new)
    }

    /// Begins a game under a name.
    fn begin_as(&self, id: String, new: &NewGame) -> Result<Arc<GameSession>, NewGameError> {
        let variant = names::variant(&new.variant)?;
        for player in [&new.white, &new.black] {
            check_player(&self.room, variant, player)?;
        }
        let clock = match new.clock {
            Some(control) => Some(control.clock().ok_or(NewGameError::Clock)?),
            None => None,
        };
        if new
            .names
            .iter()
            .flatten()
            .any(|name| name.chars().count() > LONGEST_NAME)
        {
            return Err(NewGameError::Name);
        }
        let recorded = new.pgn.as_ref().map_or(0, |pgn| pgn.line.turns.len());
        let partial = new.partial_turn.len();
        if new.turns.len().max(recorded).max(partial) > LONGEST_GAME {
            return Err(NewGameError::TooLong);
        }
        let seed = match &new.seed {
            Some(text) => text.parse()?,
            None => random::seed(),
        };
        let lesson = match new.lesson {
            Some(number) => Some(lessons::lesson(variant, number).ok_or(NewGameError::Lesson)?),
            None => None,
        };
        let puzzle = match &new.puzzle {
            Some(chosen) => Some(PuzzleState::new(variant, chosen).ok_or(NewGameError::Puzzle)?),
            None => None,
        };
        let task = lesson.map(|lesson| lesson.fen.as_str());
        let task = task.or(puzzle.as_ref().map(PuzzleState::fen));
        let fen = task.or(new.fen.as_deref());
        let (mut game, warnings) = match &new.pgn {
            Some(pgn) => play::open(variant, pgn, new.is_own, seed)?,
            None => play::begin(variant, fen, &new.rules, seed)?,
        };
        for turn in &new.turns {
            game.turn(turn)?;
        }
        game.begin_turn(&new.partial_turn)?;
        *game.clock_mut() = match (clock, new.left) {
            (Some(mut clock), Some(left)) => {
                let set = left.set(&mut clock, game.side());
                set.ok_or(NewGameError::Clock)?;
                Some(clock)
            }
            (clock, _) => clock,
        };
        let players = [new.white.clone(), new.black.clone()];
        let session = self.session(id, game, players);
        {
            let mut state = session.lock();
            if !warnings.is_empty() {
                state.notice = Some(warnings.join(" "));
            }
            state.names.clone_from(&new.names);
            if let Some(kept) = &new.assessment {
                state.assessed = state.game.restored_assessment(kept);
            }
            state.lesson = lesson.map(|lesson| LessonState::new(lesson, new.lesson.unwrap_or(0)));
            state.puzzle = puzzle;
            state.judge_task()?;
        }
        let served = self.serve(session)?;
        served.resume(&mut served.lock());
        Ok(served)
    }

    /// A game that is not served yet.
    pub(crate) fn session(
        &self,
        id: String,
        game: Box<dyn AnyGame>,
        players: [Player; 2],
    ) -> Arc<GameSession> {
        GameSession::new(id, game, players, &self.room)
    }

    /// Serves a game. Where one of this name is served already, as when two pages ask for a kept game at once, that one stays
    /// and is the answer: both pages are to see the same game.
    pub(crate) fn serve(
        &self,
        session: Arc<GameSession>,
    ) -> Result<Arc<GameSession>, NewGameError> {
        loop {
            let mut sessions = locked(&self.sessions);
            if let Some(served) = sessions.get(&session.id) {
                return Ok(Arc::clone(served));
            }
            if sessions.len() < MOST_GAMES {
                sessions.insert(session.id.clone(), Arc::clone(&session));
                return Ok(session);
            }
            let others: Vec<_> = sessions.values().cloned().collect();
            drop(sessions);
            self.remove_oldest(&others)?;
        }
    }

    /// Serves the one of these games no longer that nobody has looked at for longest, unless somebody has come to look at it meanwhile. Each
    /// is locked for that, and one that is being written to the disk keeps nobody waiting who wants another one.
    fn remove_oldest(&self, served: &[Arc<GameSession>]) -> Result<(), NewGameError> {
        let oldest = served
            .iter()
            .filter_map(|session| Some((session.idle_since()?, &session.id)))
            .min();
        let (_, id) = oldest.ok_or(NewGameError::Full)?;
        let mut sessions = locked(&self.sessions);
        if sessions.get(id).is_some_and(|session| session.is_watched()) {
            return Ok(());
        }
        let removed = sessions.remove(id);
        drop(sessions);
        if let Some(session) = removed {
            let mut state = session.lock();
            state.stop_thinking();
            state.stop_analysis();
            session.break_off_review(&mut state);
        }
        Ok(())
    }
}

/// Refuses a level or a program that there is not.
pub(crate) fn check_player(
    room: &EngineRoom,
    variant: Variant,
    player: &Player,
) -> Result<(), NewGameError> {
    let levels = StrengthScale::of(variant).levels();
    match player {
        Player::Engine { level } if !(1..=levels).contains(level) => {
            Err(NewGameError::Level(levels))
        }
        Player::Program { name } if !room.has_program(name, variant) => {
            Err(NewGameError::Program(printable(name), variant))
        }
        _ => Ok(()),
    }
}
