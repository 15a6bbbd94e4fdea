//! Superchess, the rules of the Open Championship of Belgium (<https://www.superchess.nl>).
//!
//! Before the first move the players build the array in a prologue of four turns: each places a superpiece (Amazon,
//! Empress, Princess or Veteran) on its half of its first rank, mirrored for the other side, and Black may let two
//! superpieces change places at the end. A pawn can only become a piece that is not on the board: one replaced in the
//! prologue or captured since. [`Pool`] counts these. A piece that has come back by promotion is used up, and does not
//! return to the pool when it is captured again ([`Options::physical_pool`]: it does). Without anything to become a pawn
//! cannot step on the last rank, but attacks it.
//!
//! Position strings are FEN with the pool in brackets behind the board, and `p0` to `p3` (the turns made) in a
//! prologue that is not over:
//!
//! ```
//! use fauve_engine::rules::superchess::{Options, Superchess};
//! use fauve_engine::rules::{Notation, Rules, parse_turn};
//!
//! let mut position = Superchess::start(&Options::default());
//! assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0");
//! for token in ["E@h1", "V@b8", "A@f1", "S@d8,b8f8"] {
//!     for step in parse_turn(&position, token)? {
//!         position.play(step);
//!     }
//! }
//! assert_eq!(
//!     position.fen(),
//!     "rabskvne/pppppppp/8/8/8/8/PPPPPPPP/RABSKVNE[NBRQnbrq] w Qq - 0 1"
//! );
//! # Ok::<(), fauve_engine::rules::StepError>(())
//! ```
//!
#![doc = include_str!("rules.md")]

mod fen;
mod notation;
mod pool;
mod position;
mod prologue;
mod setup;
mod step;

pub use pool::Pool;
pub use position::Superchess;
pub use prologue::Placement;
pub use step::{Action, Step};

use crate::rules::options::{PROLOGUE, RuleOption, rule_options};

rule_options! {
    /// The rule options of Superchess.
    pub struct Options {
        /// The start position is the beginning of the prologue.
        pub prologue: bool = PROLOGUE,
        /// The array of the start position without prologue, 0..432.
        pub array: u16 = RuleOption::spin(
            "Array",
            (0, 0, 431),
            "which of the 432 arrays is startpos without the prologue",
        ),
        /// A captured promoted piece is available again.
        pub physical_pool: bool = RuleOption::combo(
            "Promotion Pool",
            &["literal", "physical"],
            "whether a captured promoted piece is available again (physical)",
        ),
    }
}
