//! The games of a tuner: those of a match between two players of this process.

use crate::matches::game::play;
use crate::matches::live::Live;
use crate::matches::player_handle::PlayerHandle;
use crate::matches::stop::Stop;
use crate::plan::openings::OpeningError;
use crate::plan::schedule::ScheduledGame;
use crate::player::failure::Failure;
use crate::player::internal::Configuration;
use crate::tuning::batch::BatchGame;
use crate::tuning::state::Settings;
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::search::Engine;
use fauve_engine::search::parameters::ParameterError;

/// Why a game has no result that something can be learnt from.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// There is no opening.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// A player does not take a parameter.
    #[error("{name}: {error}")]
    Parameter {
        /// The parameter.
        name: String,
        /// Why.
        error: ParameterError,
    },
    /// A player takes no part.
    #[error(transparent)]
    Player(#[from] Failure),
    /// A game was lost by something else than the game: no parameter is to blame for it.
    #[error("game {game}: {reason}")]
    Forfeit {
        /// Its number.
        game: u64,
        /// What happened.
        reason: String,
    },
    /// The program is about to end.
    #[error("stopped")]
    Stopped,
}

/// Plays the games of a tuner.
pub struct Games<'a, G: Engine> {
    /// What is tuned, and under which conditions.
    pub settings: &'a Settings,
    /// The game.
    pub variant: Variant,
    /// Its rules.
    pub options: &'a G::Options,
    /// What both players are set to, except for the parameters.
    pub base: &'a Configuration,
}

impl<G: Engine> Games<'_, G> {
    /// Plays a game, and gives the half points of the first setting.
    ///
    /// # Errors
    /// When there is no result that something can be learnt from.
    pub fn play(&self, game_of_batch: BatchGame<'_>) -> Result<u8, GameError> {
        let header = &self.settings.games;
        let first = usize::from(game_of_batch.is_second);
        let plan = ScheduledGame {
            game: 2 * game_of_batch.pair - 1 + u64::from(game_of_batch.is_second),
            round: game_of_batch.pair - 1,
            opening: game_of_batch.pair - 1,
            white: first,
            black: 1 - first,
        };
        let opening = header
            .openings
            .of_round::<G>(header.seed, plan.opening, self.options)?;
        let [plus, minus] = game_of_batch.sides;
        let configurations = [self.configuration(plus)?, self.configuration(minus)?];
        let seat = |number: usize| -> Result<PlayerHandle<'_, G>, Failure> {
            let spec = &header.engines[number];
            let inside = Some(&configurations[number]);
            let mut seat = PlayerHandle::new(spec, self.variant, &header.rules, inside);
            seat.prepare()?;
            Ok(seat)
        };
        let (mut white, mut black) = (seat(plan.white)?, seat(plan.black)?);
        let seats = [&mut white, &mut black];
        let stop = Stop::default();
        let live = Live::default();
        let game = play::<G>(header, plan, &opening, self.options, seats, &live, &stop)
            .ok_or(GameError::Stopped)?;
        if game.termination.is_forfeit() {
            return Err(GameError::Forfeit {
                game: plan.game,
                reason: game.reason,
            });
        }
        Ok(game.result.half_points(Color::ALL[first]))
    }

    fn configuration(&self, values: &[i32]) -> Result<Configuration, GameError> {
        let mut configuration = self.base.clone();
        let names = self.settings.schedule.parameters.iter();
        for (parameter, &value) in names.zip(values) {
            let set = configuration
                .settings
                .parameters
                .set(&parameter.name, value);
            set.map_err(|error| GameError::Parameter {
                name: parameter.name.clone(),
                error,
            })?;
        }
        Ok(configuration)
    }
}
