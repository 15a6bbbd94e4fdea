//! The doubling cube in the terminal: offers and answers before each roll.

use super::game::Play;
use super::keyboard::Reply;
use crate::terminal::PrintError;
use fauve_engine::search::{Engine, chance_before_roll};
use fauve_game::end::End;
use fauve_game::explain::Explain;

impl<G: Engine + Explain> Play<'_, G> {
    /// Handles the cube before a roll: prompts the player, or doubles or answers for the engine. `None` if the dice can be
    /// rolled.
    pub(super) fn ask_about_cube(&mut self) -> Result<Option<Reply>, PrintError> {
        let Some(doubling) = self.played.doubling.clone() else {
            return Ok(None);
        };
        let (side, turn) = self.roller();
        let twice = doubling.stakes() * 2;
        if doubling.is_offered() {
            if self.side.has(!side) {
                let other = (!side).name();
                return self
                    .prompt_about_cube(&format!("{other}, for {twice} points: take or pass"));
            }
            return self.answer_double(doubling.cube().is_taken(side, self.chance()));
        }
        if doubling.is_settled(turn) || !doubling.cube().is_free_for(side) {
            return Ok(None);
        }
        if self.side.has(side) {
            let (name, stakes) = (side.name(), doubling.stakes());
            return self.prompt_about_cube(&format!("{name} (cube {stakes}): roll or double"));
        }
        if !doubling.cube().doubles(side, self.chance()) {
            return Ok(None);
        }
        self.offer_double()
    }

    fn prompt_about_cube(&mut self, prompt: &str) -> Result<Option<Reply>, PrintError> {
        if !self.is_shown {
            self.show()?;
        }
        self.prompt(prompt).map(Some)
    }

    /// The side that rolls next, and the game ply of its turn.
    fn roller(&self) -> (fauve_engine::core::Color, u64) {
        let position = self.played.position();
        (position.side_to_move(), position.game_ply())
    }

    /// The winning probability of the side that rolls next, 0 to 1, from a search of all 56 rolls.
    fn chance(&self) -> f64 {
        chance_before_roll(self.played.game(), &self.options.settings(), self.table)
    }

    fn offer_double(&mut self) -> Result<Option<Reply>, PrintError> {
        let (side, _) = self.roller();
        let Some(doubling) = &mut self.played.doubling else {
            return Ok(None);
        };
        doubling.offer();
        let twice = doubling.stakes() * 2;
        writeln!(self.out, "{} doubles to {twice} points", side.name())?;
        Ok(Some(Reply::Moved))
    }

    fn answer_double(&mut self, takes: bool) -> Result<Option<Reply>, PrintError> {
        let (side, turn) = self.roller();
        let Some(doubling) = &mut self.played.doubling else {
            return Ok(None);
        };
        if !takes {
            self.played.ended = Some(End::passed_double(!side));
            self.change();
            return Ok(Some(Reply::Moved));
        }
        doubling.take(turn, side);
        let (name, stakes) = ((!side).name(), doubling.stakes());
        writeln!(self.out, "{name} takes; the game is for {stakes} points")?;
        self.keep();
        Ok(Some(Reply::Moved))
    }

    /// Runs a cube command of the player: `double`, `roll`, `take` or `pass`.
    pub(super) fn turn_cube(&mut self, word: &str) -> Result<Reply, PrintError> {
        let awaits = self.played.end().is_none() && self.played.position().awaits_roll();
        let (_, turn) = self.roller();
        let has_cube = self.played.doubling.is_some();
        let Some(doubling) = self.played.doubling.as_mut().filter(|_| awaits) else {
            let words = match (has_cube, word) {
                _ if !G::HAS_CHANCE => "there are neither dice nor a doubling cube in this game",
                (_, "roll") => "the dice are rolled automatically",
                (false, _) => "there is no doubling cube; see `fauve play --help`",
                (true, _) => "the cube can be turned only before a roll",
            };
            writeln!(self.out, "{words}")?;
            return Ok(Reply::Again);
        };
        let done = match (word, doubling.is_offered()) {
            ("double", false) => self.offer_double()?,
            ("roll", false) => {
                doubling.roll(turn);
                Some(Reply::Moved)
            }
            ("take", true) => self.answer_double(true)?,
            ("pass", true) => self.answer_double(false)?,
            (_, true) => {
                writeln!(self.out, "a double is offered; take or pass")?;
                None
            }
            _ => {
                writeln!(self.out, "no double is offered; roll or double")?;
                None
            }
        };
        Ok(done.unwrap_or(Reply::Again))
    }
}
