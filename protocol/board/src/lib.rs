//! A board in the browser for all games: a page, embedded here, and the server behind it.
//!
//! The server keeps the games, so that a page that is loaded anew finds its game as it was, and tells the page every
//! step that is allowed: no rule is written a second time. Turns come by POST, everything that changes goes out as
//! server-sent events. `wire.md` describes what goes over the wire.
//!
#![doc = include_str!("wire.md")]

mod actions;
mod assets;
mod clock;
mod files;
mod follow;
mod games;
mod guard;
mod import;
mod lessons;
mod permits;
mod play;
mod random;
mod review;
mod server;
mod session;
mod study;
mod think;
mod view;
mod wire;

pub use files::LONGEST_FILE;
pub use server::{Config, serve};
