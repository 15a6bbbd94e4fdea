//! The program over the wire: every row of the protocol, and input that no GUI would send.

mod cecp;
mod commands;
mod compliance;
mod dice;
pub mod driver;
mod hostile;
mod log;
mod network;
mod strength;
mod turns;
mod uci;
mod ugi;

/// The games, in the order of the option.
const VARIANTS: &[&str] = &[
    "chess",
    "superchess",
    "twomove",
    "dicechess",
    "cubes4d",
    #[cfg(feature = "breakthrough")]
    "breakthrough",
];
