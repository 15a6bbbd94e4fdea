//! Randomness from the system, through the standard library.

use fauve_engine::rules::DiceSeed;
use std::hash::{BuildHasher, RandomState};

/// The name of a game that nobody guesses.
pub(crate) fn id() -> String {
    let half = |which: u8| RandomState::new().hash_one(which);
    format!("{:016x}{:016x}", half(0), half(1))
}

/// A seed for the dice of a game.
pub(crate) fn seed() -> DiceSeed {
    DiceSeed(RandomState::new().hash_one("dice"))
}
