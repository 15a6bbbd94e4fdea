//! Two-move chess.
