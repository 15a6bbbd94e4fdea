//! The doubling cube at the terminal, before each roll.

use super::game::{Ended, Play};
use super::keyboard::Reply;
use crate::terminal::PrintError;
use fauve_board::Explain;
use fauve_engine::search::{Cube, Engine, chance_before_roll};

/// The doubling cube of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Doubling {
    cube: Cube,
    /// The cubes before each double that was taken, with the number of the turn that it came before.
    past: Vec<(u64, Cube)>,
    /// The turn whose side does not double.
    rolls: Option<u64>,
    /// Whether the side to roll has doubled and waits for an answer.
    is_offered: bool,
}

impl Doubling {
    /// A new game begins: the cube lies in the middle.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// What the game is worth, in points.
    pub(super) const fn stakes(&self) -> u32 {
        self.cube.value()
    }

    /// The turns from this one on were taken back, up to its roll.
    pub(super) fn take_back(&mut self, turn: u64) {
        self.is_offered = false;
        while let Some((_, cube)) = self.past.pop_if(|(at, _)| *at > turn) {
            self.cube = cube;
        }
    }
}

impl<G: Engine + Explain> Play<'_, G> {
    /// What the cube asks for before the roll; nothing if the dice can be rolled.
    pub(super) fn ask_about_cube(&mut self) -> Result<Option<Reply>, PrintError> {
        let Some(doubling) = self.doubling.clone() else {
            return Ok(None);
        };
        let (side, turn) = self.roller();
        let twice = doubling.stakes() * 2;
        if doubling.is_offered {
            if self.side.has(!side) {
                let other = (!side).name();
                return self.ask_person(&format!("{other}, for {twice} points: take or pass"));
            }
            return self.answer_double(doubling.cube.is_taken(side, self.chance()));
        }
        if doubling.rolls == Some(turn) || !doubling.cube.is_free_for(side) {
            return Ok(None);
        }
        if self.side.has(side) {
            let (name, stakes) = (side.name(), doubling.stakes());
            return self.ask_person(&format!("{name} (cube {stakes}): roll or double"));
        }
        if !doubling.cube.doubles(side, self.chance()) {
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

    /// The side that rolls next, and the number of its turn.
    fn roller(&self) -> (fauve_engine::core::Color, u64) {
        let position = self.game.position();
        (position.side_to_move(), position.turn_index())
    }

    /// The chance of the side that rolls next, as a look at the 56 rolls tells it.
    fn chance(&self) -> f64 {
        chance_before_roll(&self.game, &self.options.settings(), self.table)
    }

    fn offer_double(&mut self) -> Result<Option<Reply>, PrintError> {
        let (side, _) = self.roller();
        let Some(doubling) = &mut self.doubling else {
            return Ok(None);
        };
        doubling.is_offered = true;
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
        let Some(doubling) = &mut self.doubling else {
            return Ok(None);
        };
        if !takes {
            self.ended = Some(Ended::Passed(!side));
            self.change();
            return Ok(Some(Reply::Moved));
        }
        doubling.past.push((turn, doubling.cube));
        doubling.cube = doubling.cube.doubled(side);
        (doubling.is_offered, doubling.rolls) = (false, Some(turn));
        let (name, stakes) = ((!side).name(), doubling.stakes());
        writeln!(self.out, "{name} takes: the game is for {stakes} points")?;
        Ok(Some(Reply::Moved))
    }

    /// A word about the cube from the keyboard: `double`, `roll`, `take` or `pass`.
    pub(super) fn turn_cube(&mut self, word: &str) -> Result<Reply, PrintError> {
        let awaits = self.end().is_none() && self.game.position().awaits_roll();
        let (_, turn) = self.roller();
        let Some(doubling) = self.doubling.as_mut().filter(|_| awaits) else {
            let words = match (&self.doubling, word) {
                (_, "roll") => "the dice are rolled for you",
                (None, _) => "there is no doubling cube; see `fauve play --help`",
                (Some(_), _) => "the cube is turned before the roll",
            };
            writeln!(self.out, "{words}")?;
            return Ok(Reply::Again);
        };
        let done = match (word, doubling.is_offered) {
            ("double", false) => self.offer_double()?,
            ("roll", false) => {
                doubling.rolls = Some(turn);
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
