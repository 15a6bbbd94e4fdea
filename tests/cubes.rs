//! Cubes 4D: vectors and properties.
