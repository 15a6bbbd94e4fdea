//! The analysis of DiceChess: what backgammon players expect of theirs.

mod candidates;
mod game;
mod picture;
mod rating;
mod rolls;

pub(super) use candidates::{RolloutOptions, candidates};
pub(super) use game::analyse;
pub(super) use rolls::rolls;
