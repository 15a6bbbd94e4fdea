//! Cubes 4D: a game on a height field of 36 cubes that the players move as well as their pieces.
//!
//! The arena of 15 x 15 cells is a set of 256 bits ([`Mask`]); a position holds the binary digits of the heights and of
//! the pieces' codes as such sets, so that a level, a kind of pieces, or one step of all pieces in one direction is a few
//! instructions.
//!
#![doc = include_str!("rules.md")]

mod attack;
mod cube_moves;
mod explain;
mod fen;
mod mask;
mod movegen;
mod notation;
mod piece;
mod plain;
mod position;
mod rules;
mod setup;
mod sink;
mod step;
mod tables;
mod terrain;

pub use attack::TargetKing;
pub use cube_moves::CubeLegality;
pub use explain::CubeFault;
pub use mask::{Cell, CellCount, Cells, Mask, SIDE};
pub use piece::PieceKind;
pub use position::{CLOCK_LIMIT, CUBES, Cubes4d, LONE_KING_LIMIT, Pair, Reserve, trenches_of};
pub use rules::{LONE_KING_DRAW, PATTERN_DRAW};
pub use step::{Action, Step};

/// How pieces move, for the evaluation, which counts moves as the generator lists them.
pub(crate) mod movement {
    pub use super::attack::View;
    pub use super::movegen::{Links, each_consecutive, pieces};
    pub use super::sink::Sink;
    #[cfg(test)]
    pub use super::sink::{Lister, Promotions};
    pub use super::terrain::{Terrain, Way};
}

use crate::rules::options::{CLOCK_DRAW, PROLOGUE, REPETITION_DRAW, RuleOption, rule_options};

rule_options! {
    /// The rule options of Cubes 4D.
    pub struct Options {
        /// Black chooses the side of the lateral Pawns first.
        pub prologue: bool = PROLOGUE,
        /// No limit on Queens and Grand Pawns.
        pub free_material: bool = RuleOption::check(
            "Free Material",
            false,
            "positions may have any number of Queens and Grand Pawns",
        ),
        /// Threefold repetition draws.
        pub repetition_draw: bool = REPETITION_DRAW,
        /// The counter of quiet turns draws.
        pub clock_draw: bool = CLOCK_DRAW,
    }
}
