//! Players: what they are ([`spec`], [`limit`]), what the referee wants from one whatever its protocol ([`move_request`]), and
//! the players by protocol: programs, and the library in this process ([`internal`]).

pub mod affinity;
mod cecp;
pub mod failure;
pub mod greedy;
pub mod group;
pub mod identity;
pub mod internal;
#[cfg(windows)]
mod job;
pub mod limit;
pub mod log;
pub mod moment;
pub mod move_request;
mod process;
pub mod spec;
pub mod start;
mod uci;
