//! Matches: one game between two players, and the run of a whole tournament.

pub mod game;
pub mod luck;
pub mod tournament;
