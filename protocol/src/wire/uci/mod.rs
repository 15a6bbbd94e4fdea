//! The Universal Chess Interface (Huber and Meyer-Kahlen, April 2006) and the console commands common beyond it.

mod actions;
mod commands;
mod format;
mod state;

pub use commands::{Haste, complete, haste};
pub use format::UciFormat;
pub use state::Uci;
