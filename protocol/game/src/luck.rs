//! The luck of the dice, as a control variate.
//!
//! The luck of a roll is the value of the position with this roll less its mean over all rolls, each as our own
//! search of that one turn sees it. Its expectation is 0 whatever the evaluation, so that a result less its
//! luck has the same mean as the result, and a smaller variance as far as the evaluation is right.

use fauve_engine::core::Color;
use fauve_engine::rules::{Game, Roll};
use fauve_engine::search::{Control, Engine, Limits, Settings, Table};

/// White's chance to win, 0 to 1, in a position whose dice are rolled, as a search of this one turn sees it. `None` in
/// games whose search knows no chances.
fn chance<G: Engine>(rolled: &G, table: &Table) -> Option<f64> {
    let game = Game::new(*rolled, G::Options::default());
    let limits = Limits {
        depth: Some(1),
        ..Limits::default()
    };
    let answer = G::run_search(
        &game,
        &limits,
        &Settings::default(),
        table,
        &Control::default(),
        &mut |_| {},
    );
    let chance = answer.win_chance?;
    Some(match rolled.side_to_move() {
        Color::White => chance,
        Color::Black => 1.0 - chance,
    })
}

/// What a roll gives White, in points, in a position that awaits its roll. The table is for the searches, and does not
/// change the answer. `None` in games without dice.
pub fn luck<G: Engine>(before: &G, roll: Roll, table: &Table) -> Option<f64> {
    let rolls = G::rolls();
    let total: u32 = rolls.iter().map(|(_, weight)| weight).sum();
    let mut this = None;
    let mut mean = 0.0;
    for &(other, weight) in rolls {
        let mut rolled = *before;
        rolled.set_roll(other);
        // What one search leaves behind must not show in the next.
        table.clear();
        let chance = chance(&rolled, table)?;
        mean += chance * f64::from(weight) / f64::from(total);
        if other == roll {
            this = Some(chance);
        }
    }
    Some(this? - mean)
}

/// What the rolls of a game gave White, in points, to six digits; `None` without memory for the searches.
pub fn total<'a, G: Engine>(rolls: impl IntoIterator<Item = &'a (G, Roll)>) -> Option<f64> {
    let table = Table::new(1).ok()?;
    let mut sum = 0.0;
    for (before, roll) in rolls {
        sum += luck(before, *roll, &table)?;
    }
    Some((sum * 1e6).round() / 1e6)
}
