//! Luck of the dice, as a control variate for variance reduction.
//!
//! The luck of a roll is the value of the position with this roll minus its mean over all rolls, each from a
//! one-turn search. Its expectation is 0 whatever the evaluation, so that a result minus its
//! luck has the same mean as the result, and the smaller variance the better the evaluation.

use fauve_engine::core::Color;
use fauve_engine::rules::{Game, Roll};
use fauve_engine::search::{Control, Engine, Limits, Searcher, Settings, Table};

/// White's winning probability, 0 to 1, in a position with rolled dice, from a one-turn search. `None` in
/// games without dice.
fn chance<G: Engine>(rolled: &G, table: &Table) -> Option<f64> {
    let game = Game::new(*rolled, G::Options::default());
    let limits = Limits {
        depth: Some(1),
        ..Limits::default()
    };
    let answer = Searcher::new(table, &Settings::default(), &Control::default()).run(
        &game,
        &limits,
        &mut |_| {},
    );
    let chance = answer.win_chance?;
    Some(match rolled.side_to_move() {
        Color::White => chance,
        Color::Black => 1.0 - chance,
    })
}

/// The luck of a roll for White, in points, in a position that awaits its roll. The searches use `table`, which does not
/// affect the result. `None` in games without dice.
pub fn luck<G: Engine>(before: &G, roll: Roll, table: &Table) -> Option<f64> {
    let rolls = G::rolls();
    let total: u32 = rolls.iter().map(|(_, weight)| weight).sum();
    let mut this = None;
    let mut mean = 0.0;
    for &(other, weight) in rolls {
        let mut rolled = *before;
        rolled.set_roll(other);
        // Entries of one search must not influence the next.
        table.clear();
        let chance = chance(&rolled, table)?;
        mean += chance * f64::from(weight) / f64::from(total);
        if other == roll {
            this = Some(chance);
        }
    }
    Some(this? - mean)
}

/// The total luck of White over the rolls of a game, in points, rounded to six decimals; `None` without memory for the searches.
pub fn total<'a, G: Engine>(rolls: impl IntoIterator<Item = &'a (G, Roll)>) -> Option<f64> {
    let table = Table::new(1).ok()?;
    let mut sum = 0.0;
    for (before, roll) in rolls {
        sum += luck(before, *roll, &table)?;
    }
    Some((sum * 1e6).round() / 1e6)
}
