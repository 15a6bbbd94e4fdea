//! The referee: matches between engines on the engine library's own rules.

pub mod stats;
