//! The program as a process: what becomes of its output, and of signals.

mod board;
mod output;
mod signals;
