//! `DiceChess`.
