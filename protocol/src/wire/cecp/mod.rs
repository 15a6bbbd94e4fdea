//! The Chess Engine Communication Protocol, version 2, as XBoard and WinBoard speak it (Mann and Muller,
//! "Chess Engine Communication Protocol"): chess as variant `normal`, Chess960 as `fischerandom`, Superchess as variant `super`, whose array and
//! holdings come by `setboard` and whose promotion pool is the physical one.

mod analysis;
mod clock;
mod commands;
mod game;
mod options;
mod search;
mod state;
mod text;

pub use state::Cecp;
