//! What a game must implement to be searched, and to be played by the program.
//!
//! A search needs the rules and an evaluation. A deterministic game that also implements [`Tactics`](crate::eval::Tactics)
//! (captures, and indices of its steps for the history tables) and names its [capabilities](mod@crate::eval::capabilities) gets
//! alpha-beta search from a blanket implementation; any other game implements [`Search`] itself. Only the program needs the
//! texts of a game and its starting positions ([`Setup`]), and asks whether it is in a [`Prologue`].

use super::control::Control;
use super::limits::{Limits, Settings};
#[cfg(feature = "tune")]
use super::parameters::Parameters;
use super::report::{Answer, Report};
use super::solve::Solution;
use super::table::Table;
use crate::eval::{Evaluate, Prologue};
use crate::rules::{Chance, Draws, Game, Setup, Turn};

/// What searches share: a table, settings, and the control that stops them.
#[derive(Clone, Copy, Debug)]
pub struct Searcher<'a> {
    /// Remembers positions from search to search.
    pub table: &'a Table,
    /// Threads, number of lines, strength and the like.
    pub settings: &'a Settings,
    /// Stops a search, and releases one that waits.
    pub control: &'a Control,
}

impl<'a> Searcher<'a> {
    /// Creates a searcher.
    pub const fn new(table: &'a Table, settings: &'a Settings, control: &'a Control) -> Self {
        Self {
            table,
            settings,
            control,
        }
    }

    /// Searches the position of `game` until a limit is reached or the control stops it, and returns exactly one answer. With
    /// `infinite` or `ponder` the call does not return before the control allows it, even if the search has ended.
    ///
    /// A position without a turn to play (the game is over, or a roll is awaited) is reported by one `Report::Pv` without
    /// moves and answered with `best: None`. A position that is drawn but has turns is searched like any other, because the
    /// caller may not detect that draw; a line of it that is worth 0 has no chances but the draw.
    pub fn run<G: Engine>(
        self,
        game: &Game<G>,
        limits: &Limits<G>,
        report: &mut dyn FnMut(Report<G>),
    ) -> Answer<G> {
        let mut settled = |mut found: Report<G>| {
            if let Report::Pv(line) = &mut found {
                line.settle_draw(game);
            }
            report(found);
        };
        G::run_search(self, game, limits, &mut settled)
    }
}

/// A game that can be searched.
pub trait Search: Draws + Chance + Evaluate {
    /// The search of [`Searcher::run`].
    fn search(
        searcher: Searcher<'_>,
        game: &Game<Self>,
        limits: &Limits<Self>,
        report: &mut dyn FnMut(Report<Self>),
    ) -> Answer<Self>;

    /// The parameters that a search with these settings uses; `None` where the game's search has none.
    #[cfg(feature = "tune")]
    fn parameters(settings: &Settings) -> Option<Parameters>;
}

/// A game that the program plays: it can be searched, its positions and turns have texts, and it offers starting positions.
///
/// Generic code is compiled again in every crate that calls it, as that crate is compiled: the searches of all games are the greater part of
/// the program, and crates that wait for people are compiled to be small. What takes time is therefore compiled here, once for each game;
/// `games.rs` implements this.
pub trait Engine: Search + Setup + Prologue {
    /// [`perft_until`](crate::rules::perft_until).
    fn count(&self, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<u64>;

    /// [`perft_parallel`](crate::rules::perft_parallel).
    fn count_parallel(&self, depth: u32) -> u64;

    /// [`divide`](crate::rules::divide).
    fn count_divided(&self, depth: u32) -> Vec<(Turn<Self::Step>, u64)>;

    /// [`solve`](super::solve::solve).
    fn solve(&self, turns: u32, control: &Control) -> Solution<Self>;

    /// [`Search::search`].
    fn run_search(
        searcher: Searcher<'_>,
        game: &Game<Self>,
        limits: &Limits<Self>,
        report: &mut dyn FnMut(Report<Self>),
    ) -> Answer<Self>;
}
