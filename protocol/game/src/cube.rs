//! The doubling cube of a game and its history.

use fauve_engine::core::Color;
use fauve_engine::rules::Notation;
use fauve_engine::search::Cube;

/// The doubling cube of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Doubling {
    cube: Cube,
    /// The cube before each double taken, with the game ply of the turn after it.
    past: Vec<(u64, Cube)>,
    /// Game ply of the turn whose side has decided to roll.
    rolls: Option<u64>,
    /// Whether a double is offered and not yet answered.
    is_offered: bool,
}

impl Doubling {
    /// The cube.
    pub const fn cube(&self) -> Cube {
        self.cube
    }

    /// The stakes of the game, in points.
    pub const fn stakes(&self) -> u32 {
        self.cube.value()
    }

    /// Whether a double is offered and not yet answered.
    pub const fn is_offered(&self) -> bool {
        self.is_offered
    }

    /// Whether the cube decision of this turn is made.
    pub fn is_settled(&self, turn: u64) -> bool {
        self.rolls == Some(turn)
    }

    /// Offers a double of the side to roll.
    pub const fn offer(&mut self) {
        self.is_offered = true;
    }

    /// Records the decision to roll in this turn.
    pub const fn roll(&mut self, turn: u64) {
        self.rolls = Some(turn);
    }

    /// Takes the double that `side` offered before this turn.
    pub fn take(&mut self, turn: u64, side: Color) {
        self.past.push((turn, self.cube));
        self.cube = self.cube.doubled(side);
        self.is_offered = false;
        self.roll(turn);
    }

    /// Takes back the cube decisions after this turn's roll.
    pub fn take_back(&mut self, turn: u64) {
        self.is_offered = false;
        while let Some((_, cube)) = self.past.pop_if(|(at, _)| *at > turn) {
            self.cube = cube;
        }
    }

    /// The cube as text, if it was turned just before the roll of this turn.
    pub fn turned_before<G: Notation>(&self, position: &G) -> Option<String> {
        let (at, _) = self.past.last()?;
        (*at == position.game_ply()).then(|| cube_text(self.cube))
    }

    /// Sets the cube that a game file gives for this turn.
    pub(crate) fn resume(&mut self, turn: u64, cube: Cube) {
        self.past.push((turn, self.cube));
        self.cube = cube;
    }
}

/// Formats a cube: its value and its owner, `2 black`.
pub fn cube_text(cube: Cube) -> String {
    match cube.owner() {
        Some(owner) => format!("{} {}", cube.value(), owner.name().to_ascii_lowercase()),
        None => cube.value().to_string(),
    }
}

/// Parses a cube, `2 black`, `1`.
pub fn read_cube(text: &str) -> Option<Cube> {
    let mut words = text.split_whitespace();
    let value = words.next()?.parse().ok()?;
    let owner = match words.next() {
        Some(word) => Some(
            Color::ALL
                .into_iter()
                .find(|side| word.eq_ignore_ascii_case(side.name()))?,
        ),
        None => None,
    };
    Cube::new(value, owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_taken_back_with_their_turns() {
        let mut doubling = Doubling::default();
        doubling.offer();
        doubling.take(4, Color::White);
        assert_eq!(cube_text(doubling.cube()), "2 black");
        assert_eq!(read_cube("2 black"), Some(doubling.cube()));
        doubling.take(7, Color::Black);
        doubling.take_back(5);
        assert_eq!(doubling.stakes(), 2);
        doubling.take_back(4);
        assert_eq!(doubling.stakes(), 2, "taken before the roll that stays");
        doubling.take_back(3);
        assert_eq!(doubling.cube(), Cube::default());
        for text in ["", "3", "2 green", "x"] {
            assert_eq!(read_cube(text), None, "{text}");
        }
    }
}
