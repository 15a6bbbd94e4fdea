//! The referee: matches between engines on the engine library's own rules.
//!
//! A tournament is a list of numbered games. Everything in a game that is not the players' doing follows from the
//! settings of the tournament and the game's number ([`plan`]), each finished game is a line of the record
//! ([`record`]), and the results are counted from the record ([`report`], [`stats`]). So a run can be killed and go on,
//! be shared out to any number of machines, and be checked afterwards ([`record::replay`]).

pub mod input;
pub mod matches;
pub mod plan;
pub mod player;
pub mod record;
pub mod report;
pub mod stats;
#[cfg(feature = "tune")]
pub mod tuning;
