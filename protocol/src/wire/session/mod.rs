//! One game under a protocol: how it came about, what may be played, and searches of it. Every format drives a game
//! through this.

mod base;
mod context;
mod doubling;
mod error;
mod perft;
mod queries;
mod search;
mod state;
mod tokens;

pub use base::Base;
pub use context::SearchContext;
pub use error::SessionError;
pub use state::Session;
