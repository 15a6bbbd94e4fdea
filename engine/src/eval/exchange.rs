//! Static exchange evaluation on an 8x8 board.

use crate::core::{Bitboard, Color, Kind, Square, attacks};
use crate::rules::Board;

/// What a piece of a kind counts for in exchanges, in centipawns; the king more than everything.
pub const EXCHANGE: [i32; 10] = [100, 320, 330, 500, 950, 10_000, 1_200, 900, 850, 750];

/// The kinds from the least to the most valuable, the king last.
const BY_VALUE: [Kind; 10] = [
    Kind::Pawn,
    Kind::Knight,
    Kind::Bishop,
    Kind::Rook,
    Kind::Veteran,
    Kind::Princess,
    Kind::Empress,
    Kind::Queen,
    Kind::Amazon,
    Kind::King,
];

/// Static exchange evaluation: whether the pieces that side `us` wins on `to` by moving the piece of value `mover` from
/// `from`, having taken pieces worth `taken` there, come to at least `threshold`, when both sides go on taking with their
/// least valuable piece as long as it pays (<https://www.chessprogramming.org/Static_Exchange_Evaluation>). A capture that
/// would leave its own king attacked by a slider is not counted: pins and discovered checks are seen.
pub fn wins_exchange<const N: usize>(
    board: &Board<N>,
    us: Color,
    [from, to]: [Square; 2],
    mover: i32,
    taken: i32,
    threshold: i32,
) -> bool {
    // What the side to take is ahead of the threshold by if it stops now.
    let mut balance = taken - threshold;
    if balance < 0 {
        return false;
    }
    balance -= mover;
    if balance >= 0 {
        return true;
    }
    let mut occupied = board.occupied() - Bitboard::of(from) | Bitboard::of(to);
    let mut side = us;
    let mut attackers =
        board.attackers(Color::White, to, occupied) | board.attackers(Color::Black, to, occupied);
    loop {
        side = !side;
        attackers &= occupied;
        let own = attackers & board.color(side);
        if own.is_empty() {
            break;
        }
        let own = own - barred(board, side, to, occupied);
        let Some(kind) = BY_VALUE
            .into_iter()
            .find(|&kind| (own & board.kind(kind)).any())
        else {
            break;
        };
        if kind == Kind::King && (attackers & board.color(!side)).any() {
            // The king may not take a guarded piece, and a pinned piece guards, too.
            break;
        }
        let square = (own & board.kind(kind)).first();
        occupied = occupied - Bitboard::of(square);
        // A piece that leaves a line opens it for a slider behind it.
        if attacks::bishop_rays(to).has(square) {
            attackers |= attacks::bishop(to, occupied) & board.diagonal_sliders();
        } else if attacks::rook_rays(to).has(square) {
            attackers |= attacks::rook(to, occupied) & board.orthogonal_sliders();
        }
        balance = -balance - 1 - EXCHANGE[kind.index()];
        if balance >= 0 {
            // The other side stays ahead even if this piece is lost.
            side = !side;
            break;
        }
    }
    side != us
}

/// The pieces of a side, its king excepted, that cannot capture on `to` because a slider of the other side would then attack
/// their king. The other side has just moved a piece to `to`.
#[inline(always)]
fn barred<const N: usize>(
    board: &Board<N>,
    side: Color,
    to: Square,
    occupied: Bitboard,
) -> Bitboard {
    let king = board.king(side);
    let sliders = attacks::bishop_rays(king) & board.diagonal_sliders()
        | attacks::rook_rays(king) & board.orthogonal_sliders();
    let snipers = sliders & board.color(!side) & occupied - Bitboard::of(to);
    let mut barred = Bitboard::EMPTY;
    for sniper in snipers {
        let blockers = attacks::between(king, sniper) & occupied;
        if blockers.is_empty() {
            // The king is in check from elsewhere: only the king itself may still capture.
            return !Bitboard::of(king);
        }
        if !blockers.many() {
            barred |= blockers;
        }
    }
    barred
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::chess::{Chess, Options};
    use crate::rules::{Notation, Rules};

    /// Values by counting the exchanges by hand.
    #[test]
    fn exchanges() {
        for (fen, from, to, value) in [
            (
                "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
                "e1",
                "e5",
                100,
            ),
            (
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3",
                "e5",
                -220,
            ),
            ("4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1", "e2", "e5", -400),
            ("4k3/8/3p4/4p3/3P4/8/4R3/4K3 w - - 0 1", "d4", "e5", 100),
            ("8/8/8/3kp3/8/8/4R3/4K3 w - - 0 1", "e2", "e5", -400),
            ("8/8/8/3kp3/8/8/4R3/4RK2 w - - 0 1", "e2", "e5", 100),
            ("4k3/8/8/4q3/3P4/8/8/4K3 w - - 0 1", "d4", "e5", 950),
            // The pawn on d6 is pinned and does not recapture.
            ("5k2/8/3p4/4p3/1B6/8/4R3/4K3 w - - 0 1", "e2", "e5", 100),
            // A pinned rook captures the rook that pins it.
            ("4k3/4r3/8/4p3/8/8/4R3/4K3 w - - 0 1", "e2", "e5", -400),
            // The knight on g4 is pinned by the rook, unless the rook itself captures.
            ("4k3/3n4/8/4P1r1/6N1/8/8/6K1 b - - 0 1", "d7", "e5", 100),
            ("4k3/8/8/4P1r1/6N1/8/8/6K1 b - - 0 1", "g5", "e5", -400),
            // The knight uncovers a check by the bishop, so the pawn on c7 cannot recapture.
            ("4k3/2p5/3p4/1N6/B7/8/8/4K3 w - - 0 1", "b5", "d6", 100),
        ] {
            let position = Chess::from_fen(fen, &Options::default()).unwrap().position;
            let board = position.board();
            let [from, to]: [Square; 2] = [from, to].map(|name| name.parse().unwrap());
            let at = |square| EXCHANGE[board.kind_at(square).unwrap().index()];
            let wins = |threshold| {
                let side = position.side_to_move();
                wins_exchange(board, side, [from, to], at(from), at(to), threshold)
            };
            assert!(wins(value), "{fen} at least {value}");
            assert!(!wins(value + 1), "{fen} at most {value}");
        }
    }
}
