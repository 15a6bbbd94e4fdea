//! Evaluation and tactics of Orthodox chess.
