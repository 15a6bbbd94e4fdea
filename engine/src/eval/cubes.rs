//! Evaluation and tactics of Cubes 4D.
