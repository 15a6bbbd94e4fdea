//! Cubes 4D.
