//! The doubling cube at the terminal, before each roll.

use super::game::Play;
use super::keyboard::Reply;
use crate::terminal::PrintError;
use fauve_engine::search::{Engine, chance_before_roll};
use fauve_game::end::End;
use fauve_game::explain::Explain;

impl<G: Engine + Explain> Play<'_, G> {
    /// What the cube asks for before the roll; nothing if the dice can be rolled.
    pub(super) fn ask_about_cube(&mut self) -> Result<Option<Reply>, PrintError> {
        let Some(doubling) = self.played.doubling.clone() else {
            return Ok(None);
        };
        let (side, turn) = self.roller();
        let twice = doubling.stakes() * 2;
        if doubling.is_offered() {
            if self.side.has(!side) {
                let other = (!side).name();
                return self.ask_person(&format!("{other}, for {twice} points: take or pass"));
            }
            return self.answer_double(doubling.cube().is_taken(side, self.chance()));
        }
        if doubling.is_settled(turn) || !doubling.cube().is_free_for(side) {
            return Ok(None);
        }
        if self.side.has(side) {
            let (name, stakes) = (side.name(), doubling.stakes());
            return self.ask_person(&format!("{name} (cube {stakes}): roll or double"));
        }
        if !doubling.cube().doubles(side, self.chance()) {
            return Ok(None);
        }
        self.offer_double()
    }

    fn ask_person(&mut self, prompt: &str) -> Result<Option<Reply>, PrintError> {
        if !self.is_shown {
            self.show()?;
        }
        self.ask(prompt).map(Some)
    }

    /// The side that rolls next, and the index of its turn.
    fn roller(&self) -> (fauve_engine::core::Color, u64) {
        let position = self.played.position();
        (position.side_to_move(), position.game_ply())
    }

    /// The chance of the side that rolls next, by a search of the 56 rolls.
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
        writeln!(
            self.out,
            "{} doubles: the game would be for {twice} points",
            side.name()
        )?;
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
        writeln!(self.out, "{name} takes: the game is for {stakes} points")?;
        self.keep();
        Ok(Some(Reply::Moved))
    }

    /// A word about the cube from the keyboard: `double`, `roll`, `take` or `pass`.
    pub(super) fn turn_cube(&mut self, word: &str) -> Result<Reply, PrintError> {
        let awaits = self.played.end().is_none() && self.played.position().awaits_roll();
        let (_, turn) = self.roller();
        let has_cube = self.played.doubling.is_some();
        let Some(doubling) = self.played.doubling.as_mut().filter(|_| awaits) else {
            let words = match (has_cube, word) {
                (_, "roll") => "the dice are rolled for you",
                (false, _) => "there is no doubling cube; see `fauve play --help`",
                (true, _) => "the cube is turned before the roll",
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
                writeln!(self.out, "a double is offered: take or pass")?;
                None
            }
            _ => {
                writeln!(self.out, "no double is offered: roll or double")?;
                None
            }
        };
        Ok(done.unwrap_or(Reply::Again))
    }
}
