//! Evaluation of DiceChess: the probability to win, in fixed point.
//!
//! Before a roll it is `c + (1 - c) q`. The probability `c` that the roll captures the king at once is exact; otherwise the chance to win is
//! `q`, a logistic curve of a score. The score is that of a [network](super::network), for the side that rolls, plus a bonus for each piece
//! that this side attacks. The bonus is never negative, so that the network alone is a lower bound of the value, and most leaves of a search
//! need no more. The network was trained by this formula, so that it learnt the score and not the chance of a capture
//! (`engine/training/README.md`).

pub mod endgames;
mod turns;

use super::network::{
    HasNetwork, IncrementalFeatures, Network, NetworkError, Parameters, SharedNetwork,
};
use super::{Evaluate, Evaluator, Inspect, PieceValues, Prologue};
use crate::core::Kind;
use crate::rules::dice::{DiceChess, KingHunt};
use crate::rules::{Chance, Rules};
use std::sync::{Arc, LazyLock};

pub(crate) use turns::Sums;

/// The probability 1. A multiple of 216, so that whole rolls have exact values.
pub const CERTAIN: i32 = 216 << 20;

/// The score, in centipawns, that multiplies the odds to win by ten: 400 multiply them by e.
const TENFOLD_ODDS: f64 = 921.034;
/// Beyond this score the curve is flat.
const FLAT: i32 = 2800;

/// Bonus, in centipawns of score, for each attacked enemy piece, by `Kind::index`.
const ATTACKED: [i32; 6] = [0, 60, 67, 73, 167, 0];

static CURVE: LazyLock<Vec<i32>> = LazyLock::new(|| {
    (-FLAT..=FLAT)
        .map(|score| {
            let chance = 1.0 / (1.0 + 10f64.powf(-f64::from(score) / TENFOLD_ODDS));
            (chance * f64::from(CERTAIN)).round() as i32
        })
        .collect()
});

/// Returns the winning probability of a score in centipawns, in units of 1 / [`CERTAIN`].
#[inline(always)]
pub(crate) fn chance_of(score: i32) -> i32 {
    CURVE[(score.clamp(-FLAT, FLAT) + FLAT) as usize]
}

/// What the attacks of the side to move on enemy pieces are worth, in centipawns; never negative. The network does not see them.
pub fn attacks(position: &DiceChess) -> i32 {
    let board = position.board();
    let us = position.side_to_move();
    let attacked = board.attack_map(us, board.occupied()) & board.color(!us);
    [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen]
        .into_iter()
        .map(|kind| (attacked & board.kind(kind)).len() as i32 * ATTACKED[kind.index()])
        .sum()
}

/// The winning probability of the side that rolls next, in units of 1 / [`CERTAIN`], from its score by the network: at least
/// [`chance_of`] that score.
#[inline]
pub(crate) fn chance_before_roll(position: &DiceChess, score: i32) -> i32 {
    chance_before_roll_up_to(position, score, CERTAIN + 1)
}

/// [`chance_before_roll`] for callers that need no more than `enough`: the chance if it is less, otherwise a number from `enough` up to
/// the chance. Most positions that reach `enough` do so by what one die can capture.
#[inline]
pub(crate) fn chance_before_roll_up_to(position: &DiceChess, score: i32, enough: i32) -> i32 {
    let Some(mut hunt) = KingHunt::new(position, position.side_to_move()) else {
        return chance_of(score + attacks(position));
    };
    let at_least = with_throws(hunt.throws(), chance_of(score));
    if at_least >= enough {
        return at_least;
    }
    let rest = chance_of(score + attacks(position));
    hunt.count_up_to(throws_for(rest, enough));
    with_throws(hunt.throws(), rest)
}

/// Returns the winning chance of a side that captures the king with this number of throws, and otherwise wins with probability
/// `rest`.
#[inline(always)]
fn with_throws(throws: u32, rest: i32) -> i32 {
    let throws = i64::from(throws);
    ((throws * i64::from(CERTAIN) + (216 - throws) * i64::from(rest)) / 216) as i32
}

/// The least number of throws with which [`with_throws`] is at least `enough`; 217 if none is.
#[inline(always)]
fn throws_for(rest: i32, enough: i32) -> u32 {
    let missing = 216 * (i64::from(enough) - i64::from(rest));
    let each = i64::from(CERTAIN - rest).max(1);
    (missing.max(0) + each - 1).div_euclid(each).min(217) as u32
}

/// Centipawns of a winning probability in units of 1 / [`CERTAIN`]: 400 times the decimal logarithm of the odds, within ±3500. An even
/// game is 0, ten to one is 400, a hundred to one 800.
pub fn centipawns(value: i32) -> i32 {
    let chance = f64::from(value) / f64::from(CERTAIN);
    let odds = chance / (1.0 - chance);
    (400.0 * odds.log10()).clamp(-3500.0, 3500.0).round() as i32
}

/// Evaluates single positions with a network.
#[derive(Clone, Debug)]
pub struct DiceEvaluator(Arc<Network<DiceChess>>);

impl DiceEvaluator {
    /// The network of these settings, or else the one that the game comes with, or else one by which every position is even.
    pub(crate) fn network(of: Option<&SharedNetwork>) -> Arc<Network<DiceChess>> {
        of.and_then(SharedNetwork::of).unwrap_or_else(shipped)
    }

    /// The winning probability of the side to move, in units of 1 / [`CERTAIN`].
    fn chance(&self, position: &DiceChess) -> i32 {
        if let Some(winner) = position.winner() {
            return if winner == position.side_to_move() {
                CERTAIN
            } else {
                0
            };
        }
        let score = self.0.evaluate(position);
        if position.awaits_roll() {
            chance_before_roll(position, score)
        } else if position.can_take_king() {
            CERTAIN
        } else {
            chance_of(score + attacks(position))
        }
    }
}

/// The network that the game comes with, or else one by which every position is even.
fn shipped() -> Arc<Network<DiceChess>> {
    static EVEN: LazyLock<Arc<Network<DiceChess>>> =
        LazyLock::new(|| Arc::new(Network::new(&Parameters::zero())));
    DiceChess::shipped().unwrap_or_else(|| Arc::clone(&EVEN))
}

impl Evaluator<DiceChess> for DiceEvaluator {
    fn new(network: Option<&SharedNetwork>) -> Self {
        Self(Self::network(network))
    }

    fn push(&mut self, _: usize) {}

    fn evaluate(&mut self, position: &DiceChess, _: usize) -> i32 {
        centipawns(self.chance(position))
    }
}

impl Inspect<DiceChess> for DiceEvaluator {
    fn read(bytes: &[u8]) -> Result<SharedNetwork, NetworkError> {
        Network::<DiceChess>::from_bytes(bytes).map(SharedNetwork::from)
    }

    fn piece_values(&self, position: &DiceChess) -> Option<PieceValues> {
        Some(IncrementalFeatures::piece_values(position, &self.0))
    }
}

impl Prologue for DiceChess {}

impl Evaluate for DiceChess {
    type Evaluator = DiceEvaluator;

    /// The winning probability in centipawns. After a roll it is computed exactly whether these dice capture the king.
    fn evaluate(&self) -> i32 {
        centipawns(DiceEvaluator(shipped()).chance(self))
    }
}

/// The winning probability of the side that rolls next by the network that the game comes with, in units of 1 / [`CERTAIN`].
#[cfg(test)]
pub(crate) fn value_before_roll(position: &DiceChess) -> i32 {
    chance_before_roll(position, shipped().evaluate(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enough_throws_are_the_least_that_reach_the_chance() {
        for rest in [0, 1, CERTAIN / 3, CERTAIN - 1] {
            for enough in [0, 1, rest, rest + 1, CERTAIN / 2, CERTAIN - 1, CERTAIN] {
                let throws = throws_for(rest, enough);
                assert!(throws > 216 || with_throws(throws, rest) >= enough);
                assert!(throws == 0 || with_throws(throws - 1, rest) < enough);
            }
        }
        assert_eq!(throws_for(CERTAIN / 2, CERTAIN + 1), 217);
    }

    #[test]
    fn centipawns_rise_with_the_probability() {
        assert_eq!(centipawns(CERTAIN / 2), 0);
        assert_eq!(centipawns(CERTAIN / 11 * 10), 400);
        assert_eq!((centipawns(0), centipawns(CERTAIN)), (-3500, 3500));
        let steps: Vec<_> = (0..=1000).map(|i| centipawns(CERTAIN / 1000 * i)).collect();
        assert!(steps.is_sorted());
    }
}
