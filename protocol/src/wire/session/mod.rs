//! One game under a protocol: its history, its legal turns, and searches of it. All protocols use it.

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
