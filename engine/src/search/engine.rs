//! What a game must bring to be searched, and to be played by the program.
//!
//! A search needs the rules and a static value. A deterministic game that says besides what its captures are
//! ([`Tactics`](crate::eval::Tactics)) and numbers its steps for the history ([`HistoryIndexing`](crate::eval::HistoryIndexing)) has
//! alpha-beta for nothing; a game of another kind brings its own [`Search`]. The texts of a game
//! and the positions that it offers to begin from ([`Setup`]) matter to the program alone.

use super::control::Control;
use super::limits::{Limits, Settings};
#[cfg(feature = "tune")]
use super::parameters::Parameters;
use super::report::{Answer, Report};
use super::table::Table;
use crate::eval::Evaluate;
use crate::rules::{Chance, Draws, Game, Setup};

/// A game that can be searched.
pub trait Search: Draws + Chance + Evaluate {
    /// Searches the game's position until a limit is reached or `control` says stop, and answers exactly once.
    /// With `infinite` or `ponder` the call does not return before `control` allows it, whatever was found.
    ///
    /// A position without a turn to give (over, or dice awaited) is reported by one `Report::Pv` without moves and
    /// answered with `best: None`. A position that is drawn but has turns is searched like any other: who runs the game
    /// may not know the draw.
    fn search(
        game: &Game<Self>,
        limits: &Limits<Self>,
        settings: &Settings,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Report<Self>),
    ) -> Answer<Self>;

    /// The parameters that a search with these settings works with; `None` where the game's search has none.
    #[cfg(feature = "tune")]
    fn parameters(settings: &Settings) -> Option<Parameters>;
}

/// A game that the program plays: it can be searched, its positions and turns have texts, and it offers positions to
/// begin from.
pub trait Engine: Search + Setup {
    /// [`Search::search`], compiled once: generic code is compiled anew in every crate that calls it, and the searches
    /// of all games are the greater part of the program. The list of games implements it.
    fn run_search(
        game: &Game<Self>,
        limits: &Limits<Self>,
        settings: &Settings,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Report<Self>),
    ) -> Answer<Self>;
}
