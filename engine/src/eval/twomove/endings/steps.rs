//! What two steps of one side lead to when each side has its king and one man; of pawns' steps nothing.

use crate::core::{Bitboard, Color, Kind, Square, attacks};
use crate::rules::Board;

/// A king and his man.
#[derive(Clone, Copy)]
pub struct Pair {
    pub king: Square,
    pub man: Square,
}

impl Pair {
    fn men(self) -> Bitboard {
        Bitboard::of(self.king) | Bitboard::of(self.man)
    }
}

#[inline(always)]
fn reach(kind: Kind, man: Square, occupied: Bitboard) -> Bitboard {
    // What a pawn does cannot be taken back: who needs it asks the rules.
    if kind == Kind::Pawn {
        Bitboard::EMPTY
    } else {
        Board::<6>::piece_attacks(kind, man, occupied)
    }
}

/// Calls `seen` after every pair of steps (no pawn's) of a side that cannot take the other king, whatever happens to its own, with its men and
/// whether the other man was taken; much comes twice, since most steps commute.
#[inline(always)]
pub fn each_turn(kind: Kind, own: Pair, other: Pair, seen: &mut impl FnMut(Pair, bool)) {
    let occupied = own.men() | other.men();
    let (king, man) = (Bitboard::of(own.king), Bitboard::of(own.man));
    let safe = !Bitboard::of(other.king);
    for stop in attacks::king(own.king) & safe - man {
        let took = stop == other.man;
        for to in attacks::king(stop) & safe - man {
            // Who goes there and back has made no turn.
            if took || to != own.king {
                let after = Pair { king: to, ..own };
                seen(after, took || to == other.man);
            }
        }
        let stopped = Bitboard::of(stop);
        for to in reach(kind, own.man, (occupied - king) | stopped) & safe - stopped {
            let after = Pair {
                king: stop,
                man: to,
            };
            seen(after, took || to == other.man);
        }
    }
    for stop in reach(kind, own.man, occupied) & safe - king {
        let took = stop == other.man;
        let stopped = Bitboard::of(stop);
        for to in reach(kind, stop, (occupied - man) | stopped) & safe - king {
            if took || to != own.man {
                let after = Pair { man: to, ..own };
                seen(after, took || to == other.man);
            }
        }
        for to in attacks::king(own.king) & safe - stopped {
            let after = Pair {
                king: to,
                man: stop,
            };
            seen(after, took || to == other.man);
        }
    }
}

/// The board of two pairs, White's first.
pub fn board(kinds: [Kind; 2], pairs: [Pair; 2]) -> Board<6> {
    let mut board = Board::default();
    for ((color, kind), pair) in Color::ALL.into_iter().zip(kinds).zip(pairs) {
        board.toggle(color, Kind::King, pair.king);
        board.toggle(color, kind, pair.man);
    }
    board
}
