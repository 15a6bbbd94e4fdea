//! The program `fauve`: protocols and subcommands around the engine library.

pub mod arena;
