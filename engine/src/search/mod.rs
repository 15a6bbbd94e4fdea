//! Search: alpha-beta for the deterministic games, expectimax for DiceChess, behind one call.

pub mod alpha_beta;
mod control;
mod engine;
mod expectimax;
mod limits;
pub mod parameters;
pub mod policy;
mod report;
pub mod solve;
mod strength;
mod table;
mod time;
pub mod value;
mod watch;

pub use alpha_beta::Searchable;
pub use control::Control;
pub use engine::{Engine, Search};
pub use limits::{Clock, Limits, Settings};
pub use report::{Answer, Bound, Info, Report, Score};
pub use strength::Handicap;
pub use table::{Entry, Table};
pub use time::Budget;
