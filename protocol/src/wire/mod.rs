//! The engine protocols UCI, UGI and CECP, and what they share.

pub mod cecp;
pub mod endgames;
pub mod engine_session;
pub mod events;
pub mod file;
pub mod go;
pub mod input;
pub mod log;
pub mod memory;
pub mod network;
pub mod options;
pub mod output;
pub mod protocol_loop;
pub mod report;
pub mod search_thread;
pub mod session;
pub mod uci;
pub mod ugi;
pub mod waiting;
