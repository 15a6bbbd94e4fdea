//! The rules of the games: the traits that every game implements, and one folder per game.
//!
//! The unit of play is a **step**; a **turn** is one to three steps of one side. Who moves next is read from the
//! position, never assumed. A position is a small `Copy` value: a step is made on a copy and unmade by dropping it.
//!
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
mod seed;
mod setup;
pub mod superchess;
pub mod twomove;

pub use board::{Board, CastlingRights, CastlingSide};
pub use diagram::{Diagram, Spot};
pub use error::{FenError, Field, Problem, StepError, printable};
pub use game::{DrawReason, Event, Game, Outcome, WinReason};
pub use notation::{Notation, Parsed, parse_turn, split_roll, turn_san, turn_token};
pub use options::{Domain, NoOptions, RuleOption, RuleOptions, RuleSettings, Value, ValueError};
pub use perft::{divide, perft, perft_parallel};
pub use roll::Roll;
pub use seed::{DiceSeed, SeedError};
pub use setup::{OpeningList, RandomOpenings, Setup, opening_list};

use crate::core::{Color, StepList};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The steps of one turn, first to last.
pub type Turn<S> = smallvec::SmallVec<[S; 3]>;

/// The rules of one game, as a position that knows what may be played in it.
///
/// Everything that the future depends on is in the value and in [`Rules::key`], except the history that repetition
/// needs, which [`Game`] and the search keep beside it. When games are drawn is said by [`Draws`], what dice do by
/// [`Chance`].
pub trait Rules: Copy + Eq + Debug + Send + Sync + 'static {
    /// The smallest thing that a player does. Two steps of one position are equal exactly if they are the same move.
    type Step: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static;
    /// What the user can choose about the rules; the defaults are the rules as written.
    type Options: RuleOptions;

    /// The most steps that a turn can have.
    const MAX_STEPS: usize = 1;
    /// Whether [`Rules::generate`] may give a first step that no later step completes to a legal turn. Such a step
    /// leads to a position of the same side in which `generate` gives nothing.
    const STEPS_MAY_FAIL: bool = false;

    /// The side whose step (or roll) is next.
    fn side_to_move(&self) -> Color;

    /// Whether the side to move has already made a step of its turn.
    fn is_mid_turn(&self) -> bool {
        false
    }

    /// Whether the turns still build the array that the game begins from, and no piece moves. A choice between two arrays that stand
    /// ready, as in Cubes 4D, is not meant.
    fn in_prologue(&self) -> bool {
        false
    }

    /// The incremental Zobrist key. Clocks and turn numbers are not part of it; everything else that the rules look
    /// at is.
    fn key(&self) -> u64;

    /// Appends every legal step, without duplicates, in no particular order; nothing when the game is decided or a
    /// roll is awaited. See [`Rules::STEPS_MAY_FAIL`] for the one exception to "legal".
    fn generate(&self, steps: &mut StepList<Self::Step>);

    /// Makes a step that `generate` gave in this position. Anything else leaves an unspecified (but memory-safe)
    /// position.
    fn play(&mut self, step: Self::Step);

    /// The number of ordered ways to finish the turn from here: perft at depth 1. For a position that awaits its roll
    /// the sum over the distinct rolls. Games of one step a turn need not say it; those that count without listing do.
    fn count_turns(&self) -> u64 {
        let mut steps = StepList::new();
        self.generate(&mut steps);
        steps.len() as u64
    }

    /// About how many turns there are, where counting them is dear. Never 0 where there is a turn, nor more than 0 where the side to
    /// move has lost for want of one; a stalemate may be taken for some turns.
    fn guess_turns(&self) -> u64 {
        self.count_turns()
    }

    /// The position after the side to move has passed its whole turn, which no game allows: for null moves, and for what a turn
    /// threatens. Nothing in check, in the middle of a turn, in a prologue, and in games where it makes no sense.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Whether the side to move is in check in the sense of the game (mate needs it). Games without check say `false`.
    fn in_check(&self) -> bool {
        false
    }

    /// The winner, once the latest step has reached the aim of the game (a king was taken, say). Mate is not seen here:
    /// a game that ends by it ends for want of a legal turn.
    fn winner(&self) -> Option<Color> {
        None
    }

    /// With no legal turn: whether the side to move has lost (mate) rather than drawn (stalemate).
    fn lost_without_turn(&self) -> bool {
        self.in_check()
    }

    /// What a win in this position, which is one, is called.
    fn win_reason(&self) -> WinReason;
}

/// When a game is drawn though there are turns to play. A game that says nothing has no such draws.
pub trait Draws: Rules {
    /// A position in which nobody can win any more, as far as the game's rules recognise it.
    fn is_dead(&self, options: &Self::Options) -> bool {
        let _ = options;
        false
    }

    /// A draw by a counter that is part of [`Rules::key`] (the lone King's resistance in Cubes 4D): it holds however the position
    /// came about, in problems as well. Mate on the same turn goes first; the caller checks that.
    fn count_draw(&self) -> Option<DrawReason> {
        None
    }

    /// A draw by a counter that the position carries beside its key (50 moves, 100 turns). Mate on the same turn goes
    /// first; the caller checks that.
    fn clock_draw(&self, options: &Self::Options) -> Option<DrawReason> {
        let _ = options;
        None
    }

    /// The turns of either side at which [`Draws::clock_draw`] draws.
    const CLOCK_LIMIT: usize = usize::MAX;

    /// The turns of either side that count towards [`Draws::CLOCK_LIMIT`]; 0 where no such counter draws (also by an option).
    fn clock_turns(&self, options: &Self::Options) -> usize {
        let _ = options;
        0
    }

    /// How many turns back an equal position can lie: the turns since the last irreversible one. 0 switches
    /// repetition off (also by an option); the counter of [`Draws::clock_draw`] is another matter.
    fn reversible_turns(&self, options: &Self::Options) -> usize {
        let _ = options;
        0
    }

    /// A draw by the pattern of the latest steps of the game, oldest first (Cubes 4D: made, unmade, remade).
    fn pattern_draw(steps: &[Self::Step]) -> Option<DrawReason> {
        let _ = steps;
        None
    }

    /// The steps that would complete such a pattern, the next one first, if the latest steps are half of it or more; else none.
    fn pattern_rest(steps: &[Self::Step]) -> Turn<Self::Step> {
        let _ = steps;
        Turn::new()
    }
}

/// What dice do. A game that says nothing has none.
pub trait Chance: Rules {
    /// Whether turns begin with a roll of dice.
    const HAS_CHANCE: bool = false;

    /// Whether the next thing to happen is a roll.
    fn awaits_roll(&self) -> bool {
        false
    }

    /// The distinct rolls, each with its weight; empty in games without dice.
    fn rolls() -> &'static [(Roll, u32)] {
        &[]
    }

    /// Gives the dice to a position that awaits them. Does nothing in games without dice.
    fn set_roll(&mut self, roll: Roll) {
        let _ = roll;
    }

    /// The dice of this turn, as long as none of them has been played.
    fn whole_roll(&self) -> Option<Roll> {
        None
    }
}

/// What holds the incremental parts of a position to account: for tests.
pub trait RecomputeKey: Rules {
    /// [`Rules::key`] computed anew from the whole position.
    fn recomputed_key(&self) -> u64;
}

/// The legal steps of a position, without those that cannot be completed to a legal turn.
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
    if G::STEPS_MAY_FAIL && !position.is_mid_turn() {
        steps.retain(|step| {
            let mut next = *position;
            next.play(*step);
            next.side_to_move() != position.side_to_move() || has_step(&next)
        });
    }
    steps
}

fn has_step<G: Rules>(position: &G) -> bool {
    let mut steps = StepList::new();
    position.generate(&mut steps);
    !steps.is_empty()
}

/// Whether the side to move has a legal turn (in a position that does not await a roll).
///
/// ```
/// use fauve_engine::rules::{Notation, Rules, chess::Chess, has_turn};
///
/// // No legal turn is mate or stalemate, and the game says which.
/// for (fen, mate) in [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false)] {
///     let position = Chess::from_fen(fen, &Default::default())?.position;
///     assert!(!has_turn(&position));
///     assert_eq!(position.lost_without_turn(), mate);
/// }
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn has_turn<G: Rules>(position: &G) -> bool {
    if G::STEPS_MAY_FAIL && !position.is_mid_turn() {
        let mut steps = StepList::new();
        position.generate(&mut steps);
        steps.into_iter().any(|step| {
            let mut next = *position;
            next.play(step);
            next.side_to_move() != position.side_to_move() || has_step(&next)
        })
    } else {
        has_step(position)
    }
}

/// Calls `visit` with every legal turn (the steps that finish the turn from here) and the position after it, in
/// generation order. A position that awaits a roll has none.
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

/// As [`for_each_turn`], until `visit` breaks off; what it broke off with is what this returns.
///
/// ```
/// use fauve_engine::rules::{Notation, Rules, chess::Chess, has_turn, try_each_turn};
/// use std::ops::ControlFlow;
///
/// let position = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &Default::default())?.position;
/// let mate = try_each_turn(&position, &mut |turn, after| {
///     if has_turn(after) { ControlFlow::Continue(()) } else { ControlFlow::Break(turn[0].to_string()) }
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
