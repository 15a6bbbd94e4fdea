//! A board in the browser for all games: a page, and what answers it.
//!
//! [`Board`] keeps the games, so that a page that is loaded anew finds its game as it was, and sends the page every step that is allowed:
//! no rule is written a second time. It takes requests and gives answers, whatever carries them. With the feature `server`
//! (the default) that is a server of HTTP on this machine: turns come by POST, everything that changes goes out as server-sent events.
//! Without it the crate needs neither threads nor a network, and runs as WebAssembly beside the page.
//!
#![doc = include_str!("wire.md")]

mod actions;
#[cfg(feature = "server")]
mod assets;
mod board;
mod clock;
mod elsewhere;
mod files;
#[cfg(feature = "server")]
mod follow;
mod games;
#[cfg(feature = "server")]
mod guard;
mod import;
#[cfg(feature = "server")]
mod keep;
mod lessons;
#[cfg(feature = "server")]
mod live;
mod lock;
#[cfg(feature = "server")]
mod opponent;
mod permits;
mod play;
mod puzzles;
mod random;
mod review;
mod room;
#[cfg(test)]
mod rules_page;
mod saved;
mod search;
#[cfg(feature = "server")]
mod server;
mod session;
mod study;
mod think;
mod view;
mod wire;

pub use board::{Answer, Board, LONGEST_BODY, Opening};
pub use files::LONGEST_FILE;
#[cfg(feature = "server")]
pub use keep::make_folder;
pub use search::run_search;
#[cfg(feature = "server")]
pub use server::{Addresses, Config, serve};
pub use session::{Message, Watcher};
