//! Matches: one game between two players, and the run of a whole tournament.

pub mod adjudication;
pub mod game;
pub mod player_handle;
pub mod progress;
pub mod stop;
pub mod tournament;
