//! Evaluation and tactics of Superchess.
