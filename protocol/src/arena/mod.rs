//! The referee: matches between engines on the engine library's own rules.
//!
//! A tournament is a list of numbered games. Everything in a game that is not the players' doing follows from the
//! settings of the tournament and the game's number ([`schedule`]), each finished game is a line of the record
//! ([`record`]), and the results are counted from the record ([`tally`], [`stats`]). So a run can be killed and go on,
//! be shared out to any number of machines, and be checked afterwards ([`replay`]).

mod cecp;
pub mod driver;
pub mod game;
pub mod luck;
pub mod openings;
pub mod pgn;
mod process;
pub mod record;
pub mod replay;
pub mod schedule;
pub mod spec;
pub mod stats;
pub mod tally;
pub mod tournament;
mod uci;
