//! Games outside the program: as JSON that is kept and read again.

use crate::clock::{Control, Left};
use crate::games::{Games, NewGameError};
use crate::lessons::{self, LessonState};
use crate::play::{self, KeptGame};
use crate::puzzles::{Chosen, PuzzleState};
use crate::review;
use crate::session::GameSession;
use crate::view::Step;
use crate::wire::Player;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_game::clock::Clock;
use fauve_game::names;
use serde::{Deserialize, Serialize};

/// A game with everything that its page shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedGame {
    id: String,
    version: u64,
    variant: String,
    game: KeptGame,
    /// The steps of the unfinished turn.
    partial_turn: Vec<String>,
    white: Player,
    black: Player,
    names: Option<[String; 2]>,
    clock: Option<SavedClock>,
    /// The number of the lesson.
    lesson: Option<usize>,
    #[serde(default)]
    puzzle: Option<Chosen>,
    /// What was found about the turns ([`review::kept`]).
    #[serde(default)]
    assessment: String,
}

/// The clocks; the time does not run while the game is put away.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedClock {
    control: Control,
    /// What is left, in milliseconds.
    white: u64,
    black: u64,
    runs: bool,
}

impl SavedGame {
    /// A game as it is now.
    pub(crate) fn of(session: &GameSession) -> Self {
        let state = session.lock();
        let game = &state.game;
        let token = |step: &Step| step.token.clone();
        Self {
            id: session.id.clone(),
            version: state.version,
            variant: game.variant().name().to_owned(),
            game: game.keep(),
            partial_turn: game.partial_turn().iter().map(token).collect(),
            white: state.players[0].clone(),
            black: state.players[1].clone(),
            names: state.names.clone(),
            clock: game.clock().map(SavedClock::of),
            lesson: state.lesson.as_ref().map(|lesson| lesson.number),
            puzzle: state.puzzle.as_ref().map(|puzzle| puzzle.chosen.clone()),
            assessment: review::kept(&state.assessed, game.turns()),
        }
    }

    /// Takes the game up again.
    ///
    /// # Errors
    /// What cannot be read of it.
    pub(crate) fn restore(&self, games: &Games) -> Result<(), NewGameError> {
        let variant = names::variant(&self.variant)?;
        let mut game = play::restore(variant, &self.game)?;
        game.begin_turn(&self.partial_turn)?;
        *game.clock_mut() = match &self.clock {
            Some(saved) => Some(saved.clock(game.side())?),
            None => None,
        };
        let players = [self.white.clone(), self.black.clone()];
        let session = games.session(self.id.clone(), game, players);
        {
            let mut state = session.lock();
            state.version = self.version;
            state.names.clone_from(&self.names);
            state.lesson = self.lesson_state(variant);
            state.puzzle = self
                .puzzle
                .as_ref()
                .and_then(|chosen| PuzzleState::new(variant, chosen));
            state.assessed = state.game.restored_assessment(&self.assessment);
            state.judge_task()?;
        }
        games.serve(session)?;
        Ok(())
    }

    fn lesson_state(&self, variant: Variant) -> Option<LessonState> {
        let number = self.lesson?;
        Some(LessonState::new(lessons::lesson(variant, number)?, number))
    }
}

impl SavedClock {
    fn of(clock: &Clock) -> Self {
        let Left { white, black, runs } = Left::of(clock);
        Self {
            control: Control::of(clock),
            white,
            black,
            runs,
        }
    }

    fn clock(&self, to_move: Color) -> Result<Clock, NewGameError> {
        let Self {
            control,
            white,
            black,
            runs,
        } = *self;
        let mut clock = control.clock().ok_or(NewGameError::Clock)?;
        let left = Left { white, black, runs };
        left.set(&mut clock, to_move).ok_or(NewGameError::Clock)?;
        Ok(clock)
    }
}
