//! `DiceChess`: vectors and properties.
