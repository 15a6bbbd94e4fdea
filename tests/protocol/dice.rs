//! Dice over the wire.
