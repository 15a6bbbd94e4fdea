//! The luck of the dice, as a control variate.
//!
//! The luck of a roll is the value of the position with this roll less its mean over all rolls, both as our own
//! evaluation sees them after the best turn. Its expectation is 0 whatever the evaluation, so that a result less its
//! luck has the same mean as the result, and a smaller variance as far as the evaluation is right.

use fauve_engine::core::Color;
use fauve_engine::rules::{Roll, for_each_turn};
use fauve_engine::search::Engine;

/// Centipawns per natural unit of the logistic curve by which the evaluation becomes a chance to win.
const SCALE: f64 = 250.0;

/// White's chance to win, 0 to 1, in a position whose dice are rolled, if the mover plays the turn after which the
/// static evaluation is best.
fn chance<G: Engine>(rolled: &G) -> f64 {
    let mover = rolled.side_to_move();
    let mut best: Option<i32> = None;
    let mut won = false;
    for_each_turn(rolled, &mut |_, after| {
        if won {
        } else if after.decided() == Some(mover) {
            won = true;
        } else {
            let value = -after.evaluate();
            best = Some(best.map_or(value, |best| best.max(value)));
        }
    });
    let chance = if won {
        1.0
    } else {
        best.map_or(0.5, |cp| 1.0 / (1.0 + (-f64::from(cp) / SCALE).exp()))
    };
    match mover {
        Color::White => chance,
        Color::Black => 1.0 - chance,
    }
}

/// What a roll gives White, in points, in a position that awaits its roll.
pub fn luck<G: Engine>(before: &G, roll: Roll) -> f64 {
    let after = |roll: Roll| {
        let mut rolled = *before;
        rolled.set_roll(roll);
        chance(&rolled)
    };
    let rolls = G::rolls();
    let total: u32 = rolls.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return 0.0;
    }
    let mut this = 0.0;
    let mut mean = 0.0;
    for &(other, weight) in rolls {
        let chance = after(other);
        mean += chance * f64::from(weight) / f64::from(total);
        if other == roll {
            this = chance;
        }
    }
    this - mean
}
