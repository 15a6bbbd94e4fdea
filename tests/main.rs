//! The integration tests of the whole project, one binary: perft suites, properties, searches, protocol transcripts.

mod chess;
mod cubes;
mod dice;
mod program;
mod properties;
mod protocol;
mod referee;
mod search;
mod superchess;
mod terminal;
mod twomove;
