//! What the referee wants from a player, whatever its protocol.

mod cecp;
mod process;
pub mod spec;
mod uci;

use self::spec::{EngineSpec, Limit, Protocol};
use self::{cecp::Cecp, uci::Uci};
use fauve_engine::Variant;
use std::fmt;
use std::time::Duration;

/// The position in which a player has to find a turn, and its limits.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The first position of the game: `startpos` or a position string.
    pub start: &'a str,
    /// The turns since then.
    pub tokens: &'a [String],
    /// The position string of the present position. With dice it says all; no turns are sent then.
    pub fen: &'a str,
    /// Whether the game has dice.
    pub has_dice: bool,
    /// Whether White is to move.
    pub white_to_move: bool,
    /// What the clocks show, White first; meaningful with a clock only.
    pub left: [Duration; 2],
    /// What they gain with each turn.
    pub increments: [Duration; 2],
    /// The limits of this player.
    pub limit: &'a Limit,
    /// How long to wait for the answer at all.
    pub patience: Duration,
}

/// A player's answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The turn, unchecked, or the first steps of it.
    pub token: String,
    /// From the question to the answer.
    pub elapsed: Duration,
    /// Its value for the player, in centipawns.
    pub cp: Option<i32>,
    /// Mate in so many own turns, negative: against the player.
    pub mate: Option<i32>,
    /// The depth reached.
    pub depth: Option<u32>,
    /// The nodes visited.
    pub nodes: Option<u64>,
}

/// Why a player gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The program ended; the text says how.
    Crashed(String),
    /// No answer within the patience.
    Stalled,
    /// The program refuses the game or answers nonsense; the text is its own.
    Refused(String),
    /// The player gives up.
    Resigned,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crashed(how) => write!(f, "the program has ended ({how})"),
            Self::Stalled => f.write_str("the program does not answer"),
            Self::Refused(what) => write!(f, "the program says: {what}"),
            Self::Resigned => f.write_str("the player resigns"),
        }
    }
}

/// A player that runs.
pub trait Driver: Send {
    /// Prepares a new game.
    ///
    /// # Errors
    /// When the program does not take part.
    fn new_game(&mut self) -> Result<(), Failure>;

    /// Asks for a turn.
    ///
    /// # Errors
    /// When there is no answer.
    fn think(&mut self, task: &Task<'_>) -> Result<Thought, Failure>;
}

/// Starts a player's program for a game, with the rule switches as options where it has them.
///
/// # Errors
/// When it does not start, does not speak its protocol or does not know the game.
pub fn start(
    spec: &EngineSpec,
    variant: Variant,
    rules: &[(String, String)],
) -> Result<Box<dyn Driver>, Failure> {
    Ok(match spec.protocol {
        Protocol::Uci | Protocol::Ugi => Box::new(Uci::start(spec, variant, rules)?),
        Protocol::Cecp => Box::new(Cecp::start(spec, variant)?),
        Protocol::Random => {
            return Err(Failure::Refused(
                "the random player is not a program".to_owned(),
            ));
        }
    })
}

/// The time that a program has for its greeting and for `isready`.
pub const GREETING: Duration = Duration::from_secs(20);
/// The time that a program has to answer after it was told to stop.
pub const STOPPING: Duration = Duration::from_secs(2);
