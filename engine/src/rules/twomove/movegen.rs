//! Pseudo-legal moves: all moves of the pieces, whether or not they expose their own king.

use super::TwoMove;
use super::reach::{castling_unattacked, destinations, last_rank, sixth_rank};
use crate::core::{Bitboard, Kind, Kinds, Move, Square, attacks};
use crate::rules::CastlingSide;

/// Calls `give` with every pseudo-legal move of the side to move that takes no king.
pub(super) fn pseudo_legal(position: &TwoMove, give: &mut impl FnMut(Move)) {
    let (board, us) = (&position.board, position.side);
    let no_king = !board.pieces(!us, Kind::King);
    for kind in Kind::CHESS {
        for from in board.pieces(us, kind) {
            let to = destinations(board, us, kind, from) & no_king;
            give_moves(from, to, kind == Kind::Pawn, last_rank(us), give);
        }
    }
    for target in position.targets & sixth_rank(us) {
        for from in attacks::pawn(!us, target) & board.pieces(us, Kind::Pawn) {
            give(Move::new(from, target));
        }
    }
    for target in castling_targets(position) {
        give(Move::new(board.king(us), target));
    }
}

/// Where the king may castle to under the ordinary rule.
#[inline(always)]
pub(super) fn castling_targets(position: &TwoMove) -> Bitboard {
    let (board, us) = (&position.board, position.side);
    let mut targets = Bitboard::EMPTY;
    for castling_side in CastlingSide::ALL {
        if position.rights.has(us, castling_side)
            && (board.occupied() & castling_side.path(us)).is_empty()
            && castling_unattacked(board, us, castling_side)
        {
            targets |= Bitboard::of(castling_side.king_target(us));
        }
    }
    targets
}

#[inline(always)]
fn give_moves(
    from: Square,
    to: Bitboard,
    is_pawn: bool,
    last_rank: Bitboard,
    give: &mut impl FnMut(Move),
) {
    let promotions = if is_pawn {
        to & last_rank
    } else {
        Bitboard::EMPTY
    };
    for to in to - promotions {
        give(Move::new(from, to));
    }
    for to in promotions {
        for kind in Kinds::CHESS_PROMOTIONS {
            give(Move::promoting(from, to, kind));
        }
    }
}
