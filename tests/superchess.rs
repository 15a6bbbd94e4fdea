//! Superchess: vectors and properties.
