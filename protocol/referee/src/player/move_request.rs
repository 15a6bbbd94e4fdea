//! What the referee asks of a player, and what it gets.

use crate::player::failure::Failure;
use crate::player::limit::Limit;
pub use crate::player::process::Interrupt;
use crate::record::game::Bound;
use fauve_engine::rules::{Game, Notation, Rules, Turn, legal_steps, parse_turn};
use fauve_engine::search::{Cube, Table};
use fauve_game::read;
use std::time::Duration;

/// The time that a program has for its greeting and for `isready`, unless its user gives it another.
pub const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(20);
/// The time that a program has to answer after it was asked to stop.
pub const STOPPING: Duration = Duration::from_secs(2);

/// The position in which a player has to find a turn, and its limits.
#[derive(Debug)]
pub struct MoveRequest<'a, G: Rules> {
    /// The game up to the present position, with the roll, for players in this process. The rest says the same in words.
    pub game: &'a Game<G>,
    /// The first position of the game: `startpos` or a position string.
    pub start: &'a str,
    /// The turns since then.
    pub tokens: &'a [String],
    /// Whether White is to move.
    pub white_to_move: bool,
    /// What the clocks show, White first; meaningful with a clock only.
    pub left: [Duration; 2],
    /// What they gain with each turn.
    pub increments: [Duration; 2],
    /// The own turns until the clock gains its time at the start again, with this one.
    pub turns_to_go: Option<u32>,
    /// The limits of this player.
    pub limit: &'a Limit,
    /// When an answer comes too late. The player is asked to stop then, and has [`STOPPING`] to show that it can stay.
    pub timeout: Duration,
}

/// A question about the doubling cube, before the side to move has rolled.
#[derive(Debug)]
pub struct Doubling<'a, G: Rules> {
    /// The game up to the present position, without the roll.
    pub game: &'a Game<G>,
    /// The cube before the double.
    pub cube: Cube,
    /// Whether to take a double that the side to move has offered, not whether to offer one.
    pub is_offered: bool,
    /// When an answer comes too late.
    pub timeout: Duration,
}

/// A player's answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveReply {
    /// The turn, unchecked, or the first steps of it.
    pub token: String,
    /// From the question to the answer.
    pub elapsed: Duration,
    /// The time that the player says it has used: where processor time limits it, processor time.
    pub used: Option<Duration>,
    /// Its value for the player, in centipawns.
    pub cp: Option<i32>,
    /// Mate in this many own turns, negative: against the player.
    pub mate: Option<i32>,
    /// Whether the value is a bound only; `None`: it is exact.
    pub bound: Option<Bound>,
    /// The depth reached.
    pub depth: Option<u32>,
    /// The depth of the deepest line.
    pub seldepth: Option<u32>,
    /// The nodes visited.
    pub nodes: Option<u64>,
    /// The turn that it expects of its opponent, unchecked.
    pub expected: Option<String>,
    /// Whether it has thought on its opponent's time about the position that came; `None`: it has not thought on it.
    pub ponder_hit: Option<bool>,
}

/// The pass of a position in which nothing else can be played: no player is asked for it.
pub fn forced_pass<G: Notation>(position: &G) -> Option<Turn<G::Step>> {
    match legal_steps(position).as_slice() {
        [step] if G::is_pass(*step) => Some(Turn::from_slice(&[*step])),
        _ => None,
    }
}

impl MoveReply {
    /// The turn, or its first steps: a token, or castling as CECP programs may write it, `O-O`. Other spellings break the protocol.
    pub fn turn<G: Notation>(&self, position: &G) -> Option<Turn<G::Step>> {
        let token = &self.token;
        if let Ok(turn) = parse_turn(position, token) {
            return (!turn.is_empty()).then_some(turn);
        }
        let castles = token.starts_with("O-O") || token.starts_with("0-0");
        castles.then(|| read::turn(position, token)).flatten()
    }

    /// Takes over the depth and value of a line that was reported, with its nodes. A bound does not take the place of an exact value;
    /// where there is none it is kept, and marked.
    pub(super) fn update(&mut self, reported: Self) {
        let is_exact = self.bound.is_none() && (self.cp.is_some() || self.mate.is_some());
        if reported.bound.is_some() && is_exact {
            (self.nodes, self.used) = (reported.nodes, reported.used);
        } else {
            *self = reported;
        }
    }
}

/// A player that runs.
pub trait Player<G: Rules>: Send {
    /// Prepares a new game.
    ///
    /// # Errors
    /// When the program does not take part.
    fn new_game(&mut self) -> Result<(), Failure>;

    /// Asks for a turn.
    ///
    /// # Errors
    /// When there is no answer.
    fn think(&mut self, request: &MoveRequest<'_, G>) -> Result<MoveReply, Failure>;

    /// Lets the player think on its opponent's time. `request` is the question that comes if the opponent plays what is expected; any other
    /// ends the thinking. Players that do not ponder do nothing.
    ///
    /// # Errors
    /// When the program does not take part.
    fn ponder(&mut self, _request: &MoveRequest<'_, G>) -> Result<(), Failure> {
        Ok(())
    }

    /// Ends thinking on the opponent's time: the game is over.
    ///
    /// # Errors
    /// When the program does not stop.
    fn rest(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// Asks whether to double, or to take a double. Players that know no cube neither double nor give up.
    ///
    /// # Errors
    /// When there is no answer.
    fn decide(&mut self, question: &Doubling<'_, G>) -> Result<bool, Failure> {
        Ok(question.is_offered)
    }

    /// Whether it knows games by their names: it has been told this one, and refuses those that it does not play. Others are taken at
    /// the word of their user.
    fn knows_games(&self) -> bool {
        true
    }

    /// What ends its thinking from another thread; nothing where there is no program.
    fn interrupt(&self) -> Option<Interrupt> {
        None
    }

    /// The number of the program's process group; nothing where there is no program.
    fn group(&self) -> Option<u32> {
        None
    }

    /// What the program calls itself.
    fn id(&self) -> Option<&str> {
        None
    }

    /// The transposition table, of a player in this process.
    fn table(&mut self) -> Option<&mut Table> {
        None
    }
}
