use super::side::Side;
use crate::commands::expected_points;
use crate::terminal::{PrintError, Printer, board};
use fauve_engine::rules::{DiceSeed, Game, for_each_turn, turn_san, turn_token};
use fauve_engine::search::{Answer, Control, Engine, Report, Settings, Table, level_limits};

/// A game at the terminal.
pub(super) struct Play<'a, G: Engine> {
    pub(super) game: Game<G>,
    pub(super) start: G,
    pub(super) side: Side,
    pub(super) level: u32,
    pub(super) seed: DiceSeed,
    pub(super) out: Printer,
    pub(super) table: &'a Table,
}

impl<G: Engine> Play<'_, G> {
    /// Shows the board.
    pub(super) fn show(&mut self) -> Result<(), PrintError> {
        writeln!(self.out, "\n{}\n", board(self.game.position()))
    }

    /// Rolls the dice of the turn that is next.
    pub(super) fn roll(&mut self) -> Result<(), PrintError> {
        let roll = self.seed.roll(self.game.position().turn_index());
        let side = self.game.position().side_to_move();
        self.game.set_roll(roll);
        writeln!(self.out, "{} rolls {roll}", side.name())
    }

    /// The pass, where it is all that the dice allow: nobody is asked then.
    pub(super) fn only_pass(&self) -> Option<G::Step> {
        if !G::HAS_CHANCE || self.game.position().is_mid_turn() {
            return None;
        }
        let mut first = None;
        let mut turns = 0;
        for_each_turn(self.game.position(), &mut |turn, _| {
            turns += 1;
            first = turn.first().copied();
        });
        let pass = first.filter(|_| turns == 1)?;
        G::is_pass(pass).then_some(pass)
    }

    /// Searches as long as a level allows; gives the answer with its expected points.
    pub(super) fn think(&self, level: u32) -> (Answer<G>, f64) {
        let mut points = 0.5;
        let settings = Settings::default();
        let answer = G::think(
            &self.game,
            &level_limits(level),
            &settings,
            self.table,
            &Control::default(),
            &mut |report| {
                if let Report::Pv(info) = report {
                    points = expected_points(&info);
                }
            },
        );
        (answer, points)
    }

    /// Plays the engine's turn.
    pub(super) fn answer(&mut self) -> Result<(), PrintError> {
        let (answer, _) = self.think(self.level);
        let position = *self.game.position();
        let Some(turn) = answer.best else {
            return Ok(());
        };
        writeln!(
            self.out,
            "{} plays {}  ({})",
            position.side_to_move().name(),
            turn_token(&position, &turn),
            turn_san(&position, &turn)
        )?;
        turn.iter().for_each(|&step| self.game.play(step));
        self.show()
    }
}
