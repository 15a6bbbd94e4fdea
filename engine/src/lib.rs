//! Rules, evaluation and search of five chess-like games: chess, Superchess, two-move chess, DiceChess and Cubes 4D.
//! The library does no input or output; the program `fauve` adds the command line and the protocols.
//!
//! - [`rules`] implements each game: positions, legal steps, FEN, turn notation, draws, dice, and [`Game`](rules::Game), a
//!   position with its history.
//! - [`search`] finds the best turn of a position with [`Searcher::run`](search::Searcher::run), proves mates, and runs
//!   rollouts of dice games.
//! - [`eval`] evaluates positions, by hand-written terms or by a neural network.
//! - [`games`] lists the games as [`Variant`] and selects the static type of a game by its name.
//! - [`strength_scales`] converts between an Elo rating and the settings of play below full strength.
//! - [`core`] has the common vocabulary: colours, squares, bitboards, attacks and Zobrist keys.
//!
//! Turns are made of *steps*: a chess move is a turn of one step, a turn of two-move chess has two. Who is to move, and
//! whether a turn is complete, is read from the position.
//!
//! To play a turn of DiceChess and have it answered:
//!
//! ```
//! use fauve_engine::rules::{Chance, Game, Notation, Roll, dice::DiceChess, parse_turn, turn_token};
//! use fauve_engine::search::{Control, Limits, Searcher, Settings, Table};
//!
//! // White rolls pawn, bishop and king, and plays a turn of three steps.
//! let mut game = Game::new(DiceChess::start(&Default::default()), Default::default());
//! game.set_roll(Roll::parse("PBK").expect("three dice"));
//! for step in parse_turn(game.position(), "e2e4,f1c4,e1e2")? {
//!     game.play(step);
//! }
//!
//! // Black rolls, and the engine finds its turn. The table is kept from search to search.
//! game.set_roll(Roll::parse("NBQ").expect("three dice"));
//! let limits = Limits { depth: Some(1), ..Limits::default() };
//! let table = Table::new(1).expect("a megabyte");
//! let answer = Searcher::new(&table, &Settings::default(), &Control::default()).run(&game, &limits, &mut |_| {});
//! let turn = answer.best.expect("a knight can move");
//! assert!(["b8a6", "b8c6", "g8f6", "g8h6"].contains(&turn_token(game.position(), &turn).as_str()));
//! # Ok::<(), fauve_engine::rules::StepError>(())
//! ```

pub mod core;
pub mod eval;
pub mod games;
pub mod rules;
pub mod search;
pub mod strength_scales;

pub use games::Variant;
