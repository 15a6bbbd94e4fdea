//! Rules, evaluation and search of five chess-like games: chess, Superchess, two-move chess, DiceChess and Cubes 4D.
//! No input or output: the program `fauve` adds the protocols.
//!
//! ```
//! use fauve_engine::rules::{Chance, Game, Notation, Roll, dice::DiceChess, parse_turn, turn_token};
//! use fauve_engine::search::{Control, Limits, Search, Settings, Table};
//!
//! // White rolls pawn, bishop and king, and plays by hand.
//! let mut game = Game::new(DiceChess::start(&Default::default()), Default::default());
//! game.set_roll(Roll::parse("PBK").expect("three dice"));
//! for step in parse_turn(game.position(), "e2e4,f1c4,e1e2")? {
//!     game.play(step);
//! }
//!
//! // Black rolls, and the engine answers.
//! game.set_roll(Roll::parse("NBQ").expect("three dice"));
//! let limits = Limits { depth: Some(1), ..Limits::default() };
//! let table = Table::new(1).expect("a megabyte");
//! let answer = DiceChess::search(&game, &limits, &Settings::default(), &table, &Control::default(), &mut |_| {});
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
