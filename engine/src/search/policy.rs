//! Compile-time choice between the search as it plays and one whose values can be compared with brute force.

/// What the search may leave out.
pub trait Policy: Send + Sync + 'static {
    /// Keep the value of minimax to a fixed depth with the static value at the leaves: no quiescence, no extensions, no
    /// pruning or reduction by likelihood, no endgame tables or mate searches, and no table entries of another depth. Principal
    /// variation search, aspiration windows, the table, move ordering and sleep sets never change that value and stay on.
    const EXACT: bool = false;
    /// Search only one order of two steps of a turn that commute, in games that identify such steps. Tests switch it off to
    /// show that it keeps the value.
    const SLEEP_SETS: bool = true;
}

/// The search as it plays.
#[derive(Clone, Copy, Debug)]
pub struct Full;

impl Policy for Full {}

/// The search that returns the value of minimax to a fixed depth.
#[derive(Clone, Copy, Debug)]
pub struct Exact;

impl Policy for Exact {
    const EXACT: bool = true;
}
