//! Players: what they are ([`spec`], [`limit`]), what the referee wants from one whatever its protocol ([`task`]), and
//! the programs that are players, by protocol.

mod cecp;
pub mod failure;
pub mod group;
pub mod limit;
mod process;
pub mod spec;
pub mod start;
pub mod task;
mod uci;
