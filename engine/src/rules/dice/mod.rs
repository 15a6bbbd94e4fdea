//! DiceChess: three dice name the pieces that may move; the king is taken, not mated.
//!
//! A turn is a roll of three dice (1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king) and up to three steps, each
//! paid with the die of the piece that moves; castling costs a rook's and a king's die. As many dice as possible must
//! be used over the whole turn. Whoever takes the king has won, and a line that takes it is always legal.
//!
#![doc = include_str!("rules.md")]

mod fen;
mod king_capture;
mod line;
mod movegen;
mod notation;
mod pool;
mod position;
#[cfg(test)]
pub(crate) mod random;
mod results;
mod setup;
mod step;

pub(crate) use king_capture::KingHunt;
pub(crate) use line::Line;
pub use pool::Pool;
pub(crate) use pool::groups;
pub use position::DiceChess;
pub use results::{Found, Walker};
pub use step::{Action, Fate, Step};

use crate::rules::options::{CLOCK_DRAW, RuleOption, rule_options};

rule_options! {
    /// The rule options of DiceChess.
    pub struct Options {
        /// Castling ignores attacks.
        pub castle_through_check: bool = RuleOption::check(
            "Castle Through Check",
            false,
            "castling ignores attacks",
        ),
        /// The counter of quiet turns draws.
        pub clock_draw: bool = CLOCK_DRAW,
    }
}
