//! The doubling cube in a game: who may turn it, and what it was before each double.

use fauve_engine::core::Color;
use fauve_engine::rules::Notation;
use fauve_engine::search::Cube;

/// The doubling cube of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Doubling {
    cube: Cube,
    /// The cubes before each double that was taken, with the index of the turn that it came before.
    past: Vec<(u64, Cube)>,
    /// The turn whose side has decided to roll.
    rolls: Option<u64>,
    /// Whether the side to roll has doubled and waits for an answer.
    is_offered: bool,
}

impl Doubling {
    /// The cube.
    pub const fn cube(&self) -> Cube {
        self.cube
    }

    /// What the game is worth, in points.
    pub const fn stakes(&self) -> u32 {
        self.cube.value()
    }

    /// Whether a double is offered and not answered.
    pub const fn is_offered(&self) -> bool {
        self.is_offered
    }

    /// Whether the side of this turn has nothing more to say about the cube before it rolls.
    pub fn is_settled(&self, turn: u64) -> bool {
        self.rolls == Some(turn)
    }

    /// The side to roll doubles.
    pub const fn offer(&mut self) {
        self.is_offered = true;
    }

    /// The side of this turn rolls, without doubling or after it.
    pub const fn roll(&mut self, turn: u64) {
        self.rolls = Some(turn);
    }

    /// The double of a side before this turn is taken.
    pub fn take(&mut self, turn: u64, side: Color) {
        self.past.push((turn, self.cube));
        self.cube = self.cube.doubled(side);
        self.is_offered = false;
        self.roll(turn);
    }

    /// The turns from this one on were taken back, up to its roll.
    pub fn take_back(&mut self, turn: u64) {
        self.is_offered = false;
        while let Some((_, cube)) = self.past.pop_if(|(at, _)| *at > turn) {
            self.cube = cube;
        }
    }

    /// The cube as it stands since this turn's roll, if it was turned then.
    pub fn turned_before<G: Notation>(&self, position: &G) -> Option<String> {
        let (at, _) = self.past.last()?;
        (*at == position.game_ply()).then(|| cube_text(self.cube))
    }

    /// The cube was turned before this turn, as a game's file says.
    pub(crate) fn resume(&mut self, turn: u64, cube: Cube) {
        self.past.push((turn, self.cube));
        self.cube = cube;
    }
}

/// A cube as text: its value and its owner, `2 black`.
pub fn cube_text(cube: Cube) -> String {
    match cube.owner() {
        Some(owner) => format!("{} {}", cube.value(), owner.name().to_ascii_lowercase()),
        None => cube.value().to_string(),
    }
}

/// Reads a cube's text, `2 black`, `1`.
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
