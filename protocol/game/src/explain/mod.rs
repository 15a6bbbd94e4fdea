//! Explanations of illegal turns in the words of the rules. Reach, check and dice come from the engine library; this module
//! only words them.

#[cfg(feature = "breakthrough")]
mod breakthrough;
mod chess;
pub mod cubes;
pub mod dice;
mod flat;
mod superchess;
mod twomove;
mod typed;

pub use typed::{is_prologue, refusal, why_not};

use fauve_engine::rules::{Notation, legal_steps};

/// A game that can explain why a move is illegal.
pub trait Explain: Notation {
    /// Explains why no legal move goes from one square to another; `from` is the letter of a piece that is placed from the
    /// tray.
    fn explain(&self, from: &str, to: &str) -> String;

    /// Names the pieces or moves that give check to the side to move; `None` where the game has nothing to add.
    fn why_check(&self) -> Option<String> {
        None
    }
}

/// Explains why a step is illegal: reasons common to all games first, then those of the game.
pub fn explain<G: Explain>(position: &G, from: &str, to: &str) -> String {
    if let Some(winner) = position.winner() {
        return format!("The game is over: {} has won.", winner.name());
    }
    if position.awaits_roll() {
        return "Roll the dice first.".to_owned();
    }
    if legal_steps(position).is_empty() {
        return "The game is over: there is no legal turn.".to_owned();
    }
    position.explain(from, to)
}
