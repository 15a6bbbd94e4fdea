//! One game as it is played, between the rules of `fauve-engine` and the programs that play, referee and show games.
//!
//! [`played::Played`] is the game: its first position, its turns with their rolls, variations and comments, its clocks, cube and
//! end; its variations are read and changed by [`study`]. It is read from PGN and records ([`pgn`], [`replay`]) and written as PGN ([`pgn::text`]), games of other programs as far as they are legal ([`tolerant`]); turns are read in any
//! spelling ([`read`]), refusals explained ([`explain`]), and turns assessed ([`assess`], [`luck`])
//! and summed up ([`report`]).
//!
//! ```
//! use fauve_engine::rules::chess::Chess;
//! use fauve_game::{pgn, replay};
//!
//! let text = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 {the King's Gambit} (2. Nf3) *";
//! let game = &pgn::parse(text)[0];
//! let played = replay::of_pgn::<Chess>(game, &Default::default())?;
//! assert_eq!(played.turns().len(), 3);
//! assert_eq!(played.turns()[2].comments, ["the King's Gambit"]);
//! assert!(pgn::text(&played).contains("2. f4 {the King's Gambit} (2. Nf3) *"));
//! # Ok::<(), fauve_game::replay::ReplayError>(())
//! ```

pub mod assess;
pub mod clock;
pub mod comment;
pub mod cube;
pub mod date;
pub mod end;
pub mod epd;
pub mod explain;
pub mod luck;
pub mod names;
pub mod pgn;
pub mod played;
pub mod read;
pub mod replay;
pub mod report;
pub mod start;
pub mod study;
pub mod tags;
pub mod tolerant;
pub mod tree;
pub mod wrap;
