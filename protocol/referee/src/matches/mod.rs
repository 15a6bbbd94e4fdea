//! Matches: one game between two players, and the run of a whole tournament.

pub mod adjudication;
pub mod game;
pub mod progress;
pub mod seat;
pub mod stop;
pub mod tournament;
