//! Tuning of the search's parameters by games against itself: SPSA ([`spsa`]) asks how two nearby settings do against each
//! other ([`games`]), in batches of pairs of games ([`batch`]), and keeps what it has found in a file ([`state`]).
//!
//! What is played follows from the settings, the seed and the number of the pair alone: at fixed nodes a run that was
//! stopped goes on to the very values that it would have found, whatever the number of processors.

pub mod batch;
pub mod games;
pub mod report;
pub mod run;
pub mod spsa;
pub mod state;
