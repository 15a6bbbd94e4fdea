//! Search: alpha-beta for the deterministic games and expectimax for DiceChess, behind one function, [`Searcher::run`].
//!
//! ```
//! use fauve_engine::rules::{Game, Notation, chess::Chess, turn_token};
//! use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};
//!
//! let position = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &Default::default())?.position;
//! let game = Game::new(position, Default::default());
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let table = Table::new(16).expect("16 megabytes");
//! let answer = Searcher::new(&table, &Settings::default(), &Control::default()).run(&game, &limits, &mut |_| {});
//!
//! let best = answer.best.expect("there is a turn");
//! assert_eq!(turn_token(&position, &best), "a1a8");
//! assert_eq!(answer.score, Score::Mate(1));
//! # Ok::<(), fauve_engine::rules::FenError>(())
//! ```

pub mod alpha_beta;
mod bench;
#[cfg(test)]
mod broken_off;
mod clock;
mod control;
mod cpu_clock;
mod engine;
mod expectimax;
mod instant;
mod killers;
mod limits;
pub mod mate;
mod memory;
pub mod parameters;
mod pitfalls;
pub mod policy;
mod report;
pub mod solve;
mod strength;
mod table;
mod thread_pool;
mod time;
pub mod value;

pub use alpha_beta::Searchable;
pub use bench::{BenchError, bench};
pub use control::Control;
pub use cpu_clock::{process_time, thread_time};
pub use engine::{Engine, Search, Searcher};
pub use expectimax::{Cube, Equities, Estimate, Rollout, chance_before_roll};
pub use instant::Instant;
pub use limits::{Clock, Limits, Settings};
pub use report::{Answer, Bound, Info, Report, Score};
pub use strength::StrengthLimit;
pub use table::{Entry, Table};
pub use time::Budget;
