//! Search: alpha-beta for the deterministic games, expectimax for DiceChess, behind one call.

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
