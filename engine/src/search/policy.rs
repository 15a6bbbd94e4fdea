//! Compile-time switches for parts of the search, so that each can be measured against a search without it.

/// Parts of the search that can be switched off. The parts not listed here (principal variation search, aspiration windows,
/// table, killers, history) never change the value that a search of fixed depth returns.
pub trait Policy: Send + Sync + 'static {
    /// Quiescence search: resolve captures and promotions below the last turn instead of evaluating there.
    const QUIESCENCE: bool = true;
    /// Use only table entries of exactly the required depth, so that a search of depth `n` returns the value of depth `n`
    /// and never a better informed one.
    const EXACT_DEPTH: bool = false;
    /// Check extension: search one turn deeper where the side to move is in check.
    const CHECK_EXTENSION: bool = true;
    /// Null-move pruning, where the game allows it.
    const NULL_MOVE: bool = true;
    /// Reverse futility (static null move) pruning.
    const REVERSE_FUTILITY: bool = true;
    /// Late move reductions: late turns are first searched at reduced depth.
    const LATE_REDUCTION: bool = true;
    /// Late move pruning: late quiet turns near the leaves are skipped.
    const LATE_PRUNING: bool = true;
    /// Futility pruning: quiet turns near the leaves are skipped where the static value is far below the window.
    const FUTILITY: bool = true;
    /// Static exchange evaluation: losing captures are skipped in quiescence and ordered last elsewhere.
    const EXCHANGE: bool = true;
    /// Exchange pruning: steps that lose much material by exchange are skipped near the leaves.
    const EXCHANGE_PRUNING: bool = true;
    /// Quiet checks are never pruned as late or futile, are reduced less, and are tried at the first level of quiescence,
    /// in games that identify them.
    const CHECKS: bool = true;
    /// Continuation history: quiet steps are also ordered by their results after the last two steps.
    const CONTINUATION: bool = true;
    /// Histories last from one search to the next.
    const LASTING_HISTORY: bool = true;
    /// Razoring: near the leaves, quiescence decides where the static value is far below the window.
    const RAZORING: bool = true;
    /// ProbCut with captures, in games of one step a turn.
    const PROBCUT: bool = true;
    /// Singular extensions and multi-cut, in games of one step a turn.
    const SINGULAR: bool = true;
    /// Correction history: static values are corrected by their observed errors, in games with correction keys.
    const CORRECTION: bool = true;
    /// Of two steps of a turn that commute, only one order is searched, in games that identify such steps.
    const COMMUTING: bool = true;
    /// Endgame tables decide endgames, in games that have them.
    const ENDGAMES: bool = true;
    /// At the root, forced mates by checks are searched in games where that pays, and root turns are tested for allowing
    /// mate in one where such mates are often overlooked.
    const MATES: bool = true;
    /// Internal iterative reduction: reduce the depth where the table has no best step.
    const INTERNAL_REDUCTION: bool = true;
}

/// The search with all parts on, as it plays.
#[derive(Clone, Copy, Debug)]
pub struct Full;

impl Policy for Full {}

/// The search with only those parts that keep the value of minimax to a fixed depth, for comparison with brute force:
/// everything that prunes by likelihood is off, everything that must not change the value is on.
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
