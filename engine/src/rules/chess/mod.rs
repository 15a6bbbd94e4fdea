//! Orthodox chess by the laws of FIDE: the rules of [`orthodox`](super::orthodox) with promotion to knight, bishop, rook
//! and queen, and draws by repetition, by 50 moves and by dead position, which end the game at once.
//!
#![doc = include_str!("rules.md")]

pub mod chess960;
mod notation;
mod position;
mod setup;

pub use position::Chess;

use crate::rules::options::{RuleOption, rule_options};

/// Chess960, as UCI names it.
pub const CHESS960: RuleOption = RuleOption::check(
    "UCI_Chess960",
    false,
    "Chess960: king and rooks begin on any squares of the first rank, and castling is the king's move to its rook",
);

rule_options! {
    /// The rule options of chess.
    pub struct Options {
        /// King and rooks may begin on other squares, and castling is the king's move to its rook.
        pub chess960: bool = CHESS960,
    }
}
