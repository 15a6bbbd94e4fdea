//! Turns of several moves, prologues and passes over the wire.
