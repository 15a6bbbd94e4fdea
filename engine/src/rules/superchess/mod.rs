//! Superchess.
