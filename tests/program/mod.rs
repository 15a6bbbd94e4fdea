//! The program as a process: what becomes of its output, and of signals.

mod end_of_input;
mod output;
mod signals;
