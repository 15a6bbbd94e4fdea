//! Tactics that chess and Superchess share.

use super::exchange::{EXCHANGE, wins_exchange as exchange};
use crate::core::{Kind, Move, Square};
use crate::rules::orthodox::Orthodox;

/// Whether the move takes a pawn en passant.
#[inline]
fn is_en_passant<const N: usize>(position: &Orthodox<N>, step: Move) -> bool {
    position.en_passant() == Some(step.to()) && position.board().kind(Kind::Pawn).has(step.from())
}

/// Whether a legal move takes or promotes.
#[inline]
pub fn is_noisy<const N: usize>(position: &Orthodox<N>, step: Move) -> bool {
    position.board().occupied().has(step.to())
        || step.promotion().is_some()
        || is_en_passant(position, step)
}

/// What a legal move takes and becomes, in centipawns.
#[inline]
fn winnings<const N: usize>(position: &Orthodox<N>, step: Move) -> i32 {
    let board = position.board();
    let taken = if board.occupied().has(step.to()) {
        EXCHANGE[board.kind_of_man(step.to()).index()]
    } else if is_en_passant(position, step) {
        EXCHANGE[Kind::Pawn.index()]
    } else {
        0
    };
    let promoted = step.promotion().map_or(0, |kind| {
        EXCHANGE[kind.index()] - EXCHANGE[Kind::Pawn.index()]
    });
    taken + promoted
}

/// The most valuable victim, then the least valuable attacker: what the move takes and becomes, less a little for the
/// man that does it.
#[inline]
pub fn gain<const N: usize>(position: &Orthodox<N>, step: Move) -> i32 {
    let mover = position.board().kind_of_man(step.from());
    let risk = if mover == Kind::King {
        10
    } else {
        EXCHANGE[mover.index()] / 100
    };
    winnings(position, step) - risk
}

/// Whether the exchange that a legal move begins wins at least `threshold`.
pub fn wins_exchange<const N: usize>(position: &Orthodox<N>, step: Move, threshold: i32) -> bool {
    let board = position.board();
    let squares: [Square; 2] = [step.from(), step.to()];
    let mover = step
        .promotion()
        .unwrap_or_else(|| board.kind_of_man(step.from()));
    exchange(
        board,
        position.side_to_move(),
        squares,
        EXCHANGE[mover.index()],
        winnings(position, step),
        threshold,
    )
}

/// Whether the side to move has a man that makes zugzwang unlikely: anything but king and pawns.
#[inline]
pub fn has_pieces<const N: usize>(position: &Orthodox<N>) -> bool {
    let board = position.board();
    let side = position.side_to_move();
    (board.color(side) - board.kind(Kind::Pawn) - board.kind(Kind::King)).any()
}

/// The man and the square it goes to, below `64 * N`.
#[inline]
pub fn shape<const N: usize>(position: &Orthodox<N>, step: Move) -> usize {
    position.board().kind_of_man(step.from()).index() * 64 + step.to().index()
}
