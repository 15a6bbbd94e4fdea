use super::strength::StrengthLimit;
use crate::eval::endgames::Endgames;
use crate::eval::network::SharedNetwork;
use crate::rules::{Rules, Turn};
use std::time::Duration;

/// When a search ends. Several limits together: the first that is reached counts. None at all: search until `stop`
/// or the deepest depth.
///
/// ```
/// use fauve_engine::rules::{Game, Notation, parse_turn, twomove::TwoMove};
/// use fauve_engine::search::{Control, Limits, Search, Settings, Table};
///
/// // With one thread a number of nodes makes a search repeat exactly; a prefix keeps it to some turns.
/// let start = TwoMove::start(&Default::default());
/// let e4 = parse_turn(&start, "e2e4")?;
/// let limits = Limits { nodes: Some(500), searchmoves: vec![e4.clone()], ..Limits::default() };
/// let search = || {
///     let table = Table::new(1).expect("a megabyte");
///     let game = Game::new(start, Default::default());
///     TwoMove::search(&game, &limits, &Settings::default(), &table, &Control::default(), &mut |_| {})
/// };
/// let (first, second) = (search(), search());
/// assert_eq!(first.best, Some(e4));
/// assert_eq!((first.nodes, first.score), (second.nodes, second.score));
/// # Ok::<(), fauve_engine::rules::StepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limits<G: Rules> {
    /// Depth in turns.
    pub depth: Option<u32>,
    /// Nodes, exact with one thread.
    pub nodes: Option<u64>,
    /// Stop once a mate in this many own turns (or fewer) is proven.
    pub mate: Option<u32>,
    /// Think exactly this long.
    pub movetime: Option<Duration>,
    /// Think until the main thread of the search has had this much of the processor: a busy machine takes nothing from
    /// a search that is limited so. Where the system has no such clock that of the wall counts.
    pub cputime: Option<Duration>,
    /// The game clock.
    pub clock: Option<Clock>,
    /// Keep the answer back until `stop`.
    pub infinite: bool,
    /// Think on the opponent's time; the clock counts from `ponderhit`, and no answer comes before it.
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
    /// Time left; may be zero (a flag about to fall) and is then treated as the least usable time.
    pub left: Duration,
    /// Time added after each own turn.
    pub increment: Duration,
    /// Own turns until the next time control; `None`: the rest of the game.
    pub turns_to_go: Option<u32>,
}

/// What the user has set for all searches.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Principal variations to report, at least 1.
    pub multi_pv: usize,
    /// Time that the way to the referee costs.
    pub move_overhead: Duration,
    /// Play so much below full strength.
    pub strength_limit: Option<StrengthLimit>,
    /// Chooses among turns that are equally good where the search knows them to be so (the prologue of Superchess); 0: always the
    /// first.
    pub seed: u64,
    /// Evaluate with this network instead of the game's own evaluation. A network of another game does nothing.
    pub network: Option<SharedNetwork>,
    /// Tables of endgames of DiceChess.
    pub endgames: Option<Endgames>,
    /// Parameters of the search that are not the games' own.
    #[cfg(feature = "tune")]
    pub parameters: super::parameters::Overrides,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            multi_pv: 1,
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
