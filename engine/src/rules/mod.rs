//! The rules of the games: the traits that every game implements, and one folder per game.
//! The unit of play is a **step**; a **turn** is one to three steps of one side. The position says which side moves next; it is
//! not always the opponent of the side that has just moved. A position is a small `Copy` value: a step is made on a copy and
//! unmade by dropping the copy.
//! ```
//! use fauve_engine::core::Color;
//! use fauve_engine::rules::{Game, Notation, Outcome, chess::Chess, parse_turn};
//!
//! let mut game = Game::new(Chess::start(&Default::default()), Default::default());
//! for turn in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     assert_eq!(game.outcome(), None);
//!     for step in parse_turn(game.position(), turn)? {
//!         game.play(step);
//!     }
//! }
//! assert!(matches!(game.outcome(), Some(Outcome::Win(Color::Black, _))));
//! # Ok::<(), fauve_engine::rules::StepError>(())
//! ```

mod board;
#[cfg(feature = "breakthrough")]
pub mod breakthrough;
pub mod chess;
pub mod cubes;
mod diagram;
pub mod dice;
mod error;
mod game;
mod notation;
mod options;
pub mod orthodox;
mod perft;
pub mod placement;
mod roll;
mod san;
mod seed;
mod setup;
pub mod superchess;
pub mod twomove;

pub use board::{Board, CastlingRights, CastlingSide};
pub use diagram::{Diagram, Spot};
pub use error::{FenError, Field, Problem, StepError, panic_text, printable};
pub use game::{DrawReason, Event, Game, Outcome, WinReason};
pub use notation::{Notation, Parsed, parse_turn, split_roll, turn_san, turn_token};
pub use options::{Domain, NoOptions, RuleOption, RuleOptions, RuleSettings, Value, ValueError};
pub use perft::{divide, perft, perft_parallel, perft_until};
pub use roll::Roll;
pub use san::San;
pub use seed::{DiceSeed, SeedError};
pub use setup::{OpeningList, RandomOpenings, Setup, opening_list};

use crate::core::{Color, StepList};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The steps of one turn, first to last.
pub type Turn<S> = smallvec::SmallVec<[S; 3]>;

/// The rules of one game, implemented by its position.
/// The position and its [`Rules::key`] contain everything that the rest of the game depends on, except the history that
/// repetition needs, which [`Game`] and the search keep beside it. [`Draws`] adds draws by rule, [`Chance`] dice.
pub trait Rules: Copy + Eq + Debug + Send + Sync + 'static {
    /// The smallest action of a player. Two steps of one position are equal exactly if they are the same move.
    type Step: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static;
    /// The rule options that the user can set; the defaults are the rules as written.
    type Options: RuleOptions;

    /// The largest number of steps in a turn.
    const MAX_STEPS: usize = 1;

    /// Returns the side that makes the next step (or roll).
    fn side_to_move(&self) -> Color;

    /// Whether the side to move has already made a step of its turn.
    fn is_mid_turn(&self) -> bool {
        false
    }

    /// Returns the Zobrist key, which is kept incrementally. It covers everything that the rules depend on except clocks and
    /// turn numbers.
    fn key(&self) -> u64;

    /// Appends every legal step, without duplicates, in no particular order; nothing when the game is decided or a roll is due.
    /// A game may also append first steps that no second step completes to a legal turn; after such a step the same side is to
    /// move and `generate` appends nothing ([`legal_steps`] leaves them out).
    fn generate(&self, steps: &mut StepList<Self::Step>);

    /// Makes a step that `generate` appended in this position. Any other step leaves an unspecified (but memory-safe) position.
    fn play(&mut self, step: Self::Step);

    /// Whether the side to move has a legal turn. Meaningless while a roll is due. Games in which lists of steps take long override
    /// it.
    ///
    /// ```
    /// use fauve_engine::rules::{Notation, Rules, chess::Chess};
    ///
    /// // No legal turn is mate or stalemate, and the game says which.
    /// for (fen, mate) in [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false)] {
    ///     let position = Chess::from_fen(fen, &Default::default())?.position;
    ///     assert!(!position.has_turn());
    ///     assert_eq!(position.lost_without_turn(), mate);
    /// }
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    fn has_turn(&self) -> bool {
        if Self::MAX_STEPS > 1 {
            return try_each_turn(self, &mut |_, _| ControlFlow::Break(())).is_break();
        }
        let mut steps = StepList::new();
        self.generate(&mut steps);
        !steps.is_empty()
    }

    /// Returns the number of step sequences that complete the turn (perft at depth 1); if a roll is due, the sum over the
    /// distinct rolls. Games with longer turns override it with a count that lists nothing.
    fn count_turns(&self) -> u64 {
        let mut steps = StepList::new();
        self.generate(&mut steps);
        steps.len() as u64
    }

    /// Returns a cheap estimate of [`Rules::count_turns`], for games in which counting is expensive. It is not 0 if there is a
    /// turn, and 0 if the side to move has lost for want of one; a stalemate may count as more than 0.
    fn guess_turns(&self) -> u64 {
        self.count_turns()
    }

    /// Returns the position after a null move: the side to move gives up its turn, which no game allows. `None` in check, in
    /// the middle of a turn, in a prologue, and in games in which a null move makes no sense.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Whether the side to move is in check, as the game defines it (mate depends on it). `false` in games without check.
    fn in_check(&self) -> bool {
        false
    }

    /// Returns the winner if the latest step has reached the aim of the game (captured the king, for example). Mate is not
    /// detected here: it is the absence of a legal turn, see [`Rules::lost_without_turn`].
    fn winner(&self) -> Option<Color> {
        None
    }

    /// Whether a side to move without a legal turn has lost (mate) rather than drawn (stalemate).
    fn lost_without_turn(&self) -> bool {
        self.in_check()
    }

    /// Returns how the game was won; meaningful only in a won position.
    fn win_reason(&self) -> WinReason;
}

/// Draws by rule although a turn could be played. The defaults have none.
pub trait Draws: Rules {
    /// Whether the position is dead: neither side can win any more, as far as the game's rules recognise it.
    fn is_dead(&self, options: &Self::Options) -> bool {
        let _ = options;
        false
    }

    /// Whether a side can still win by some sequence of legal turns, as far as the game's rules ask when the other side's time
    /// has run out (FIDE 6.9): if not, the game is drawn then. Other games than chess and Superchess have no such draw.
    fn can_win(&self, side: Color) -> bool {
        let _ = side;
        true
    }

    /// Returns a draw by a counter that is part of [`Rules::key`] (the lone King's resistance in Cubes 4D). It depends on the
    /// position alone, so that it holds in problems too. Mate on the same turn takes precedence, which the caller checks.
    fn count_draw(&self) -> Option<DrawReason> {
        None
    }

    /// Returns a draw by a counter that is not part of [`Rules::key`] (50 moves, 100 turns). Mate on the same turn takes
    /// precedence, which the caller checks.
    fn clock_draw(&self, options: &Self::Options) -> Option<DrawReason> {
        let _ = options;
        None
    }

    /// The value of [`Draws::clock_turns`] at which [`Draws::clock_draw`] draws, in turns of either side.
    const CLOCK_LIMIT: usize = usize::MAX;

    /// Returns the counter, in turns of either side, that draws at [`Draws::CLOCK_LIMIT`]; 0 if there is none, also by an
    /// option.
    fn clock_turns(&self, options: &Self::Options) -> usize {
        let _ = options;
        0
    }

    /// Returns how many turns of either side back an equal position can lie: the turns since the last irreversible one. 0
    /// disables draws by repetition (also by an option), but not [`Draws::clock_draw`].
    fn reversible_turns(&self, options: &Self::Options) -> usize {
        let _ = options;
        0
    }

    /// Returns a draw by the pattern of the latest steps of the game, oldest first (a cube made, unmade and remade in Cubes
    /// 4D).
    fn pattern_draw(steps: &[Self::Step]) -> Option<DrawReason> {
        let _ = steps;
        None
    }

    /// Returns the steps, next one first, that would complete a pattern of [`Draws::pattern_draw`] if the latest steps are at
    /// least half of it; else none.
    fn pattern_rest(steps: &[Self::Step]) -> Turn<Self::Step> {
        let _ = steps;
        Turn::new()
    }
}

/// Dice. The defaults have none.
pub trait Chance: Rules {
    /// Whether turns begin with a roll of dice.
    const HAS_CHANCE: bool = false;

    /// Whether a roll is due.
    fn awaits_roll(&self) -> bool {
        false
    }

    /// Returns the distinct rolls and their weights; empty in games without dice.
    fn rolls() -> &'static [(Roll, u32)] {
        &[]
    }

    /// Sets the roll of a position in which one is due. Does nothing in games without dice.
    fn set_roll(&mut self, roll: Roll) {
        let _ = roll;
    }

    /// Returns the roll of this turn as long as no die has been played.
    fn whole_roll(&self) -> Option<Roll> {
        None
    }
}

/// Recomputes the incremental key, for tests.
pub trait RecomputeKey: Rules {
    /// Computes [`Rules::key`] from scratch.
    fn recomputed_key(&self) -> u64;
}

/// Returns the legal steps of a position, without those that no later step completes to a legal turn.
///
/// ```
/// use fauve_engine::core::StepList;
/// use fauve_engine::rules::{Notation, Rules, legal_steps, twomove::TwoMove};
///
/// // Two-move chess: the king could step aside, but no second move would leave it out of the reach of king and knight.
/// let stalemate = "8/8/8/8/8/2N5/8/k2K4 b - - 0 1";
/// let position = TwoMove::from_fen(stalemate, &Default::default())?.position;
/// let mut first_moves = StepList::new();
/// position.generate(&mut first_moves);
/// assert_eq!(first_moves.len(), 3);
/// assert!(legal_steps(&position).is_empty());
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn legal_steps<G: Rules>(position: &G) -> StepList<G::Step> {
    let mut steps = StepList::new();
    position.generate(&mut steps);
    if G::MAX_STEPS > 1 {
        steps.retain(|step| {
            let mut next = *position;
            next.play(*step);
            !next.is_mid_turn() || next.has_turn()
        });
    }
    steps
}

/// The position after these steps, each of which must be legal where it is made: a turn, or a part of one.
pub fn position_after<G: Rules>(position: &G, steps: &[G::Step]) -> G {
    let mut after = *position;
    for &step in steps {
        after.play(step);
    }
    after
}

/// Calls `visit` with every legal turn (the steps that complete it from here) and the position after it, in generation order.
/// There is none while a roll is due.
///
/// ```
/// use fauve_engine::rules::{Notation, dice::DiceChess, for_each_turn, turn_token};
///
/// // With knight, bishop and queen on the dice only a knight can leave the array.
/// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NBQ";
/// let position = DiceChess::from_fen(fen, &Default::default())?.position;
/// let mut tokens = Vec::new();
/// for_each_turn(&position, &mut |turn, _after| tokens.push(turn_token(&position, turn)));
/// tokens.sort();
/// assert_eq!(tokens, ["b1a3", "b1c3", "g1f3", "g1h3"]);
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn for_each_turn<G: Rules>(position: &G, visit: &mut impl FnMut(&[G::Step], &G)) {
    let _: ControlFlow<()> = try_each_turn(position, &mut |turn, after| {
        visit(turn, after);
        ControlFlow::Continue(())
    });
}

/// Calls `visit` as [`for_each_turn`] does until it breaks, and returns the value it broke with.
///
/// ```
/// use fauve_engine::rules::{Notation, Rules, chess::Chess, try_each_turn};
/// use std::ops::ControlFlow;
///
/// let position = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &Default::default())?.position;
/// let mate = try_each_turn(&position, &mut |turn, after| {
///     if after.has_turn() { ControlFlow::Continue(()) } else { ControlFlow::Break(turn[0].to_string()) }
/// });
/// assert_eq!(mate, ControlFlow::Break("a1a8".to_owned()));
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn try_each_turn<G: Rules, B>(
    position: &G,
    visit: &mut impl FnMut(&[G::Step], &G) -> ControlFlow<B>,
) -> ControlFlow<B> {
    fn walk<G: Rules, B>(
        position: &G,
        turn: &mut Turn<G::Step>,
        visit: &mut impl FnMut(&[G::Step], &G) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut steps = StepList::new();
        position.generate(&mut steps);
        for &step in &steps {
            let mut next = *position;
            next.play(step);
            turn.push(step);
            if next.is_mid_turn() {
                walk(&next, turn, visit)?;
            } else {
                visit(turn, &next)?;
            }
            turn.pop();
        }
        ControlFlow::Continue(())
    }
    walk(position, &mut Turn::new(), visit)
}
