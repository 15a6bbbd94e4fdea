//! Two-move chess (*les échecs à deux coups*): a turn is two moves of one side, White's first turn is one.
//!
//! Everything follows from one predicate, *capturable*: a side could take the king with a double move. It is computed
//! set-wise in `reach`. `second` finds the legal second halves, most of them as sets and without making them.
//!
#![doc = include_str!("rules.md")]

mod count;
mod explain;
mod fen;
mod movegen;
mod notation;
mod position;
mod reach;
mod second;
mod setup;
#[cfg(test)]
mod tests;
mod threats;

pub use position::TwoMove;
pub(crate) use reach::{advances, capturable};

use crate::rules::options::{CLOCK_DRAW, REPETITION_DRAW, RuleOption, rule_options};

rule_options! {
    /// The rule options of two-move chess.
    pub struct Options {
        /// Threefold repetition draws.
        pub repetition_draw: bool = REPETITION_DRAW,
        /// The counter of quiet turns draws.
        pub clock_draw: bool = CLOCK_DRAW,
        /// Positions in which neither side can mate draw.
        pub dead_draw: bool = RuleOption::draw(
            "Dead Position Draw",
            "positions in which nobody can mate draw",
        ),
    }
}
