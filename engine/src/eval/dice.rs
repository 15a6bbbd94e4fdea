//! Evaluation of DiceChess: the probability to win, in fixed point.
//!
//! Before a roll it is `c + (1 - c) q`: with the probability `c`, which is exact, the roll takes the king at once;
//! otherwise a logistic curve `q` of material, placement and what the roller attacks says how the game will go. The weights
//! are a maximum likelihood fit of this very formula to the results of self-play (`benches/LABBOOK.md`): luck makes an
//! advantage worth far less than in chess, and a queen is worth half more than a rook, not nearly twice as much, for both
//! wait for one die.

use super::{Direct, Evaluate};
use crate::core::{Color, Kind, Square};
use crate::rules::dice::{Action, DiceChess, KingHunt, Step};
use crate::rules::{Chance, Rules};
use std::sync::LazyLock;

/// The probability 1. A multiple of 216, so that whole rolls have exact values.
pub const CERTAIN: i32 = 216 << 20;

/// The score, in centipawns, that multiplies the odds to win by ten.
const TENFOLD_ODDS: f64 = 1380.0;
/// Beyond this score the curve is flat.
const FLAT: i32 = 4200;

const MATERIAL: [i32; 6] = [70, 275, 310, 445, 690, 0];
/// By rank from the own side: in a turn a pawn can go three ranks, so that each rank brings promotion much nearer.
const PAWN_RANK: [i32; 8] = [0, 0, 8, 38, 80, 110, 300, 0];
const KING_RANK: [i32; 8] = [0, -30, -60, -90, -120, -120, -120, -120];
/// By nearness to the centre, 0 in the corner to 6 on the four central squares.
const KNIGHT_CENTRE: [i32; 7] = [0, 10, 25, 45, 65, 75, 80];
/// What it is worth to the side that rolls to attack an enemy man, by its kind.
const ATTACKED: [i32; 6] = [0, 90, 100, 110, 250, 0];

/// Value of a man on a square, White's point of view, by kind and square.
static PLACED: [[i32; 64]; 6] = {
    let mut table = [[0; 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut square = 0;
        while square < 64 {
            let (file, rank) = (square % 8, square / 8);
            let across = if file < 4 { file } else { 7 - file };
            let along = if rank < 4 { rank } else { 7 - rank };
            let centre = across + along;
            table[kind][square] = MATERIAL[kind]
                + match kind {
                    0 => PAWN_RANK[rank],
                    1 => KNIGHT_CENTRE[centre],
                    2 => centre as i32 * 10,
                    4 => centre as i32 * -6,
                    3 => 0,
                    _ => KING_RANK[rank],
                };
            square += 1;
        }
        kind += 1;
    }
    table
};

static CURVE: LazyLock<Vec<i32>> = LazyLock::new(|| {
    (-FLAT..=FLAT)
        .map(|score| {
            let chance = 1.0 / (1.0 + 10f64.powf(-f64::from(score) / TENFOLD_ODDS));
            (chance * f64::from(CERTAIN)).round() as i32
        })
        .collect()
});

/// The value of a man where it stands, for its own side, in centipawns.
#[inline(always)]
fn placed(color: Color, kind: Kind, square: Square) -> i32 {
    PLACED[kind.index().min(5)][square.seen_by(color).index()]
}

/// Material and placement for the side to move, in centipawns.
pub(crate) fn material(position: &DiceChess) -> i32 {
    let board = position.board();
    let us = position.side_to_move();
    let mut score = 0;
    for kind in Kind::CHESS {
        for square in board.men(us, kind) {
            score += placed(us, kind, square);
        }
        for square in board.men(!us, kind) {
            score -= placed(!us, kind, square);
        }
    }
    score
}

/// What a step adds to [`material`] for the side that makes it.
#[inline]
pub(crate) fn gain_of(position: &DiceChess, step: Step) -> i32 {
    let Some(mover) = step.action.mover() else {
        return 0;
    };
    let us = position.side_to_move();
    let board = position.board();
    let becomes = step.action.promotion().unwrap_or(mover);
    let mut gain = placed(us, becomes, step.to) - placed(us, mover, step.from);
    if board.color(!us).has(step.to) {
        if let Some(kind) = board.kind_at(step.to) {
            gain += placed(!us, kind, step.to);
        }
    } else if step.action == Action::EnPassant {
        let victim = Square::from_index(step.to.index() as u8 ^ 8);
        gain += placed(!us, Kind::Pawn, victim);
    } else if let Some(wing) = step.action.castling() {
        gain += placed(us, Kind::Rook, wing.rook_target(us))
            - placed(us, Kind::Rook, wing.rook_home(us));
    }
    gain
}

/// The probability to win that a score in centipawns stands for, of [`CERTAIN`].
#[inline(always)]
pub(crate) fn chance_of(score: i32) -> i32 {
    CURVE[(score.clamp(-FLAT, FLAT) + FLAT) as usize]
}

/// What the attacks of the side to move on enemy men are worth; never negative.
fn attacks(position: &DiceChess) -> i32 {
    let board = position.board();
    let us = position.side_to_move();
    let attacked = board.attack_map(us, board.occupied()) & board.color(!us);
    [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen]
        .into_iter()
        .map(|kind| (attacked & board.kind(kind)).len() as i32 * ATTACKED[kind.index()])
        .sum()
}

/// The probability to win of the side that rolls next, of [`CERTAIN`], from its score by [`material`]: at least
/// [`chance_of`] that score.
#[inline]
pub(crate) fn chance_before_roll(position: &DiceChess, score: i32) -> i32 {
    chance_before_roll_up_to(position, score, CERTAIN + 1)
}

/// [`chance_before_roll`] for those to whom `enough` is as good as more: the chance if it is less, otherwise something
/// from `enough` up to the chance. Most positions that are enough show it by what one die can do.
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
    hunt.look_on(throws_for(rest, enough));
    with_throws(hunt.throws(), rest)
}

/// The chance of a side whose king capture takes so many throws, and which otherwise wins with the probability `rest`.
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

/// Centipawns for a probability of [`CERTAIN`]: 400 times the decimal logarithm of the odds, within ±3500. An even
/// game is 0, ten to one is 400, a hundred to one 800.
pub fn centipawns(value: i32) -> i32 {
    let chance = f64::from(value) / f64::from(CERTAIN);
    let odds = chance / (1.0 - chance);
    (400.0 * odds.log10()).clamp(-3500.0, 3500.0).round() as i32
}

impl Evaluate for DiceChess {
    type Evaluator = Direct;

    /// The centipawns of the probability to win; with the dice on the table the question whether they take the king
    /// is answered, too.
    fn evaluate(&self) -> i32 {
        if let Some(winner) = self.decided() {
            return if winner == self.side_to_move() {
                3500
            } else {
                -3500
            };
        }
        let score = material(self);
        centipawns(if self.awaits_roll() {
            chance_before_roll(self, score)
        } else if self.can_take_king() {
            CERTAIN
        } else {
            chance_of(score + attacks(self))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::dice::Options;
    use crate::rules::{Notation, for_each_turn};

    #[test]
    fn the_gain_of_steps_is_the_difference_of_scores() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 PPP",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 RQK",
            "8/PPP4k/8/8/8/8/4Kppp/8 b - - 0 1 PQK",
            "4k3/8/8/8/PpPp4/8/8/4K3 b - a3c3 0 1 PPP",
        ] {
            let start = DiceChess::from_fen(fen, &Options::default())
                .unwrap()
                .position;
            for_each_turn(&start, &mut |turn, after| {
                let mut position = start;
                let mut score = material(&start);
                for &step in turn {
                    score += gain_of(&position, step);
                    position.play(step);
                }
                assert_eq!(-score, material(after), "{fen}");
            });
        }
    }

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
