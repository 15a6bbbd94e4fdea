//! The program over the wire: every row of the protocol, and input that no GUI would send.

mod commands;
mod dice;
mod driver;
mod hostile;
mod turns;
mod uci;

/// The games that are played.
const VARIANTS: [&str; 1] = ["chess"];
