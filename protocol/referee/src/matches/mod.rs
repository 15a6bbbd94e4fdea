//! Matches: one game between two players, and the run of a whole tournament.

pub mod game;
pub mod live;
pub mod player_handle;
mod pool;
pub mod progress;
mod queue;
pub mod stop;
pub mod tournament;
pub mod watch;
pub(crate) mod workers;
