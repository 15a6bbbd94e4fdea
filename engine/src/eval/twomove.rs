//! Evaluation and tactics of Two-move chess.
