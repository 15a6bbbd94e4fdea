//! DiceChess.
