//! What follows from the settings of a tournament alone: who meets whom in which game, and where the game begins.

pub mod openings;
pub mod schedule;
