//! The evaluation of DiceChess against outcomes: `dice-generate` plays games at depth 1, `dice-measure` says how well the probabilities
//! of a search, or of the evaluation, foretell how they end. See the README beside this crate.

mod file;
mod generate;
mod measure;
mod position;

#[cfg(test)]
mod tests;

pub use generate::Generate;
pub use measure::Measure;
