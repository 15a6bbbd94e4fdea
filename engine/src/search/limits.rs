use super::strength::StrengthLimit;
use crate::eval::dice::endgames::Endgames;
use crate::eval::network::SharedNetwork;
use crate::rules::{Rules, Turn};
use std::time::Duration;

/// When a search ends. With several limits, the first that is reached counts. With none, the search runs until `stop` or
/// the greatest depth.
///
/// ```
/// use fauve_engine::rules::{Game, Notation, parse_turn, twomove::TwoMove};
/// use fauve_engine::search::{Control, Limits, Searcher, Settings, Table};
///
/// // With one thread, a node limit makes a search repeatable; `searchmoves` restricts the root turns.
/// let start = TwoMove::start(&Default::default());
/// let e4 = parse_turn(&start, "e2e4")?;
/// let limits = Limits { nodes: Some(500), searchmoves: vec![e4.clone()], ..Limits::default() };
/// let search = || {
///     let table = Table::new(1).expect("a megabyte");
///     let game = Game::new(start, Default::default());
///     Searcher::new(&table, &Settings::default(), &Control::default()).run(&game, &limits, &mut |_| {})
/// };
/// let (first, second) = (search(), search());
/// assert_eq!(first.best, Some(e4));
/// assert_eq!((first.nodes, first.score), (second.nodes, second.score));
/// # Ok::<(), fauve_engine::rules::StepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limits<G: Rules> {
    /// Depth, in turns.
    pub depth: Option<u32>,
    /// Nodes; exact with one thread.
    pub nodes: Option<u64>,
    /// Stop once a mate in this number of own turns, or fewer, is proven.
    pub mate: Option<u32>,
    /// Search for at most this time: a proven mate or the greatest depth end it early.
    pub movetime: Option<Duration>,
    /// Search until the main thread has used this processor time, so that a busy machine takes nothing from the search.
    /// Wall-clock time on systems without a processor clock.
    pub cputime: Option<Duration>,
    /// The game clock.
    pub clock: Option<Clock>,
    /// Hold the answer back until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time: the clock starts at `ponderhit`, and there is no answer before it.
    pub ponder: bool,
    /// Only turns that begin with one of these prefixes; empty: all turns.
    pub searchmoves: Vec<Turn<G::Step>>,
}

impl<G: Rules> Default for Limits<G> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            mate: None,
            movetime: None,
            cputime: None,
            clock: None,
            infinite: false,
            ponder: false,
            searchmoves: Vec::new(),
        }
    }
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left. Zero (the flag is about to fall) is treated as the shortest usable time.
    pub left: Duration,
    /// Time added after each own turn.
    pub increment: Duration,
    /// Own turns until the next time control; `None`: the rest of the game.
    pub turns_to_go: Option<u32>,
}

/// Settings that hold for all searches.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Principal variations to report, at least 1.
    pub multi_pv: usize,
    /// Give the best turn an expected reply even where the search has found none, by evaluating every reply. Players that neither
    /// ponder nor show lines can do without.
    pub always_reply: bool,
    /// Time lost between engine and referee at each turn.
    pub move_overhead: Duration,
    /// Play below full strength; `None`: full strength.
    pub strength_limit: Option<StrengthLimit>,
    /// Chooses among turns that the search knows to be equally good (the prologue of Superchess); 0: always the first.
    pub seed: u64,
    /// Evaluate with this network instead of the game's own evaluation. A network of another game is ignored.
    pub network: Option<SharedNetwork>,
    /// Endgame tables of DiceChess.
    pub endgames: Option<Endgames>,
    /// Search parameters that differ from the game's own.
    #[cfg(feature = "tune")]
    pub parameters: super::parameters::Overrides,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            multi_pv: 1,
            always_reply: true,
            move_overhead: Duration::from_millis(10),
            strength_limit: None,
            seed: 0,
            network: None,
            endgames: None,
            #[cfg(feature = "tune")]
            parameters: super::parameters::Overrides::default(),
        }
    }
}
