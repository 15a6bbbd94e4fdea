//! The integration tests of the whole project, one binary: perft suites, properties, searches, protocol transcripts.

#[cfg(feature = "breakthrough")]
mod breakthrough;
mod chess;
mod chess960;
mod cubes;
mod cubes_search;
mod dice;
mod fuzz_inputs;
mod history;
mod program;
mod properties;
mod protocol;
mod referee;
mod reproducibility;
mod scratch;
mod screen;
mod search;
mod skipped;
mod superchess;
mod terminal;
mod twomove;
mod twomove_players;
mod twomove_search;
