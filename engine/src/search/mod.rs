//! Search: alpha-beta for the deterministic games, expectimax for DiceChess, behind one call.
//!
//! ```
//! use fauve_engine::rules::{Game, Notation, chess::Chess, turn_token};
//! use fauve_engine::search::{Control, Engine, Limits, Score, Settings, Table};
//!
//! let position = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &Default::default())?.position;
//! let game = Game::new(position, Default::default());
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let table = Table::new(16).expect("16 megabytes");
//! let answer = Chess::search(&game, &limits, &Settings::default(), &table, &Control::default(), &mut |_| {});
//!
//! let best = answer.best.expect("there is a turn");
//! assert_eq!(turn_token(&position, &best), "a1a8");
//! assert_eq!(answer.score, Score::Mate(1));
//! # Ok::<(), fauve_engine::rules::FenError>(())
//! ```

pub mod alpha_beta;
mod control;
mod expectimax;
mod history;
mod limits;
pub mod ordering;
pub mod policy;
mod report;
pub mod solve;
mod strength;
mod table;
mod time;
pub mod value;
mod worker;

pub use control::Control;
pub use limits::{Clock, Limits, Settings};
pub use report::{Answer, Bound, Info, Report, Score};
pub use strength::Handicap;
pub use table::{Entry, Table};
pub use time::Budget;
pub use worker::Searchable;

use crate::eval::Evaluate;
use crate::rules::{Chance, Draws, Game, Setup};

/// A game that can be searched: by alpha-beta, unless it brings its own search.
pub trait Search: Draws + Chance + Evaluate {
    /// Searches the game's position until a limit is reached or `control` says stop, and answers exactly once.
    /// With `infinite` or `ponder` the call does not return before `control` allows it, whatever was found.
    ///
    /// A position without a turn to give (over, or dice awaited) is reported by one `Report::Pv` without moves and
    /// answered with `best: None`.
    fn search(
        game: &Game<Self>,
        limits: &Limits<Self>,
        settings: &Settings,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Report<Self>),
    ) -> Answer<Self>;
}

/// A game that the program plays: it can be searched, its positions and turns have texts, and it offers positions to
/// begin from.
pub trait Engine: Search + Setup {}

impl<G: Search + Setup> Engine for G {}

impl<G: Searchable> Search for G {
    fn search(
        game: &Game<Self>,
        limits: &Limits<Self>,
        settings: &Settings,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Report<Self>),
    ) -> Answer<Self> {
        alpha_beta::search(game, limits, settings, table, control, report)
    }
}
