//! One game under a protocol: how it came about, what may be played, and searches of it. Every format drives a game
//! through this.

mod context;
mod doubling;
mod error;
mod perft;
mod queries;
mod search;
mod start_position;
mod state;
mod tokens;

pub use context::SearchContext;
pub use error::SessionError;
pub use start_position::StartPosition;
pub use state::Session;
