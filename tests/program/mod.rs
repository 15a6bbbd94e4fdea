//! The program as a process: what becomes of its output, and of signals.

mod board;
mod end_of_input;
mod output;
mod scripts;
mod signals;
