//! The program over the wire: every row of the protocol, and input that no GUI would send.

mod cecp;
mod commands;
mod compliance;
mod dice;
mod driver;
mod hostile;
mod log;
mod turns;
mod uci;
mod ugi;

/// The games, in the order of the option.
const VARIANTS: [&str; 5] = ["chess", "superchess", "twomove", "dicechess", "cubes4d"];
