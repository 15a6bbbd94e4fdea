//! Which parts of the search are on, chosen at compile time, so that each can be measured against a search without it.

/// The parts of the search that a search may do without. What is not listed here (principal variation search,
/// aspiration windows, table, killers, history) never changes the value that a search of fixed depth returns.
pub trait Policy: Send + Sync + 'static {
    /// Resolve captures and promotions below the last turn instead of evaluating there.
    const QUIESCENCE: bool = true;
    /// Take values only from table entries of exactly the wanted depth, so that a search of depth `n` returns the
    /// value of depth `n` and never a better informed one.
    const EXACT_DEPTH: bool = false;
    /// Look one turn deeper where the side to move is in check.
    const CHECK_EXTENSION: bool = true;
    /// Null move pruning, where the game allows it.
    const NULL_MOVE: bool = true;
    /// Reverse futility (static null move) pruning.
    const REVERSE_FUTILITY: bool = true;
    /// Late turns are searched less deep first.
    const LATE_REDUCTION: bool = true;
    /// Late quiet turns near the leaves are not searched.
    const LATE_PRUNING: bool = true;
    /// Quiet turns near the leaves are not searched when the static value is far below the window.
    const FUTILITY: bool = true;
    /// Captures that lose the exchange are not searched in quiescence and come last elsewhere.
    const EXCHANGE: bool = true;
    /// Steps that lose the exchange they begin by much are not searched near the leaves.
    const EXCHANGE_PRUNING: bool = true;
    /// Quiet steps that give check are never left out as late or futile, are reduced less, and are tried at the first level
    /// of quiescence, in games that tell which they are.
    const CHECKS: bool = true;
    /// Quiet steps are also ordered by how they did after the last two steps.
    const CONTINUATION: bool = true;
    /// What was learnt about steps lasts from one search to the next.
    const LASTING_HISTORY: bool = true;
    /// Razoring: a static value far below the window is left to quiescence near the leaves.
    const RAZORING: bool = true;
    /// ProbCut with captures, in games of one step a turn.
    const PROBCUT: bool = true;
    /// Singular extensions and multi-cut, in games of one step a turn.
    const SINGULAR: bool = true;
    /// Static values are corrected by what was learnt of their errors, in games that tell correction_keys.
    const CORRECTION: bool = true;
    /// Of two steps of a turn that commute only one order is searched, in games that tell which do.
    const COMMUTING: bool = true;
    /// Endgames have the values of tables, in games that have some.
    const ENDGAMES: bool = true;
    /// Forced mates by checks are looked for at the root, in games where that pays, and mates at once after turns of the root, where
    /// they lurk.
    const MATES: bool = true;
    /// Search less deep where the table knows no best step.
    const INTERNAL_REDUCTION: bool = true;
}

/// The search as it plays.
#[derive(Clone, Copy, Debug)]
pub struct Full;

impl Policy for Full {}

/// Only what keeps the value of full minimax to a fixed depth. With this policy a search can be compared with brute
/// force: everything that decides by likelihood is off, everything that must be invisible is on.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Policy for Plain {
    const QUIESCENCE: bool = false;
    const EXACT_DEPTH: bool = true;
    const CHECK_EXTENSION: bool = false;
    const NULL_MOVE: bool = false;
    const REVERSE_FUTILITY: bool = false;
    const LATE_REDUCTION: bool = false;
    const LATE_PRUNING: bool = false;
    const FUTILITY: bool = false;
    const EXCHANGE: bool = false;
    const EXCHANGE_PRUNING: bool = false;
    const LASTING_HISTORY: bool = false;
    const RAZORING: bool = false;
    const PROBCUT: bool = false;
    const SINGULAR: bool = false;
    const CORRECTION: bool = false;
    const ENDGAMES: bool = false;
    const MATES: bool = false;
    const INTERNAL_REDUCTION: bool = false;
}
