//! Evaluation and tactics of DiceChess.
