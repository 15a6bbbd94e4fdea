//! Why a try is not legal, in the words of the rules. What a piece can reach, what is check and what a turn may use is asked of
//! the library; here it is only put into words.

#[cfg(feature = "breakthrough")]
mod breakthrough;
mod chess;
pub mod cubes;
pub mod dice;
mod flat;
mod superchess;
mod twomove;
mod typed;

pub use typed::{is_prologue, why_not};

use fauve_engine::rules::{Notation, legal_steps};

/// A game that says why a try is not legal.
pub trait Explain: Notation {
    /// Why nothing goes from one square to another now; `piece` stands for `from` where a piece comes from the tray.
    fn explain(&self, from: &str, to: &str) -> String;

    /// What threatens the king of the side to move, who is in check; nothing where that is plain.
    fn why_check(&self) -> Option<String> {
        None
    }
}

/// Why a step is not legal: what is the same in all games first.
pub fn explain<G: Explain>(position: &G, from: &str, to: &str) -> String {
    if let Some(winner) = position.winner() {
        return format!("The game is over: {} has won.", winner.name());
    }
    if position.awaits_roll() {
        return "The dice are rolled first.".to_owned();
    }
    if legal_steps(position).is_empty() {
        return "The game is over: there is no legal turn.".to_owned();
    }
    position.explain(from, to)
}
