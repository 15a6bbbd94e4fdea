//! What two steps of one side lead to when each side has its king and one piece; of pawns' steps nothing.

use crate::core::{Bitboard, Color, Kind, Square, attacks};
use crate::rules::Board;

/// A king and its piece.
#[derive(Clone, Copy)]
pub struct Pair {
    pub king: Square,
    pub piece: Square,
}

impl Pair {
    fn pieces(self) -> Bitboard {
        Bitboard::of(self.king) | Bitboard::of(self.piece)
    }
}

#[inline(always)]
fn reach(kind: Kind, piece: Square, occupied: Bitboard) -> Bitboard {
    // A pawn's steps cannot be taken back, so tables of pawns are made by the rules instead.
    if kind == Kind::Pawn {
        Bitboard::EMPTY
    } else {
        Board::<6>::piece_attacks(kind, piece, occupied)
    }
}

/// Calls `seen` after every pair of steps (no pawn's) of a side that cannot take the other king, whatever happens to its own, with its pieces and
/// whether the other piece was taken; much comes twice, since most steps commute.
#[inline(always)]
pub fn each_turn(kind: Kind, own: Pair, other: Pair, seen: &mut impl FnMut(Pair, bool)) {
    let occupied = own.pieces() | other.pieces();
    let (king, piece) = (Bitboard::of(own.king), Bitboard::of(own.piece));
    let safe = !Bitboard::of(other.king);
    for stop in attacks::king(own.king) & safe - piece {
        let took = stop == other.piece;
        for to in attacks::king(stop) & safe - piece {
            // Moving and returning is not a legal turn (T5).
            if took || to != own.king {
                let after = Pair { king: to, ..own };
                seen(after, took || to == other.piece);
            }
        }
        let stopped = Bitboard::of(stop);
        for to in reach(kind, own.piece, (occupied - king) | stopped) & safe - stopped {
            let after = Pair {
                king: stop,
                piece: to,
            };
            seen(after, took || to == other.piece);
        }
    }
    for stop in reach(kind, own.piece, occupied) & safe - king {
        let took = stop == other.piece;
        let stopped = Bitboard::of(stop);
        for to in reach(kind, stop, (occupied - piece) | stopped) & safe - king {
            if took || to != own.piece {
                let after = Pair { piece: to, ..own };
                seen(after, took || to == other.piece);
            }
        }
        for to in attacks::king(own.king) & safe - stopped {
            let after = Pair {
                king: to,
                piece: stop,
            };
            seen(after, took || to == other.piece);
        }
    }
}

/// The board of two pairs, White's first.
pub fn board(kinds: [Kind; 2], pairs: [Pair; 2]) -> Board<6> {
    let mut board = Board::default();
    for ((color, kind), pair) in Color::ALL.into_iter().zip(kinds).zip(pairs) {
        board.toggle(color, Kind::King, pair.king);
        board.toggle(color, kind, pair.piece);
    }
    board
}
